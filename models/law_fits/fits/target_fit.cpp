#include "models/law_fits/fits/target_fit.hpp"

#include <algorithm>
#include <cmath>

#include "models/absent.hpp"
#include "models/statistics/least_squares.hpp"

namespace dfsweep::law_fits {

namespace {

double rows(std::span<const TargetSums> groups) {
  double n = 0.0;
  for (const TargetSums& group : groups) n += group.n;
  return n;
}

/// Normal equations of the slopes with centred features and values, so that the intercept separates.
struct CentredEquations {
  std::vector<double> a;  ///< [slope][slope]
  std::vector<double> b;  ///< [slope]
  double square = 0.0;    ///< sum of squared values
};

CentredEquations centred_equations(std::span<const TargetSums> groups, const LawBasis& basis,
                                   const std::array<double, law_feature_count>& means, double mean) {
  const std::size_t slopes = basis.size() - 1;
  CentredEquations normal{std::vector<double>(slopes * slopes), std::vector<double>(slopes), 0.0};
  for (const TargetSums& group : groups) {
    const auto row = basis.row(group.features, means);
    const double offset = group.origin - mean;
    const double sum = group.sum + group.n * offset;
    normal.square += group.square + 2.0 * offset * group.sum + group.n * offset * offset;
    for (std::size_t i = 0; i < slopes; ++i) {
      normal.b[i] += row[i + 1] * sum;
      for (std::size_t j = 0; j <= i; ++j) normal.a[i * slopes + j] += group.n * row[i + 1] * row[j + 1];
    }
  }
  return normal;
}

/// Standard errors: residual_sd sqrt((A^-1)_ii), and of the intercept residual_sd sqrt(1/n + m' A^-1 m), m the means.
PowerLaw standard_errors(const TargetFit& fit, const std::vector<double>& inverse, const LawBasis& basis,
                         const std::array<double, law_feature_count>& means) {
  const std::size_t slopes = basis.size() - 1;
  PowerLaw error;
  double variance = 1.0 / fit.n;
  for (std::size_t i = 0; i < slopes; ++i) {
    error.exponent[basis.feature(i + 1)] = fit.residual_sd * std::sqrt(inverse[i * slopes + i]);
    for (std::size_t j = 0; j < slopes; ++j)
      variance += means[basis.feature(i + 1)] * inverse[i * slopes + j] * means[basis.feature(j + 1)];
  }
  error.intercept = fit.residual_sd * std::sqrt(variance);
  return error;
}

}  // namespace

TargetFit without_target(double n) {
  PowerLaw none;
  none.intercept = absent;
  none.exponent.fill(absent);
  return {none, none, n, absent};
}

std::array<double, law_feature_count> mean_features(std::span<const TargetSums> groups) {
  std::array<double, law_feature_count> means{};
  for (const TargetSums& group : groups)
    for (std::size_t f = 0; f < law_feature_count; ++f) means[f] += group.n * group.features[f];
  for (double& mean : means) mean /= rows(groups);
  return means;
}

double mean_value(std::span<const TargetSums> groups) {
  double sum = 0.0;
  for (const TargetSums& group : groups) sum += group.sum + group.n * group.origin;
  return sum / rows(groups);
}

FittedTarget fit_target(std::span<const TargetSums> groups, FeatureSet features) {
  const LawBasis basis(features);
  const double n = rows(groups);
  if (groups.size() < basis.size()) return {FitDefect::too_few_groups, without_target(n)};
  const auto means = mean_features(groups);
  const double mean = mean_value(groups);
  const CentredEquations normal = centred_equations(groups, basis, means, mean);
  const std::size_t slopes = basis.size() - 1;
  const std::vector<double> inverse = inverse_positive(normal.a, slopes);
  if (slopes > 0 && inverse.empty()) return {FitDefect::singular_design, without_target(n)};

  std::array<double, most_coefficients> coefficients{};
  double explained = 0.0;
  for (std::size_t i = 0; i < slopes; ++i) {
    for (std::size_t j = 0; j < slopes; ++j) coefficients[i + 1] += inverse[i * slopes + j] * normal.b[j];
    explained += coefficients[i + 1] * normal.b[i];
  }
  FittedTarget fitted;
  fitted.fit.n = n;
  fitted.fit.law = basis.law(coefficients, means, mean);
  fitted.fit.residual_sd =
      std::sqrt(std::max(0.0, normal.square - explained) / (n - static_cast<double>(basis.size())));
  fitted.fit.standard_error = standard_errors(fitted.fit, inverse, basis, means);
  return fitted;
}

}  // namespace dfsweep::law_fits
