#include "models/law_fits/intervals/coverage_simulation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "models/expect.hpp"
#include "models/law_fits/intervals/bootstrap_interval.hpp"
#include "models/law_fits/intervals/scattered_law.hpp"
#include "models/statistics/random.hpp"

namespace dfsweep::law_fits {

namespace {

constexpr std::size_t resampled_methods = 6;  // before the effect_intervals
constexpr std::string_view methods[] = {
    "kept_rows_row_percentile",    "kept_rows_row_bca",        "kept_rows_group_percentile",
    "kept_rows_group_bca",         "surface_group_percentile", "surface_group_studentised",
    "random_effect_normal",        "random_effect_student",    "random_effect_satterthwaite",
    "random_effect_kenward_roger", "random_effect_scaled",     "random_effect_scaled_at_least",
    "quadratic_surface_scaled",
};
static_assert(std::size(methods) == resampled_methods + std::size(effect_intervals) + 1);

/// Last random number of a set, the start of its resampling.
constexpr std::uint64_t last_of_set = 0xFFFFFFFF;

/// ln L minus its minimum.
double excess_at(const KnownTruth& truth, double u, double v) {
  const Hessian& h = truth.curvature;
  const double even = 0.5 * h.xx * u * u + h.xy * u * v + 0.5 * h.yy * v * v;
  const auto& c = truth.skew;
  const double odd = c[0] * u * u * u + c[1] * u * u * v + c[2] * u * v * v + c[3] * v * v * v;
  constexpr double in_full = 0.02;
  return even + (even <= in_full ? odd : odd * in_full / even);
}

double component(LogPoint point, std::size_t target) {
  return target == 0 ? point.x : point.y;
}

}  // namespace

std::span<const std::string_view> coverage_methods() {
  return methods;
}

std::size_t recommended_coverage_method() {
  const auto found = std::find(std::begin(methods), std::end(methods), name_of(recommended_interval));
  DFSWEEP_EXPECT(found != std::end(methods));
  return static_cast<std::size_t>(found - std::begin(methods));
}

CoverageSimulation::CoverageSimulation(GroupedRuns design, const KnownTruth& truth, const CoverageSettings& settings)
    : design_(std::move(design)), truth_(truth), settings_(settings), groups_(design_.groups.size()) {
  std::iota(groups_.begin(), groups_.end(), std::size_t{0});
  points_.reserve(design_.loss.size());
  for (std::size_t run = 0; run < design_.loss.size(); ++run)
    points_.push_back({std::log(design_.learning_rate[run]), std::log(design_.batch_tokens[run])});
}

GroupedRuns CoverageSimulation::losses(std::uint64_t set) const {
  const CounterRandom random(settings_.seed);
  std::uint64_t k = (set << 32) + 2;  // the first two numbers are for the new group
  GroupedRuns runs = design_;
  for (RunGroup& group : runs.groups) {
    LogPoint optimum = truth_.law.at(group.scale());
    optimum.x += truth_.group_effect * normal_draw(random, k);
    optimum.y += truth_.group_effect * normal_draw(random, k + 1);
    k += 2;
    group.minimum = {};
    for (std::size_t run = group.begin; run < group.end; ++run) {
      const double excess = excess_at(truth_, points_[run].x - optimum.x, points_[run].y - optimum.y);
      runs.loss[run] = std::exp(excess + truth_.noise * normal_draw(random, k++));
      group.minimum.add(runs.learning_rate[run], runs.batch_tokens[run], runs.loss[run]);
    }
    for (std::size_t run = group.begin; run < group.end; ++run)
      runs.rel[run] = runs.loss[run] / group.minimum.loss - 1.0;
  }
  return runs;
}

SimulatedSet CoverageSimulation::simulate(std::uint64_t set) const {
  const CounterRandom random(settings_.seed);
  const std::array<double, 2> windows = {settings_.kept.window, settings_.window};
  const SelectedRuns runs = select_runs(losses(set), windows, settings_.window);
  const std::uint64_t seed = random.at((set << 32) + last_of_set);

  SimulatedSet out;
  out.intervals.resize(std::size(methods));
  const LogPoint truth = true_value();
  for (const ResampleUnit unit : {ResampleUnit::row, ResampleUnit::group}) {
    const auto both =
        bootstrap_intervals(runs, groups_, settings_.form, {settings_.kept, unit, seed, settings_.replicates},
                            settings_.target, settings_.confidence);
    const std::size_t first = unit == ResampleUnit::row ? 0 : 2;
    for (std::size_t target = 0; target < 2; ++target) {
      out.intervals[first][target] = both[target].percentile;
      out.intervals[first + 1][target] = both[target].bca;
    }
  }
  const ScatteredLaw law =
      fit_scattered_law(runs, groups_, settings_.form, {settings_.window, settings_.shape, RunWindow::by_loss});
  const ScatteredLaw quadratic =
      fit_scattered_law(runs, groups_, settings_.form, {settings_.window, SurfaceShape::quadratic, RunWindow::by_loss});
  out.defect = law.defect;
  for (std::size_t t = 0; t < 2; ++t) {
    const LawTarget target = t == 0 ? LawTarget::learning_rate : LawTarget::batch_tokens;
    const RandomEffectLaw& effect = law.of(target);
    const ScatteredOptima optima = scattered_optima(runs, groups_, law.surface, effect.features, target);
    const ScatterIntervals resampled =
        resampled_scatter(optima, effect, settings_.target, settings_.confidence, seed, settings_.replicates);
    out.located_groups = effect.groups;
    out.intervals[4][t] = resampled.percentile;
    out.intervals[5][t] = resampled.studentised;
    for (std::size_t m = 0; m < std::size(effect_intervals); ++m)
      out.intervals[resampled_methods + m][t] =
          predict(effect, settings_.target, settings_.confidence, effect_intervals[m]).interval;
    out.intervals.back()[t] = predict(quadratic.of(target), settings_.target, settings_.confidence).interval;
    const EffectPrediction recommended = predict(effect, settings_.target, settings_.confidence);
    out.recommended[t] = recommended.value;
    out.one_group[t] = recommended.of_one_group;
    out.new_group[t] = component(truth, t) + truth_.group_effect * normal_draw(random, (set << 32) + t);
    out.between_sd[t] = effect.between_sd;
  }
  return out;
}

CoverageTable summarize(std::span<const SimulatedSet> sets, LogPoint truth) {
  CoverageTable table;
  table.sets = static_cast<double>(sets.size());
  for (const std::string_view method : methods) table.methods.push_back({std::string(method), {}, {}});
  table.methods.push_back({"new_group", {}, {}});
  double lawful = 0.0;
  for (const SimulatedSet& set : sets) {
    if (set.defect != FitDefect::none) {
      table.defects += 1.0;
      continue;
    }
    lawful += 1.0;
    table.mean_located_groups += set.located_groups;
    for (std::size_t target = 0; target < 2; ++target) {
      const auto count = [target](MethodCoverage& row, const Interval& interval, double value) {
        row.covered[target] += interval.covers(value) ? 1.0 : 0.0;
        row.half_width[target] += interval.half_width();
      };
      for (std::size_t m = 0; m < std::size(methods); ++m)
        count(table.methods[m], set.intervals[m][target], component(truth, target));
      count(table.methods.back(), set.one_group[target], set.new_group[target]);
      const double error = set.recommended[target] - component(truth, target);
      table.bias[target] += error;
      table.sd[target] += error * error;
      table.mean_between_sd[target] += set.between_sd[target];
    }
  }
  table.mean_located_groups /= lawful;
  for (std::size_t target = 0; target < 2; ++target) {
    table.bias[target] /= lawful;
    table.sd[target] = std::sqrt(std::max(0.0, table.sd[target] / lawful - table.bias[target] * table.bias[target]));
    table.mean_between_sd[target] /= lawful;
    for (MethodCoverage& row : table.methods) row.half_width[target] /= lawful;
  }
  return table;
}

double share_error(double share, double sets) {
  return std::sqrt(share * (1.0 - share) / sets);
}

}  // namespace dfsweep::law_fits
