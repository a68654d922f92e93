/// Coverage simulation: how often intervals contain the truth, on simulated runs with known truth.
///
/// The simulated runs have the design of given runs (groups, learning rates and batch sizes), with
///     ln L = 0.5 (z - z*_g)' H (z - z*_g) + skew + noise,  z*_g = law(group) + group effect,
/// with normal noise and effects (docs/models/hyperparameters-uncertainty.md). Each set of runs is then fitted in the
/// same way as real runs.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/law_fits/fits/fit.hpp"
#include "models/law_fits/intervals/effect_interval.hpp"

namespace dfsweep::law_fits {

struct KnownTruth {
  /// lr = exp(2.3) N^-0.68 D^0.21, B = exp(4.3) Na^-0.25 D^0.575 tokens.
  ScalingLaw law = {{2.3, {-0.68, 0.0, 0.21, 0.0}}, {4.3, {0.0, -0.25, 0.575, 0.0}}};
  Hessian curvature = {0.0115, -0.0045, 0.0115};
  /// Coefficients of u^3, u^2 v, u v^2, v^3, (u, v) = z - z*_g. The full cubic is used where the quadratic part is
  /// below 2 % and fades out beyond, so that the minimum is unique.
  std::array<double, 4> skew{};
  double noise = 6e-4;        ///< standard deviation of ln L
  double group_effect = 0.0;  ///< standard deviation of the optimum of a group around the law, in ln lr and in ln B
};

struct CoverageSettings {
  LawForm form;                                         ///< form to fit
  TrainingScale target = {7e9, 7e9, 1.4e12, 0.0, 0.0};  ///< scale of the intervals
  double confidence = 0.95;
  FitMethod kept = {LawEstimator::kept_rows, 0.0025};  ///< method of the bootstraps of kept rows
  double window = 0.01;                                ///< window of the surface
  SurfaceShape shape = SurfaceShape::cubic;
  std::uint64_t seed = 1;
  std::uint64_t replicates = 500;  ///< replicates per bootstrap
};

/// The skew of the released runs at a window of 1 %.
inline constexpr std::array<double, 4> released_skew = {0.0014, 0.0, 0.0025, -0.0009};

/// Names of the compared interval methods, in order: bootstraps, effect_intervals, and the recommended one on a
/// quadratic surface.
[[nodiscard]] std::span<const std::string_view> coverage_methods();
/// Index of the recommended method.
[[nodiscard]] std::size_t recommended_coverage_method();

/// Result of one set of simulated runs.
struct SimulatedSet {
  FitDefect defect = FitDefect::none;              ///< of the surface or of the law; with a defect no interval covers
  double located_groups = 0.0;                     ///< number of groups with a usable optimum
  std::vector<std::array<Interval, 2>> intervals;  ///< [method][target]
  std::array<double, 2> recommended{};             ///< [target] centres of the recommended intervals
  std::array<Interval, 2> one_group;               ///< interval for the optimum of one new group
  std::array<double, 2> new_group{};               ///< simulated optimum of the new group
  std::array<double, 2> between_sd{};              ///< [target] tau
};

class CoverageSimulation {
 public:
  /// `design`: groups and runs; their losses are ignored.
  CoverageSimulation(GroupedRuns design, const KnownTruth& truth, const CoverageSettings& settings);
  /// Simulates set number `set`. Thread-safe; the bits do not depend on the order of sets or on threads.
  [[nodiscard]] SimulatedSet simulate(std::uint64_t set) const;
  [[nodiscard]] LogPoint true_value() const { return truth_.law.at(settings_.target); }

 private:
  [[nodiscard]] GroupedRuns losses(std::uint64_t set) const;

  GroupedRuns design_;
  KnownTruth truth_;
  CoverageSettings settings_;
  std::vector<std::size_t> groups_;  ///< 0, 1, ...
  std::vector<LogPoint> points_;     ///< [run]
};

/// [target] Score of one method.
struct MethodCoverage {
  std::string method;
  std::array<double, 2> covered{};     ///< share of sets whose interval contains the truth
  std::array<double, 2> half_width{};  ///< mean
};
struct CoverageTable {
  double sets = 0.0;
  double defects = 0.0;                 ///< share of sets without a law, which count as not covered
  std::vector<MethodCoverage> methods;  ///< coverage_methods(), then "new_group": the optimum of one new group
  std::array<double, 2> bias{};         ///< mean of recommended value minus truth
  std::array<double, 2> sd{};           ///< standard deviation of the recommended values
  std::array<double, 2> mean_between_sd{};
  double mean_located_groups = 0.0;
};
[[nodiscard]] CoverageTable summarize(std::span<const SimulatedSet> sets, LogPoint truth);

/// Standard error of a share among `sets`: sqrt(c (1 - c) / sets).
[[nodiscard]] double share_error(double share, double sets);

}  // namespace dfsweep::law_fits
