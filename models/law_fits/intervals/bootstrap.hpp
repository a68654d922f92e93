/// Bootstrap of fitted laws with counter-based random numbers: replicates are independent and have the same bits on any
/// rank.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/law_fits/fits/fit.hpp"
#include "models/law_fits/intervals/ensemble.hpp"
#include "models/statistics/random.hpp"

namespace dfsweep::law_fits {

enum class ResampleUnit : std::uint8_t {
  row,   ///< draws kept runs (in file order); kept_rows only
  group  ///< draws groups of the fit (in group order), each with all its runs
};

/// Replicates of a fit. All coefficients of a replicate with singular equations are NaN.
///
/// For regressions (argmin, kept_rows, quadratic) the normal equations of the drawn items are summed and solved; other
/// methods are fitted again to the drawn groups.
class LawBootstrap {
 public:
  /// Pre: unit `row` needs method kept_rows and runs.kept_below >= method.window. `runs` outlives the object.
  LawBootstrap(const SelectedRuns& runs, std::span<const std::size_t> groups, const LawForm& form,
               const FitMethod& method, ResampleUnit unit, std::uint64_t seed);

  /// Number of coefficients per replicate: intercept and features of the learning rate, then of the batch.
  [[nodiscard]] std::size_t width() const { return x_.size() + y_.size(); }
  /// Number of items, and of draws per replicate.
  [[nodiscard]] std::size_t items() const { return items_; }
  /// Fills [replicate from `first`][coefficient]. Thread-safe; the bits of a replicate do not depend on the range.
  void run(std::uint64_t first, std::span<double> coefficients) const;
  /// Fills [item][coefficient] with the fit without this item. For the acceleration of BCa intervals.
  void leave_one_out(std::span<double> coefficients) const;
  /// The law of one replicate's coefficients.
  [[nodiscard]] ScalingLaw law(std::span<const double> coefficients) const;

 private:
  /// Converts coefficients of centred features, in place.
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
  std::vector<double> sums_;  ///< [item][stride] packed normal equations of both targets; empty: refit each replicate
  std::vector<std::size_t> members_;  ///< [item] group, for methods that refit
};

}  // namespace dfsweep::law_fits
