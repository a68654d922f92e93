/// How often intervals contain the truth, on simulated runs whose truth is known.
///
/// The simulated runs stand where given runs stand: the same groups, learning rates and batch sizes, but
///     ln L = 0.5 (z - z*_g)' H (z - z*_g) + skew + noise,  z*_g = law(group) + group effect,
/// noise and effects normal (docs/models/hyperparameters-uncertainty.md). Each set of runs then goes through the fits
/// and intervals that real runs go through.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/law_fits/fits/fit.hpp"
#include "models/law_fits/intervals/effect_interval.hpp"

namespace dfsweep::hyperparameters {

struct KnownTruth {
  /// lr = exp(2.3) N^-0.68 D^0.21, B = exp(4.3) Na^-0.25 D^0.575 tokens.
  ScalingLaw law = {{2.3, {-0.68, 0.0, 0.21, 0.0}}, {4.3, {0.0, -0.25, 0.575, 0.0}}};
  Hessian curvature = {0.0115, -0.0045, 0.0115};
  /// Coefficients of u^3, u^2 v, u v^2, v^3, (u, v) = z - z*_g: in full where the rest is below 2 %, fading beyond, so
  /// that there is one minimum.
  std::array<double, 4> skew{};
  double noise = 6e-4;        ///< standard deviation of ln L
  double group_effect = 0.0;  ///< standard deviation of each group's optimum about the law, in ln lr and in ln B
};

struct CoverageSettings {
  LawForm form;                                         ///< that is fitted
  TrainingScale target = {7e9, 7e9, 1.4e12, 0.0, 0.0};  ///< where intervals are wanted
  double confidence = 0.95;
  FitMethod kept = {LawEstimator::kept_rows, 0.0025};  ///< of the bootstraps of kept rows
  double window = 0.01;                                ///< of the surface
  SurfaceShape shape = SurfaceShape::cubic;
  std::uint64_t seed = 1;
  std::uint64_t replicates = 500;  ///< of each bootstrap
};

/// The skew that the released runs show at a window of 1 %.
inline constexpr std::array<double, 4> released_skew = {0.0014, 0.0, 0.0025, -0.0009};

/// Ways to an interval that are compared, in order; the effect_intervals by their names, and the recommended one on a
/// quadratic surface.
[[nodiscard]] std::span<const std::string_view> coverage_methods();
/// Number of the recommended one among them.
[[nodiscard]] std::size_t recommended_coverage_method();

/// What one set of simulated runs gave.
struct SimulatedSet {
  FitDefect defect = FitDefect::none;              ///< of the surface or of the law; then nothing covers
  double located_groups = 0.0;                     ///< whose optimum could be used
  std::vector<std::array<Interval, 2>> intervals;  ///< [method][target]
  std::array<double, 2> recommended{};             ///< values in the middle of the recommended intervals, [target]
  std::array<Interval, 2> one_group;               ///< for the optimum of one new group
  std::array<double, 2> new_group{};               ///< where that optimum then was
  std::array<double, 2> between_sd{};              ///< tau, [target]
};

class CoverageSimulation {
 public:
  /// `design`: groups and runs, of which losses play no part.
  CoverageSimulation(GroupedRuns design, const KnownTruth& truth, const CoverageSettings& settings);
  /// Set number `set`; thread-safe, the same bits wherever and in whatever order sets are simulated.
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

/// One way's score, [target] each.
struct MethodCoverage {
  std::string method;
  std::array<double, 2> covered{};     ///< sets whose interval contained the truth
  std::array<double, 2> half_width{};  ///< mean
};
struct CoverageTable {
  double sets = 0.0;
  double defects = 0.0;                 ///< sets without a law; they count as not covered
  std::vector<MethodCoverage> methods;  ///< coverage_methods(), then "new_group": the optimum of one new group
  std::array<double, 2> bias{};         ///< mean of recommended value minus truth
  std::array<double, 2> sd{};           ///< of the recommended values
  std::array<double, 2> mean_between_sd{};
  double mean_located_groups = 0.0;
};
[[nodiscard]] CoverageTable summarize(std::span<const SimulatedSet> sets, LogPoint truth);

/// Standard error of a share of `sets`, given the share: sqrt(c (1 - c) / sets).
[[nodiscard]] double share_error(double share, double sets);

}  // namespace dfsweep::hyperparameters
