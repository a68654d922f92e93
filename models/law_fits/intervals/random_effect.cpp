#include "models/law_fits/intervals/random_effect.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "models/absent.hpp"
#include "models/expect.hpp"

namespace dfsweep::law_fits {

namespace {

constexpr double least_variance = 1e-20;  // keeps weights finite for runs without noise
constexpr int most_coefficients = static_cast<int>(law_feature_count) + 1;

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, most_coefficients, most_coefficients>;
using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most_coefficients, 1>;
using Design = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, Eigen::Dynamic, most_coefficients>;

/// The row (1, features).
Vector row_of(FeatureSet features, const TrainingScale& scale) {
  const auto values = features_of(scale);
  Vector row(static_cast<Eigen::Index>(features.size() + 1));
  row[0] = 1.0;
  Eigen::Index column = 1;
  for (std::size_t f = 0; f < law_feature_count; ++f)
    if (features.has(static_cast<LawFeature>(f))) row[column++] = values[f];
  return row;
}

/// Sums over groups of W^k x x', and the residuals of weighted least squares, for one tau^2.
struct EffectFit {
  Matrix variance;  ///< A
  Vector coefficients;
  Matrix second;       ///< X'W^2X
  Matrix third;        ///< X'W^3X
  double score = 0.0;  ///< twice the derivative of the restricted likelihood: y'PPy - tr P
  double trace = 0.0;  ///< tr PP, twice the Fisher information
  double scale = 0.0;  ///< q
  bool proper = false;
};

EffectFit weighted_fit(const Design& x, const Eigen::VectorXd& z, std::span<const double> variances, double tau2) {
  const Eigen::Index p = x.cols();
  EffectFit fit;
  Matrix normal = Matrix::Zero(p, p);
  Vector right = Vector::Zero(p);
  fit.second = Matrix::Zero(p, p);
  fit.third = Matrix::Zero(p, p);
  double weights = 0.0;
  double squares = 0.0;
  for (Eigen::Index g = 0; g < x.rows(); ++g) {
    const double w = 1.0 / (tau2 + variances[static_cast<std::size_t>(g)]);
    const Vector row = x.row(g).transpose();
    const Matrix product = row * row.transpose();
    normal += w * product;
    right += (w * z[g]) * row;
    fit.second += w * w * product;
    fit.third += w * w * w * product;
    weights += w;
    squares += w * w;
  }
  const Vector scaling = normal.diagonal().cwiseSqrt().cwiseInverse();
  const Matrix scaled = scaling.asDiagonal() * normal * scaling.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(scaled);
  fit.proper = scaling.allFinite() && eigen.eigenvalues()[0] > 1e-9;
  if (!fit.proper) return fit;
  fit.variance = scaling.asDiagonal() * eigen.eigenvectors() * eigen.eigenvalues().cwiseInverse().asDiagonal() *
                 eigen.eigenvectors().transpose() * scaling.asDiagonal();
  fit.coefficients = fit.variance * right;
  double weighted_squares = 0.0;
  double twice_weighted_squares = 0.0;
  for (Eigen::Index g = 0; g < x.rows(); ++g) {
    const double w = 1.0 / (tau2 + variances[static_cast<std::size_t>(g)]);
    const double residual = z[g] - x.row(g).dot(fit.coefficients);
    weighted_squares += w * residual * residual;
    twice_weighted_squares += w * w * residual * residual;
  }
  const Matrix spread = fit.variance * fit.second;
  fit.score = twice_weighted_squares - (weights - spread.trace());
  fit.trace = squares - 2.0 * (fit.variance * fit.third).trace() + (spread * spread).trace();
  fit.scale = weighted_squares / static_cast<double>(x.rows() - p);
  return fit;
}

/// Restricted maximum likelihood (REML) estimate of tau^2 >= 0 by Fisher scoring; NaN without convergence.
double restricted_tau2(const Design& x, const Eigen::VectorXd& z, std::span<const double> variances) {
  double mean_variance = 0.0;
  for (const double v : variances) mean_variance += v / static_cast<double>(variances.size());
  double tau2 = mean_variance;
  for (int iteration = 0; iteration < 500; ++iteration) {
    const EffectFit fit = weighted_fit(x, z, variances, tau2);
    if (!fit.proper) return absent;
    const double next = std::max(0.0, tau2 + fit.score / fit.trace);
    const double step = next - tau2;
    tau2 = next;
    if (std::fabs(step) <= 1e-12 * (tau2 + mean_variance)) return tau2;
  }
  return absent;
}

std::vector<double> values_of(const Matrix& matrix) {
  std::vector<double> values;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) values.push_back(matrix(i, j));
  return values;
}

/// Covariance of the coefficients due to the error of the shared loss shape: (A X'W R) C (A X'W R)'.
Matrix shape_error(const ScatteredOptima& optima, std::span<const double> variances, const Design& x,
                   const Matrix& variance, double tau2) {
  const Eigen::Index p = x.cols();
  if (optima.shape_responses.empty()) return Matrix::Zero(p, p);
  const Eigen::Index terms = static_cast<Eigen::Index>(optima.shape_responses.size()) / x.rows();
  Eigen::MatrixXd response = Eigen::MatrixXd::Zero(p, terms);
  for (Eigen::Index g = 0; g < x.rows(); ++g) {
    const double w = 1.0 / (tau2 + variances[static_cast<std::size_t>(g)]);
    for (Eigen::Index k = 0; k < terms; ++k)
      response.col(k) += w * optima.shape_responses[static_cast<std::size_t>(g * terms + k)] * x.row(g).transpose();
  }
  response = variance * response;
  const Eigen::Map<const Eigen::MatrixXd> shape(optima.shape_covariance.data(), terms, terms);
  return response * shape * response.transpose();
}

/// Converts coefficients of centred features into a law of raw features.
PowerLaw power_law(FeatureSet features, const Vector& coefficients, const std::vector<double>& centre) {
  PowerLaw law;
  law.intercept = coefficients[0];
  Eigen::Index column = 1;
  for (std::size_t f = 0; f < law_feature_count; ++f) {
    if (!features.has(static_cast<LawFeature>(f))) continue;
    law.exponent[f] = coefficients[column];
    law.intercept -= coefficients[column] * centre[static_cast<std::size_t>(column)];
    ++column;
  }
  return law;
}

RandomEffectLaw without_law(FitDefect defect, FeatureSet features, double groups) {
  RandomEffectLaw law;
  law.defect = defect;
  law.features = features;
  law.law.intercept = absent;
  law.law.exponent.fill(absent);
  law.standard_error = law.law;
  law.groups = groups;
  law.degrees = law.between_sd = law.scale = law.heterogeneity = law.tau2_information = absent;
  return law;
}

/// `covariance`: of the coefficients of centred features.
PowerLaw standard_errors(FeatureSet features, const Matrix& covariance, const std::vector<double>& centre) {
  const Eigen::Index p = covariance.rows();
  Vector intercept = Vector::Unit(p, 0);  // from centred to raw features
  for (Eigen::Index i = 1; i < p; ++i) intercept[i] = -centre[static_cast<std::size_t>(i)];
  PowerLaw out;
  out.intercept = std::sqrt(intercept.dot(covariance * intercept));
  Eigen::Index column = 1;
  for (std::size_t f = 0; f < law_feature_count; ++f) {
    if (!features.has(static_cast<LawFeature>(f))) continue;
    out.exponent[f] = std::sqrt(covariance(column, column));
    ++column;
  }
  return out;
}

}  // namespace

ScatteredOptima scattered_optima(const SelectedRuns& runs, std::span<const std::size_t> groups,
                                 const SharedSurface& surface, FeatureSet features, LawTarget target) {
  DFSWEEP_EXPECT(groups.size() == surface.groups.size());
  const bool of_lr = target == LawTarget::learning_rate;
  ScatteredOptima out;
  out.features = features;
  out.shape_covariance = surface.covariance;
  const std::size_t terms = shape_terms(surface.shape);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const LocatedOptimum& located = surface.groups[i];
    if (located.defect != FitDefect::none) continue;
    out.scales.push_back(runs.groups[groups[i]].scale);
    out.values.push_back(of_lr ? located.optimum.x : located.optimum.y);
    out.variances.push_back(of_lr ? located.covariance.xx : located.covariance.yy);
    for (std::size_t k = 0; k < terms; ++k)
      out.shape_responses.push_back(of_lr ? located.shape_response[k].x : located.shape_response[k].y);
  }
  return out;
}

RandomEffectLaw fit_random_effect(const ScatteredOptima& optima) {
  std::vector<double> variances = optima.variances;
  for (double& v : variances) v = std::max(v, least_variance);
  const std::size_t n = optima.values.size();
  const std::size_t p = optima.features.size() + 1;
  const auto groups = static_cast<double>(n);
  if (n < p + 1) return without_law(FitDefect::too_few_groups, optima.features, groups);
  Design x(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(p));
  Eigen::VectorXd z(static_cast<Eigen::Index>(n));
  for (std::size_t g = 0; g < n; ++g) {
    const auto row = static_cast<Eigen::Index>(g);
    x.row(row) = row_of(optima.features, optima.scales[g]).transpose();
    z[row] = optima.values[g];
  }
  RandomEffectLaw out;
  out.features = optima.features;
  out.groups = groups;
  out.degrees = static_cast<double>(n - p);
  out.centre.assign(p, 0.0);
  for (std::size_t i = 1; i < p; ++i) {
    const auto column = static_cast<Eigen::Index>(i);
    out.centre[i] = x.col(column).mean();
    x.col(column).array() -= out.centre[i];
  }
  const double tau2 = restricted_tau2(x, z, variances);
  if (!is_given(tau2)) {
    const bool singular = !weighted_fit(x, z, variances, 0.0).proper;
    return without_law(singular ? FitDefect::singular_design : FitDefect::not_converged, optima.features, groups);
  }
  const EffectFit fit = weighted_fit(x, z, variances, tau2);
  const EffectFit fixed = weighted_fit(x, z, variances, 0.0);
  out.law = power_law(optima.features, fit.coefficients, out.centre);
  out.between_sd = std::sqrt(tau2);
  out.scale = fit.scale;
  out.heterogeneity = std::max(0.0, 1.0 - 1.0 / fixed.scale);
  out.tau2_information = 0.5 * fit.trace;
  out.variance = values_of(fit.variance);
  const Matrix slope = fit.variance * fit.second * fit.variance;
  out.tau2_slope = values_of(slope);
  // Kenward and Roger (1997) for one linear variance component: 2 var(tau^2) A (Q - P'AP) A, P = -X'W^2X, Q = X'W^3X.
  const Matrix inner = fit.third - fit.second * fit.variance * fit.second;
  out.widening = values_of((2.0 / out.tau2_information) * fit.variance * inner * fit.variance);
  const Matrix common = shape_error(optima, variances, x, fit.variance, tau2);
  out.shape_error = values_of(common);
  out.standard_error = standard_errors(optima.features, fit.scale * fit.variance + common, out.centre);
  return out;
}

}  // namespace dfsweep::law_fits
