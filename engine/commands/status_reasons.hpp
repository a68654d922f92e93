/// Status reasons: why rows have no estimate, one line for each status, as `plan`, `run` and `show` print it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/results/nearest_miss.hpp"
#include "engine/sweep/sweep.hpp"
#include "io/json.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

/// The name of the estimator's shortfall metric; empty where it has none.
[[nodiscard]] std::string_view shortfall_name(const Estimator& estimator);

/// Asks the estimator about each of the points. Pre: `prepared` was prepared with the values of `spec`.
void add_reasons(std::vector<NearestMiss>& misses, const SweepSpec& spec, const PreparedSweep& prepared);

/// What `explain` returns; empty where a point of a stored result cannot be explained here: measured tables that it
/// used are missing or others, this program has no such estimator, the file is damaged. Throws all else, such as
/// LogicError.
[[nodiscard]] std::string reason_where_possible(const std::function<std::string()>& explain);

/// "out_of_memory: 18 rows; nearest miss, point 12: needs 453.6 GB of 80.0 GB of DRAM", wrapped and indented by two.
[[nodiscard]] std::string reasons_text(const std::vector<NearestMiss>& misses, const Terminal& terminal);
[[nodiscard]] Json reasons_json(const std::vector<NearestMiss>& misses);

}  // namespace dfsweep
