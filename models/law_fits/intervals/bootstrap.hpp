/// Bootstrap of fitted laws with a counter-based generator: any replicate alone, with the same bits on any rank.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/law_fits/fits/fit.hpp"
#include "models/law_fits/intervals/ensemble.hpp"
#include "models/statistics/random.hpp"

namespace dfsweep::hyperparameters {

enum class ResampleUnit : std::uint8_t {
  row,   ///< kept runs in file order, as many draws; kept_rows only
  group  ///< groups that take part in the fit, in group order, as many draws; a drawn group enters with all its runs
};

/// Replicates of a fit. Where a replicate does not determine the coefficients, all of them are NaN.
///
/// Methods that are regressions (argmin, kept_rows, quadratic) are resampled as normal equations of the items, which
/// are summed and solved; the others are fitted again to the groups drawn.
class LawBootstrap {
 public:
  /// Pre: unit row goes with kept_rows only and needs runs.kept_below >= method.window. `runs` outlives this.
  LawBootstrap(const SelectedRuns& runs, std::span<const std::size_t> groups, const LawForm& form,
               const FitMethod& method, ResampleUnit unit, std::uint64_t seed);

  /// Coefficients of a replicate: intercept and features of the learning rate, then of the batch.
  [[nodiscard]] std::size_t width() const { return x_.size() + y_.size(); }
  /// Items that are drawn from; as many are drawn.
  [[nodiscard]] std::size_t items() const { return items_; }
  /// Fills [replicate from `first`][coefficient]. Thread-safe; a replicate has the same bits whatever the range.
  void run(std::uint64_t first, std::span<double> coefficients) const;
  /// Fills [item][coefficient]: the fit without that item. For the acceleration of BCa intervals.
  void leave_one_out(std::span<double> coefficients) const;
  /// The law of one replicate's coefficients.
  [[nodiscard]] ScalingLaw law(std::span<const double> coefficients) const;

 private:
  /// From coefficients about the means, in place.
  void uncentre(std::span<double> coefficients) const;
  void refit(std::span<const std::size_t> drawn, std::span<double> coefficients) const;
  void store(const ScalingLaw& law, std::span<double> coefficients) const;

  const SelectedRuns& runs_;
  LawForm form_;
  FitMethod method_;
  CounterRandom random_;
  LawBasis x_;
  LawBasis y_;
  std::array<double, law_feature_count> means_{};
  LogPoint origin_;
  std::size_t items_ = 0;
  std::size_t stride_ = 0;
  std::vector<double> sums_;          ///< [item][stride] packed normal equations of both targets; empty: fits again
  std::vector<std::size_t> members_;  ///< [item] group, for methods that are fitted again
};

}  // namespace dfsweep::hyperparameters
