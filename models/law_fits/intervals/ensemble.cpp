#include "models/law_fits/intervals/ensemble.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "models/absent.hpp"
#include "models/expect.hpp"

namespace dfsweep::law_fits {

namespace {

double mean_of(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// Sum of products of deviations from the means.
double cross(std::span<const double> a, std::span<const double> b) {
  const double mean_a = mean_of(a);
  const double mean_b = mean_of(b);
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - mean_a) * (b[i] - mean_b);
  return sum;
}

bool complete(const ScalingLaw& law) {
  return is_given(law.learning_rate.intercept) && is_given(law.batch_tokens.intercept);
}

void add_share(PowerLaw& sum, const PowerLaw& law, double share) {
  sum.intercept += share * law.intercept;
  for (std::size_t f = 0; f < law_feature_count; ++f) sum.exponent[f] += share * law.exponent[f];
}

}  // namespace

double percentile(std::span<const double> sorted, double p) {
  DFSWEEP_EXPECT(!sorted.empty());
  const double h = static_cast<double>(sorted.size() - 1) * p;
  const auto below = static_cast<std::size_t>(h);
  if (below + 1 >= sorted.size()) return sorted.back();
  return sorted[below] + (h - static_cast<double>(below)) * (sorted[below + 1] - sorted[below]);
}

ReplicateSummary summarize(std::span<const double> values) {
  std::vector<double> sorted;
  sorted.reserve(values.size());
  std::copy_if(values.begin(), values.end(), std::back_inserter(sorted), [](double v) { return is_given(v); });
  if (sorted.empty()) return {0.0, absent, absent, absent, absent, absent, absent, absent};
  ReplicateSummary summary;
  summary.count = static_cast<double>(sorted.size());
  summary.mean = mean_of(sorted);
  summary.sd = std::sqrt(cross(sorted, sorted) / (summary.count - 1.0));
  std::sort(sorted.begin(), sorted.end());
  summary.q2_5 = percentile(sorted, 0.025);
  summary.q16 = percentile(sorted, 0.16);
  summary.median = percentile(sorted, 0.5);
  summary.q84 = percentile(sorted, 0.84);
  summary.q97_5 = percentile(sorted, 0.975);
  return summary;
}

ScalingLaw mean_law(std::span<const ScalingLaw> laws) {
  const auto count = static_cast<double>(std::count_if(laws.begin(), laws.end(), complete));
  ScalingLaw mean;
  for (const ScalingLaw& law : laws) {
    if (!complete(law)) continue;
    add_share(mean.learning_rate, law.learning_rate, 1.0 / count);
    add_share(mean.batch_tokens, law.batch_tokens, 1.0 / count);
  }
  return mean;
}

EnsemblePrediction predict_ensemble(std::span<const ScalingLaw> laws, const TrainingScale& scale) {
  std::vector<double> x;
  std::vector<double> y;
  const auto features = features_of(scale);
  for (const ScalingLaw& law : laws) {
    if (!complete(law)) continue;
    x.push_back(law.learning_rate.at(features));
    y.push_back(law.batch_tokens.at(features));
  }
  EnsemblePrediction prediction;
  prediction.ln_learning_rate = summarize(x);
  prediction.ln_batch_tokens = summarize(y);
  prediction.of_mean_coefficients = x.empty() ? LogPoint{absent, absent} : mean_law(laws).at(scale);
  prediction.correlation = x.empty() ? absent : cross(x, y) / std::sqrt(cross(x, x) * cross(y, y));
  for (double& value : x) value = std::exp(value);
  for (double& value : y) value = std::exp(value);
  prediction.learning_rate = summarize(x);
  prediction.batch_tokens = summarize(y);
  return prediction;
}

double density_mode(std::span<const double> values) {
  DFSWEEP_EXPECT(!values.empty());
  constexpr int points = 1000;
  const auto n = static_cast<double>(values.size());
  const double bandwidth = std::sqrt(cross(values, values) / (n - 1.0)) * std::pow(n, -0.2);
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  double mode = *low;
  double highest = -1.0;
  for (int i = 0; i < points; ++i) {
    const double at = *low + (*high - *low) * i / (points - 1);
    double density = 0.0;
    for (const double value : values) {
      const double z = (at - value) / bandwidth;
      density += std::exp(-0.5 * z * z);
    }
    if (density > highest) {
      highest = density;
      mode = at;
    }
  }
  return mode;
}

}  // namespace dfsweep::law_fits
