#include "models/law_fits/intervals/bootstrap_interval.hpp"

#include <algorithm>
#include <cmath>

#include "models/absent.hpp"
#include "models/expect.hpp"
#include "models/statistics/distributions.hpp"
#include "models/statistics/least_squares.hpp"

namespace dfsweep::law_fits {

namespace {

std::vector<double> sorted_without_nan(std::span<const double> values) {
  std::vector<double> sorted;
  sorted.reserve(values.size());
  for (const double value : values)
    if (is_given(value)) sorted.push_back(value);
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

std::vector<double> row_of(FeatureSet features, const std::array<double, law_feature_count>& values) {
  std::vector<double> row = {1.0};
  for (std::size_t f = 0; f < law_feature_count; ++f)
    if (features.has(static_cast<LawFeature>(f))) row.push_back(values[f]);
  return row;
}

double product(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// Influence of each row on the value at `at`: x'(X'X)^-1 x_i r_i / (1 - h_i), which is the estimate minus the estimate
/// without the row. `rows`: [row][coefficient].
std::vector<double> row_influence(std::span<const std::vector<double>> rows, std::span<const double> values,
                                  std::vector<double> at) {
  const std::size_t p = at.size();
  std::vector<double> mean(p, 0.0);  // centred, because raw logarithms are nearly collinear with the intercept
  for (const std::vector<double>& row : rows)
    for (std::size_t i = 1; i < p; ++i) mean[i] += row[i] / static_cast<double>(rows.size());
  std::vector<double> x(rows.size() * p);
  std::vector<double> normal(p * p, 0.0);
  std::vector<double> right(p, 0.0);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    double* const row = x.data() + r * p;
    for (std::size_t i = 0; i < p; ++i) row[i] = rows[r][i] - mean[i];
    for (std::size_t i = 0; i < p; ++i) {
      right[i] += row[i] * values[r];
      for (std::size_t j = 0; j < p; ++j) normal[i * p + j] += row[i] * row[j];
    }
  }
  for (std::size_t i = 1; i < p; ++i) at[i] -= mean[i];
  const std::vector<double> inverse = inverse_positive(normal, p);
  std::vector<double> influence(rows.size(), absent);
  if (inverse.empty()) return influence;
  std::vector<double> coefficients(p), direction(p), own(p);
  for (std::size_t i = 0; i < p; ++i) {
    coefficients[i] = product({inverse.data() + i * p, p}, right);
    direction[i] = product({inverse.data() + i * p, p}, at);
  }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::span<const double> row(x.data() + r * p, p);
    for (std::size_t i = 0; i < p; ++i) own[i] = product({inverse.data() + i * p, p}, row);
    const double residual = values[r] - product(row, coefficients);
    influence[r] = product(row, direction) * residual / (1.0 - product(row, own));
  }
  return influence;
}

using Influences = std::array<std::vector<double>, 2>;  ///< [target][item]

Influences row_influences(const SelectedRuns& runs, std::span<const std::size_t> groups, const LawForm& form,
                          double window, const TrainingScale& scale) {
  std::vector<bool> taken(runs.groups.size(), false);
  for (const std::size_t group : groups) taken[group] = true;
  std::array<std::vector<std::vector<double>>, 2> rows;
  std::array<std::vector<double>, 2> values;
  for (const KeptRun& run : runs.kept) {
    if (!taken[run.group] || !(run.rel < window)) continue;
    const auto features = features_of(runs.groups[run.group].scale);
    rows[0].push_back(row_of(form.learning_rate, features));
    rows[1].push_back(row_of(form.batch_tokens, features));
    values[0].push_back(run.x);
    values[1].push_back(run.y);
  }
  const auto at = features_of(scale);
  return {row_influence(rows[0], values[0], row_of(form.learning_rate, at)),
          row_influence(rows[1], values[1], row_of(form.batch_tokens, at))};
}

/// Jackknife influences: mean of the leave-one-group-out estimates minus each estimate.
Influences group_influences(const SelectedRuns& runs, std::span<const std::size_t> groups, const LawForm& form,
                            const FitMethod& method, const TrainingScale& scale) {
  Influences without;
  std::vector<std::size_t> others;
  for (const std::size_t left_out : groups) {
    others.clear();
    std::copy_if(groups.begin(), groups.end(), std::back_inserter(others),
                 [left_out](std::size_t group) { return group != left_out; });
    const LogPoint value = fit_law(runs, others, form, method).law().at(scale);
    without[0].push_back(value.x);
    without[1].push_back(value.y);
  }
  for (std::vector<double>& values : without) {
    double mean = 0.0;
    for (const double value : values) mean += value / static_cast<double>(values.size());
    for (double& value : values) value = mean - value;
  }
  return without;
}

}  // namespace

Interval percentile_interval(std::span<const double> replicates, double confidence) {
  const std::vector<double> sorted = sorted_without_nan(replicates);
  if (sorted.empty()) return {absent, absent};
  const double tail = 0.5 * (1.0 - confidence);
  return {percentile(sorted, tail), percentile(sorted, 1.0 - tail)};
}

Interval bca_interval(std::span<const double> replicates, double estimate, std::span<const double> influence,
                      double confidence) {
  const std::vector<double> sorted = sorted_without_nan(replicates);
  const auto below = std::lower_bound(sorted.begin(), sorted.end(), estimate) - sorted.begin();
  if (below == 0 || static_cast<std::size_t>(below) == sorted.size()) return {absent, absent};
  double squares = 0.0;
  double cubes = 0.0;
  for (const double d : influence) {
    squares += d * d;
    cubes += d * d * d;
  }
  const double acceleration = squares > 0.0 ? cubes / (6.0 * squares * std::sqrt(squares)) : 0.0;
  const double bias = normal_quantile(static_cast<double>(below) / static_cast<double>(sorted.size()));
  const auto moved = [&](double z) {
    const double share = normal_cdf(bias + (bias + z) / (1.0 - acceleration * (bias + z)));
    return percentile(sorted, share);
  };
  const double z = normal_quantile(0.5 * (1.0 + confidence));
  if (!is_given(acceleration)) return {absent, absent};
  return {moved(-z), moved(z)};
}

std::array<BootstrapIntervals, 2> bootstrap_intervals(const SelectedRuns& runs, std::span<const std::size_t> groups,
                                                      const LawForm& form, const ResampledPrediction& resampling,
                                                      const TrainingScale& scale, double confidence) {
  const LawBootstrap bootstrap(runs, groups, form, resampling.method, resampling.unit, resampling.seed);
  const std::size_t width = bootstrap.width();
  std::vector<double> coefficients(resampling.replicates * width);
  bootstrap.run(0, coefficients);
  const auto at = features_of(scale);
  std::array<std::vector<double>, 2> values;
  for (std::vector<double>& of_target : values) of_target.reserve(resampling.replicates);
  for (std::size_t r = 0; r < resampling.replicates; ++r) {
    const ScalingLaw law = bootstrap.law({coefficients.data() + r * width, width});
    values[0].push_back(law.learning_rate.at(at));
    values[1].push_back(law.batch_tokens.at(at));
  }
  const LogPoint estimate = fit_law(runs, groups, form, resampling.method).law().at(scale);
  const Influences influences = resampling.unit == ResampleUnit::row
                                    ? row_influences(runs, groups, form, resampling.method.window, scale)
                                    : group_influences(runs, groups, form, resampling.method, scale);
  std::array<BootstrapIntervals, 2> out;
  for (std::size_t target = 0; target < 2; ++target) {
    out[target].percentile = percentile_interval(values[target], confidence);
    out[target].bca =
        bca_interval(values[target], target == 0 ? estimate.x : estimate.y, influences[target], confidence);
  }
  return out;
}

ScatterIntervals resampled_scatter(const ScatteredOptima& optima, const RandomEffectLaw& law,
                                   const TrainingScale& scale, double confidence, std::uint64_t seed,
                                   std::uint64_t replicates) {
  if (law.defect != FitDefect::none) return {{absent, absent}, {absent, absent}};
  const std::size_t n = optima.values.size();
  const std::size_t p = law.centre.size();
  const auto centred = [&law, p](const TrainingScale& of) {
    std::vector<double> row = row_of(law.features, features_of(of));
    for (std::size_t i = 0; i < p; ++i) row[i] -= law.centre[i];
    return row;
  };
  std::vector<std::vector<double>> rows;
  std::vector<double> weights;
  for (std::size_t g = 0; g < n; ++g) {
    rows.push_back(centred(optima.scales[g]));
    weights.push_back(
        1.0 / std::max(law.between_sd * law.between_sd + optima.variances[g], 1e-20));  // keeps the weight finite
  }
  const std::vector<double> at = centred(scale);
  const EffectPrediction now = predict(law, scale, confidence, EffectInterval::scaled);
  const CounterRandom random(seed);
  std::vector<double> values;
  std::vector<double> ratios;
  std::vector<double> times(n), normal(p * p), coefficients(p), direction(p);
  for (std::uint64_t r = 0; r < replicates; ++r) {
    std::fill(times.begin(), times.end(), 0.0);
    for (std::size_t draw = 0; draw < n; ++draw) times[random.index(r, draw, n)] += 1.0;
    std::fill(normal.begin(), normal.end(), 0.0);
    std::fill(coefficients.begin(), coefficients.end(), 0.0);
    for (std::size_t g = 0; g < n; ++g) {
      const double weight = times[g] * weights[g];
      for (std::size_t i = 0; i < p; ++i) {
        coefficients[i] += weight * rows[g][i] * optima.values[g];
        for (std::size_t j = 0; j <= i; ++j) normal[i * p + j] += weight * rows[g][i] * rows[g][j];
      }
    }
    std::vector<double> factor = normal;
    if (!solve_positive(factor, coefficients)) continue;
    direction = at;
    factor = normal;
    if (!solve_positive(factor, direction)) continue;
    double squares = 0.0;
    for (std::size_t g = 0; g < n; ++g) {
      const double residual = optima.values[g] - product(rows[g], coefficients);
      squares += times[g] * weights[g] * residual * residual;
    }
    const double variance = squares / static_cast<double>(n - p) * product(at, direction);
    values.push_back(product(at, coefficients));
    if (variance > 0.0) ratios.push_back((values.back() - now.value) / std::sqrt(variance));
  }
  const Interval t = percentile_interval(ratios, confidence);
  return {percentile_interval(values, confidence),
          {now.value - t.high * now.standard_error, now.value - t.low * now.standard_error}};
}

}  // namespace dfsweep::law_fits
