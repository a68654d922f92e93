/// What would help most at a point, for people and for JSON.
#pragma once

#include <string>
#include <vector>

#include "engine/evaluation/sensitivity.hpp"
#include "models/explanation.hpp"

namespace dfsweep {

/// The metrics of numbers with these names. Throws UsageError where one is none.
[[nodiscard]] std::vector<MetricIndex> sensitivity_metrics(const SweepSpec& spec,
                                                           const std::vector<std::string>& names);

/// Two tables: by how many per cent metrics change with 1 % more of each number, and what another value of each choice
/// gives, the best on the first metric first; what is not possible is counted by status. At most `most_rows` each; how
/// many are left out is said. Pre: `metrics` is not empty.
[[nodiscard]] Explanation sensitivity_explanation(const SweepSpec& spec, const Sensitivity& found,
                                                  std::span<const MetricIndex> metrics, std::size_t most_rows);

}  // namespace dfsweep
