/// Statuses of the points and rows of a sweep: those of its estimator, then those that a search adds.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/sweep/sweep.hpp"

namespace dfsweep {

/// What a search adds after the statuses of the estimator, in this order.
enum class SearchStatus : std::uint8_t {
  no_feasible,    ///< of rows: fewer points are candidates than rows are kept
  limit_not_met,  ///< of points: feasible, but a condition of [search] where does not hold
  bounded,        ///< of points: a bound showed before the evaluation that the point cannot be among the best
};

/// The code of a status of a search; the codes below it are those of Estimator::statuses().
[[nodiscard]] std::uint8_t code_of(SearchStatus status, const Estimator& estimator);

/// By code. A sweep without a search has the statuses of the estimator. `limit_not_met` and `bounded` are there if the
/// search has conditions or minimizes a metric that the estimator bounds, so other results keep their tables.
[[nodiscard]] std::vector<StatusInfo> statuses_of(const SweepSpec& spec);

/// Name and meaning of the statuses of every search, by SearchStatus.
[[nodiscard]] std::span<const StatusInfo> search_statuses();

}  // namespace dfsweep
