/// StatedError: what is said about rows that no fit has seen, and how often it held for rows that were held back.
#pragma once

#include <cstdint>
#include <span>

#include "models/absent.hpp"
#include "models/statistics/distributions.hpp"

namespace dfsweep::calibration {

/// Share of the rows that a stated interval is meant to contain.
inline constexpr double stated_share = 0.9;

struct StatedError {
  std::size_t rows = 0;
  std::size_t groups = 0;    ///< that have these rows
  double median = 0.0;       ///< of |predicted / measured - 1|
  Interval log_errors;       ///< of ln(predicted / measured); around 0, so that it contains the prediction itself
  double coverage = absent;  ///< share of the rows inside intervals stated without their group; absent: one group
  double coverage_of_groups = absent;  ///< mean over the groups of the share of their rows
};

/// From out-of-sample errors ln(predicted / measured). Errors of rows of one group are correlated, so that quantiles of
/// a few groups are too narrow for the next one. With Q the number that the next value does not exceed in 90 % of cases
/// (quantile_of_next()) and h(A) that of the magnitudes of errors A and of ten errors of a standard deviation of 0.2
/// besides (what is known without rows), the stated interval is
///
///     -s h(all) to s h(all),   s = Q over rows i of |error of i| / h(rows of other groups than i),
///                                  at least 1.
///
/// It is symmetric, because a group is off as a whole: on which side a few groups are says nothing of the side of the
/// next one. The coverage is counted with intervals that are made, factor s included, without the group of the row.
/// More than 20 groups are merged into 20, by their number. Without rows, the ten errors alone decide. `groups`: [row];
/// empty: one. Source: group conformal prediction, as [barber2021] for single rows.
[[nodiscard]] StatedError stated_error(std::span<const double> errors, std::span<const std::uint32_t> groups);

}  // namespace dfsweep::calibration
