/// Points under the convention dfmodel: the serving study of that paper.
#pragma once

#include "models/serving/points/figures.hpp"
#include "models/serving/points/values.hpp"
#include "models/serving_study/pass.hpp"

namespace dfsweep::serving {

/// A point as the study sees it.
struct StudyPoint {
  study::Model model;
  study::Machine machine;
  study::Pass prefill;
  study::Pass decode;
  double chips = 0.0;
  double requests = 0.0;
  Dollars price;  ///< of chips, memories, links and switches; NaN: unknown
  Watts power;
  Status status = Status::ok;
};
[[nodiscard]] StudyPoint study_point(const DecodedValues& values, const PointValues& v);

[[nodiscard]] Figures study_figures(const DecodedValues& values, const PointCodes& codes, std::size_t i);

}  // namespace dfsweep::serving
