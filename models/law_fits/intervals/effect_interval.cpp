#include "models/law_fits/intervals/effect_interval.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "models/absent.hpp"
#include "models/statistics/distributions.hpp"

namespace dfsweep::law_fits {

namespace {

/// The row (1, centred features).
std::vector<double> centred_row(const RandomEffectLaw& law, const TrainingScale& scale) {
  const auto values = features_of(scale);
  std::vector<double> row = {1.0};
  for (std::size_t f = 0; f < law_feature_count; ++f)
    if (law.features.has(static_cast<LawFeature>(f))) row.push_back(values[f] - law.centre[row.size()]);
  return row;
}

double quadratic_form(const std::vector<double>& matrix, const std::vector<double>& left,
                      const std::vector<double>& right) {
  double sum = 0.0;
  for (std::size_t i = 0; i < left.size(); ++i)
    for (std::size_t j = 0; j < right.size(); ++j) sum += left[i] * matrix[i * right.size() + j] * right[j];
  return sum;
}

}  // namespace

std::string_view name_of(EffectInterval method) {
  switch (method) {
    case EffectInterval::normal:
      return "random_effect_normal";
    case EffectInterval::student:
      return "random_effect_student";
    case EffectInterval::satterthwaite:
      return "random_effect_satterthwaite";
    case EffectInterval::kenward_roger:
      return "random_effect_kenward_roger";
    case EffectInterval::scaled:
      return "random_effect_scaled";
    case EffectInterval::scaled_at_least:
      return "random_effect_scaled_at_least";
  }
  return "";
}

EffectPrediction predict(const RandomEffectLaw& law, const TrainingScale& scale, double confidence,
                         EffectInterval method) {
  if (law.defect != FitDefect::none) return {absent, absent, absent, {absent, absent}, {absent, absent}};
  const std::vector<double> row = centred_row(law, scale);
  const double plain = quadratic_form(law.variance, row, row);
  const double slope = quadratic_form(law.tau2_slope, row, row);
  double own = plain;
  double degrees = law.degrees;
  switch (method) {
    case EffectInterval::normal:
      degrees = std::numeric_limits<double>::infinity();
      break;
    case EffectInterval::student:
      break;
    case EffectInterval::kenward_roger:
      own += quadratic_form(law.widening, row, row);
      [[fallthrough]];
    case EffectInterval::satterthwaite:
      degrees = 2.0 * plain * plain * law.tau2_information / (slope * slope);
      break;
    case EffectInterval::scaled:
      own *= law.scale;
      break;
    case EffectInterval::scaled_at_least:
      own *= std::max(1.0, law.scale);
      break;
  }
  const double variance = own + quadratic_form(law.shape_error, row, row);
  const double tail = 0.5 * (1.0 + confidence);
  const auto quantile = [tail](double nu) {
    return std::isfinite(nu) ? student_quantile(tail, nu) : normal_quantile(tail);
  };
  EffectPrediction out;
  out.value = law.law.at(features_of(scale));
  out.standard_error = std::sqrt(variance);
  out.degrees = degrees;
  const double half = quantile(degrees) * out.standard_error;
  out.interval = {out.value - half, out.value + half};
  const double group_half = quantile(law.degrees) * std::sqrt(variance + law.between_sd * law.between_sd);
  out.of_one_group = {out.value - group_half, out.value + group_half};
  return out;
}

TargetUncertainty uncertainty(const RandomEffectLaw& law, double confidence) {
  const std::size_t p = law.centre.size();
  const auto centred = [&](std::size_t i, std::size_t j) {
    return law.scale * law.variance[i * p + j] + law.shape_error[i * p + j];
  };
  // covariances of the intercept = value at the means - sum of exponent x mean
  std::vector<double> with_intercept(p);
  for (std::size_t i = 0; i < p; ++i) {
    with_intercept[i] = centred(i, 0);
    for (std::size_t j = 1; j < p; ++j) with_intercept[i] -= centred(i, j) * law.centre[j];
  }
  double of_intercept = with_intercept[0];
  for (std::size_t j = 1; j < p; ++j) of_intercept -= law.centre[j] * with_intercept[j];
  TargetUncertainty out{student_quantile(0.5 * (1.0 + confidence), law.degrees), {of_intercept}};
  for (std::size_t i = 1; i < p; ++i) {
    out.covariance.push_back(with_intercept[i]);
    for (std::size_t j = 1; j <= i; ++j) out.covariance.push_back(centred(i, j));
  }
  return out;
}

double variance_ratio(const RandomEffectLaw& law, const TrainingScale& target, const TrainingScale& added,
                      double added_variance) {
  if (law.defect != FitDefect::none) return absent;
  const std::vector<double> at = centred_row(law, target);
  const std::vector<double> with = centred_row(law, added);
  const double now = quadratic_form(law.variance, at, at);
  const double common = quadratic_form(law.variance, at, with);
  const double spread = law.between_sd * law.between_sd + added_variance + quadratic_form(law.variance, with, with);
  return 1.0 - common * common / (spread * now);
}

}  // namespace dfsweep::law_fits
