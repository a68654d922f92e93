/// A point of the study: its passes, its machine with price and power, and its metrics.
#pragma once

#include "models/absent.hpp"
#include "models/cost/source.hpp"
#include "models/enum_array.hpp"
#include "models/serving_study/pass.hpp"
#include "models/serving_study/values.hpp"

namespace dfsweep::serving_study {

/// A point as the study sees it.
struct Point {
  Model model;
  Machine machine;
  Pass prefill;
  Pass decode;
  double chips = 0.0;
  double requests = 0.0;
  Dollars price;  ///< of chips, memories, links and switches
  Watts power;    ///< likewise
  cost::Source price_source = cost::Source::given;
  cost::Source power_source = cost::Source::given;
  Status status = Status::ok;
};
[[nodiscard]] Point point_of(const DecodedValues& values, const PointValues& v);

/// The metrics of a point, NaN where they do not apply, and its status.
struct Figures {
  Figures() { metrics.elements.fill(absent); }
  [[nodiscard]] double& operator[](Metric metric) { return metrics[metric]; }
  [[nodiscard]] double operator[](Metric metric) const { return metrics[metric]; }
  Status status = Status::ok;
  EnumArray<Metric, double> metrics;
};
[[nodiscard]] Figures figures_of(const DecodedValues& values, const PointValues& v);

}  // namespace dfsweep::serving_study
