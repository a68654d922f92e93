/// What matters most at one point, on a page: bars of the numbers that change its metrics, and a plain table.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/evaluation/sensitivity.hpp"
#include "io/html/page.hpp"
#include "io/json.hpp"

namespace dfsweep::report {

/// The sensitivity of a point with what names it.
struct PointSensitivity {
  std::uint64_t point = 0;
  std::string named;  ///< "best train_cost: system dgx-h100, tensor_parallel 8"
  std::vector<MetricIndex> metrics;
  Sensitivity found;
};

/// The member `sensitivity` of the page's data.
[[nodiscard]] Json sensitivity_json(const SweepSpec& spec, const PointSensitivity& sensitivity);
/// Numbers by their effect on the first metric.
[[nodiscard]] html::Table sensitivity_table(const SweepSpec& spec, const PointSensitivity& sensitivity);

}  // namespace dfsweep::report
