/// Gathered rows: axes and metrics of a few rows of a result.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/report/reduction/subject.hpp"

namespace dfsweep::report {

struct GatheredRows {
  std::vector<std::uint64_t> points;             ///< [row]
  std::vector<std::vector<std::uint32_t>> axes;  ///< [Subject::axes][row] codes; AxisCoder::no_code: no value
  std::vector<std::vector<double>> metrics;      ///< [as asked for][row]
};

/// `metrics`: places in Subject::metrics. `rows`: ascending.
[[nodiscard]] GatheredRows gather(const Subject& subject, const std::vector<std::size_t>& metrics,
                                  std::span<const std::uint64_t> rows, unsigned threads);

}  // namespace dfsweep::report
