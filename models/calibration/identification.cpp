#include "models/calibration/identification.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "models/calibration/layout.hpp"
#include "models/calibration/predictions.hpp"
#include "models/calibration/robust_loss.hpp"
#include "models/expect.hpp"

namespace dfsweep::calibration {

namespace {

constexpr double held_at = 2.0;       // spreads from the optimum
constexpr double twin_above = 0.95;   // correlation
constexpr double equal_rises = 1e-6;  // relative tolerance for rounding

/// The problem linearised around one fit, in units of spreads; rows have the robust weights of this fit.
class LinearProblem {
 public:
  LinearProblem(const CalibrationProblem& problem, const Layout& layout, const Fit& at, const FitOptions& options)
      : layout_(layout), loss_scale_(problem.loss_scale), moving_(layout.variables(), true) {
    const std::vector<double> predictions = log_predictions(problem, at.values);
    std::vector<double> by_quantity(options.slopes.begin(), options.slopes.end());
    if (by_quantity.empty()) by_quantity = quantity_slopes(problem, at.values, predictions);
    slopes_ = variable_slopes(problem, layout, by_quantity, predictions);

    Eigen::VectorXd place(slopes_.cols());
    Eigen::Index variable = 0;
    for (const std::size_t k : layout.unknowns) place[variable++] = at.values[k] / problem.unknowns[k].spread;
    for (const std::size_t group : layout.groups) place[variable++] = at.factors[group] / problem.group_spread;
    errors_at_zero_.resize(slopes_.rows());
    row_weights_.resize(slopes_.rows());
    for (std::size_t i = 0; i < layout.rows.size(); ++i) {
      const std::size_t row = layout.rows[i];
      const double factor =
          layout.groups.empty() || !std::isfinite(predictions[row]) ? 0.0 : at.factors[problem.groups[row]];
      const double error = at.log_errors[row] + factor;
      const auto place_of_row = static_cast<Eigen::Index>(i);
      errors_at_zero_[place_of_row] = error - slopes_.row(place_of_row).dot(place);
      const double u = error / loss_scale_;
      row_weights_[place_of_row] = layout.weights[place_of_row] / (std::sqrt(1.0 + u * u) * loss_scale_ * loss_scale_);
    }
    curvature_ = slopes_.transpose() * row_weights_.asDiagonal() * slopes_;
    pull_ = -slopes_.transpose() * row_weights_.cwiseProduct(errors_at_zero_);
  }

  /// Variables that are still fitted.
  [[nodiscard]] std::vector<Eigen::Index> moving() const {
    std::vector<Eigen::Index> of;
    for (std::size_t j = 0; j < moving_.size(); ++j)
      if (moving_[j]) of.push_back(static_cast<Eigen::Index>(j));
    return of;
  }

  /// Covariance of the variables `of`. Column j over its diagonal element gives the shifts of all variables when
  /// variable j is displaced from the optimum.
  [[nodiscard]] Eigen::MatrixXd covariance_of(std::span<const Eigen::Index> of) const {
    const auto count = static_cast<Eigen::Index>(of.size());
    Eigen::MatrixXd left = curvature_(of, of);
    left.diagonal().array() += 1.0;
    return left.llt().solve(Eigen::MatrixXd::Identity(count, count));
  }

  /// [index into unknowns] The lower rise of each fitted unknown; infinite for the others.
  [[nodiscard]] std::vector<double> rises() const {
    const std::vector<Eigen::Index> of = moving();
    const auto count = static_cast<Eigen::Index>(of.size());
    const Eigen::MatrixXd covariance = covariance_of(of);
    const Eigen::VectorXd optimum = covariance * pull_(of);
    const Eigen::MatrixXd slopes = slopes_(Eigen::all, of);
    const double least = likelihood(slopes, of, optimum);

    std::vector<double> rises(layout_.unknowns.size(), std::numeric_limits<double>::infinity());
    for (Eigen::Index j = 0; j < count; ++j) {
      const auto unknown = static_cast<std::size_t>(of[static_cast<std::size_t>(j)]);
      if (unknown >= rises.size()) break;  // the rest are factors
      for (const double side : {-held_at, held_at}) {
        const Eigen::VectorXd beside = optimum + covariance.col(j) * (side / covariance(j, j));
        rises[unknown] = std::min(rises[unknown], likelihood(slopes, of, beside) - least);
      }
    }
    return rises;
  }

  void drop(std::size_t unknown) { moving_[unknown] = false; }
  [[nodiscard]] bool moves(std::size_t unknown) const { return moving_[unknown]; }

  /// Uncentred correlation of the slopes of two unknowns; 0 where one has only zero slopes.
  [[nodiscard]] double correlation(std::size_t a, std::size_t b) const {
    const auto i = static_cast<Eigen::Index>(a);
    const auto j = static_cast<Eigen::Index>(b);
    const double sizes = std::sqrt(curvature_(i, i) * curvature_(j, j));
    return sizes > 0.0 ? curvature_(i, j) / sizes : 0.0;
  }

 private:
  [[nodiscard]] double likelihood(const Eigen::MatrixXd& slopes, std::span<const Eigen::Index> of,
                                  const Eigen::VectorXd& variables) const {
    const Eigen::VectorXd errors = errors_at_zero_ + slopes * variables;
    double sum = 0.0;
    for (Eigen::Index i = 0; i < errors.size(); ++i)
      sum += layout_.weights[i] * RobustError(errors[i], loss_scale_).loss();
    for (std::size_t j = 0; j < of.size(); ++j)
      if (of[j] >= static_cast<Eigen::Index>(layout_.unknowns.size())) {
        const double factor = variables[static_cast<Eigen::Index>(j)];
        sum += factor * factor;
      }
    return sum;
  }

  const Layout& layout_;
  double loss_scale_;
  std::vector<bool> moving_;  ///< [variable]
  Eigen::MatrixXd slopes_, curvature_;
  Eigen::VectorXd errors_at_zero_, row_weights_, pull_;
};

/// Index of the least rise; the last on ties.
std::size_t least_of(std::span<const double> rises) {
  std::size_t least = 0;
  for (std::size_t j = 1; j < rises.size(); ++j)
    if (rises[j] <= rises[least] + equal_rises) least = j;
  return least;
}

void find_twins(const LinearProblem& linear, std::span<const std::size_t> unknowns, std::span<Identification> out) {
  for (std::size_t a = 0; a < unknowns.size(); ++a) {
    Identification& of = out[unknowns[a]];
    for (std::size_t b = 0; b < unknowns.size(); ++b) {
      const double correlation = a == b ? 0.0 : linear.correlation(a, b);
      if (std::abs(correlation) <= std::abs(of.twin_correlation)) continue;
      of.twin_correlation = correlation;
      of.twin = std::abs(correlation) > twin_above ? unknowns[b] : no_twin;
    }
  }
}

void drop_by_linearised_profiles(LinearProblem& linear, std::span<const std::size_t> unknowns,
                                 std::span<Identification> out) {
  for (std::size_t left = unknowns.size(); left > 0; --left) {
    const std::vector<double> rises = linear.rises();
    for (std::size_t j = 0; j < unknowns.size(); ++j)
      if (linear.moves(j)) out[unknowns[j]].rise = rises[j];
    const std::size_t least = least_of(rises);
    if (rises[least] >= rise_of_identified) return;
    linear.drop(least);
    out[unknowns[least]].identified = false;
  }
}

/// The prior terms of unknowns in the objective.
double prior_part(const CalibrationProblem& problem, const Fit& fit, std::span<const std::size_t> unknowns) {
  double sum = 0.0;
  for (const std::size_t k : unknowns) {
    const double distance = fit.values[k] / problem.unknowns[k].spread;
    sum += distance * distance;
  }
  return sum;
}

bool has_prediction_where(const CalibrationProblem& problem, std::span<const double> values, const Fit& optimum) {
  const std::vector<double> here = log_predictions(problem, optimum.values);
  const std::vector<double> there = log_predictions(problem, values);
  for (std::size_t row = 0; row < here.size(); ++row)
    if (std::isfinite(here[row]) && !std::isfinite(there[row])) return false;
  return true;
}

/// Exact profiles around one optimum. Refits start at the prediction of the linearised profile.
class ExactProfiles {
 public:
  ExactProfiles(const CalibrationProblem& problem, std::span<const double> weights, const Fit& optimum,
                const FitOptions& options)
      : problem_(problem),
        weights_(weights),
        optimum_(optimum),
        options_(options),
        layout_(layout_of(problem, weights, options.fitted)),
        least_(optimum.objective - prior_part(problem, optimum, layout_.unknowns)) {
    const LinearProblem linear(problem, layout_, optimum, options);
    covariance_ = linear.covariance_of(linear.moving());
  }

  /// The lower of the rises on both sides.
  [[nodiscard]] double rise(std::size_t unknown) const {
    std::vector<std::size_t> others = layout_.unknowns;
    std::erase(others, unknown);
    FitOptions held = options_;
    held.held = unknown;
    held.starts = 1;
    double rise = std::numeric_limits<double>::infinity();
    for (const double side : {-held_at, held_at}) {
      const std::vector<double> start = start_beside(unknown, side);
      held.start = start;
      const Fit beside = fit(problem_, weights_, held);
      rise = std::min(rise, beside.objective - prior_part(problem_, beside, others) - least_);
    }
    return rise;
  }

 private:
  [[nodiscard]] std::vector<double> start_beside(std::size_t unknown, double side) const {
    std::vector<double> start = start_from(optimum_);
    const std::vector<double> near = start;
    const auto found = std::lower_bound(layout_.unknowns.begin(), layout_.unknowns.end(), unknown);
    const auto j = static_cast<Eigen::Index>(found - layout_.unknowns.begin());
    const Eigen::VectorXd move = covariance_.col(j) * (side / covariance_(j, j));
    Eigen::Index at = 0;
    for (const std::size_t k : layout_.unknowns) start[k] += problem_.unknowns[k].spread * move[at++];
    for (const std::size_t group : layout_.groups)
      start[problem_.unknowns.size() + group] += problem_.group_spread * move[at++];
    if (has_prediction_where(problem_, std::span(start).first(problem_.unknowns.size()), optimum_)) return start;
    std::vector<double> alone = near;  // the others stay fixed
    alone[unknown] = start[unknown];
    return alone;
  }

  const CalibrationProblem& problem_;
  std::span<const double> weights_;
  const Fit& optimum_;
  FitOptions options_;
  Layout layout_;
  double least_;
  Eigen::MatrixXd covariance_;
};

/// Exact profiles of the unknowns left by the linearised ones. An unknown with enough rise is not tested again, because
/// dropping another unknown can only increase its rise.
void drop_by_exact_profiles(const CalibrationProblem& problem, std::span<const double> weights, const Fit& full,
                            const FitOptions& options, int steps, std::span<Identification> out) {
  std::vector<std::size_t> doubtful;
  for (std::size_t k = 0; k < out.size(); ++k)
    if (out[k].identified) doubtful.push_back(k);
  std::vector<double> start = start_from(full);
  while (!doubtful.empty()) {
    const std::vector<std::uint8_t> fitted = fitted_of(out);
    FitOptions warm = options;
    warm.fitted = fitted;
    warm.start = start;
    warm.starts = 1;
    const Fit optimum = fit(problem, weights, warm);
    start = start_from(optimum);
    warm.start = start;
    warm.steps = steps;
    const ExactProfiles profiles(problem, weights, optimum, warm);
    std::vector<double> rises;
    for (const std::size_t k : doubtful) rises.push_back(profiles.rise(k));
    for (std::size_t j = 0; j < doubtful.size(); ++j) out[doubtful[j]].rise = rises[j];
    const std::size_t least = least_of(rises);
    if (rises[least] >= rise_of_identified) return;
    out[doubtful[least]].identified = false;
    std::vector<std::size_t> still;
    for (std::size_t j = 0; j < doubtful.size(); ++j)
      if (j != least && rises[j] < rise_of_identified) still.push_back(doubtful[j]);
    doubtful = std::move(still);
  }
}

}  // namespace

double profile_rise(const CalibrationProblem& problem, std::span<const double> weights, const Fit& optimum,
                    std::size_t unknown, const FitOptions& options) {
  return ExactProfiles(problem, weights, optimum, options).rise(unknown);
}

std::vector<Identification> identified_unknowns(const CalibrationProblem& problem, std::span<const double> weights,
                                                const FitOptions& options, Profile profile, int profile_steps) {
  std::vector<Identification> unknowns(problem.unknowns.size());
  const Layout layout = layout_of(problem, weights, options.fitted);
  for (const std::size_t k : layout.unknowns) unknowns[k].identified = true;
  const Fit full = fit(problem, weights, options);
  LinearProblem linear(problem, layout, full, options);
  find_twins(linear, layout.unknowns, unknowns);
  drop_by_linearised_profiles(linear, layout.unknowns, unknowns);
  if (profile == Profile::exact) drop_by_exact_profiles(problem, weights, full, options, profile_steps, unknowns);
  return unknowns;
}

std::vector<std::uint8_t> fitted_of(std::span<const Identification> unknowns) {
  std::vector<std::uint8_t> fitted(unknowns.size());
  std::transform(unknowns.begin(), unknowns.end(), fitted.begin(),
                 [](const Identification& of) { return of.identified ? std::uint8_t{1} : std::uint8_t{0}; });
  return fitted;
}

}  // namespace dfsweep::calibration
