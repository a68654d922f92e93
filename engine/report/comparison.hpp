/// Comparison: two results of one estimator, cell by cell over the axes and values that both have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/report/report.hpp"
#include "io/html/page.hpp"
#include "io/json.hpp"

namespace dfsweep::report {

/// An axis of both cubes, with the values that both have.
struct CommonAxis {
  std::size_t in_a = 0;  ///< place in Subject::axes
  std::size_t in_b = 0;
  std::vector<std::uint32_t> codes_a;  ///< [common value] code in either
  std::vector<std::uint32_t> codes_b;
};

/// A metric that is an objective of both.
struct ComparedMetric {
  std::size_t in_a = 0;   ///< place in Subject::metrics
  std::vector<double> a;  ///< [cell] best value; NaN: no feasible row
  std::vector<double> b;
};

struct Comparison {
  std::string name_a;
  std::string name_b;
  std::vector<CommonAxis> axes;  ///< the last one is fastest in cells
  std::vector<ComparedMetric> metrics;
  std::uint64_t only_a = 0;  ///< rows with values that the other lacks
  std::uint64_t only_b = 0;
};

/// Axes that a report must have to be compared with this one: what is fixed here, then the axes of the cube.
[[nodiscard]] std::vector<std::string> axes_to_compare(const Report& report);

/// If both sweeps have the same name, `path_a` and `path_b` distinguish them. Throws UsageError where the estimators
/// differ, or nothing is common.
[[nodiscard]] Comparison compare(const Report& a, const Report& b, const std::string& path_a,
                                 const std::string& path_b);

/// The member `comparison` of the page's data.
[[nodiscard]] Json comparison_json(const Comparison& comparison, const Report& a, const Report& b);

/// Best values and their ratios, those that differ most first.
[[nodiscard]] html::Table comparison_table(const Comparison& comparison, const Report& a);

}  // namespace dfsweep::report
