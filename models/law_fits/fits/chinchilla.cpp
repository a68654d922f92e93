#include "models/law_fits/fits/chinchilla.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "models/absent.hpp"
#include "models/statistics/least_squares.hpp"

namespace dfsweep::law_fits {

namespace {

constexpr double delta = 1e-3;

double huber(double residual) {
  const double size = std::abs(residual);
  return size <= delta ? 0.5 * residual * residual : delta * (size - 0.5 * delta);
}

/// Whether E is fitted.
enum class Irreducible : std::uint8_t { fitted, fixed };

/// Centred points, so that prefactors and exponents are uncorrelated:
/// L = E + exp(a - alpha n) + exp(b - beta d), n and d relative to the means.
class CentredPoints {
 public:
  struct Law {
    double irreducible = 0.0;
    double a = 0.0;
    double b = 0.0;
    double alpha = 0.0;
    double beta = 0.0;
  };

  explicit CentredPoints(std::span<const LossPoint> points) {
    for (const LossPoint& point : points) {
      mean_n_ += std::log(point.parameters) / static_cast<double>(points.size());
      mean_d_ += std::log(point.train_tokens) / static_cast<double>(points.size());
    }
    for (const LossPoint& point : points)
      points_.push_back({std::log(point.parameters) - mean_n_, std::log(point.train_tokens) - mean_d_,
                         std::log(point.loss), point.loss});
  }

  [[nodiscard]] LossLaw raw(const Law& law) const {
    return {law.irreducible, law.a + law.alpha * mean_n_, law.b + law.beta * mean_d_, law.alpha, law.beta};
  }

  [[nodiscard]] double objective(const Law& law) const {
    if (law.irreducible < 0.0) return std::numeric_limits<double>::infinity();
    double sum = 0.0;
    for (const Point& point : points_)
      sum += huber(
          std::log(law.irreducible + std::exp(law.a - law.alpha * point.n) + std::exp(law.b - law.beta * point.d)) -
          point.ln_loss);
    return sum;
  }

  /// Start values of the prefactors for given E and exponents: both terms are equal at the mean.
  [[nodiscard]] Law start(double irreducible, double alpha, double beta) const {
    double rest = 0.0;
    for (const Point& point : points_) rest += (point.loss - irreducible) / static_cast<double>(points_.size());
    const double half = std::log(0.5 * rest);
    return {irreducible, half, half, alpha, beta};
  }

  /// Iteratively reweighted least squares with Levenberg damping; a residual r has the weight min(1, delta / |r|).
  void minimise(Law& law, Irreducible irreducible, std::size_t iterations) const {
    double here = objective(law);
    double damping = 1e-4;
    for (std::size_t i = 0; i < iterations && damping < 1e12; ++i) {
      const Law moved = step(law, irreducible, damping);
      const double there = objective(moved);
      if (there < here) {
        const bool settled = here - there < 1e-13 * here;
        law = moved;
        here = there;
        damping = std::max(1e-9, 0.2 * damping);
        if (settled) return;
      } else {
        damping *= 10.0;
      }
    }
  }

 private:
  struct Point {
    double n = 0.0;
    double d = 0.0;
    double ln_loss = 0.0;
    double loss = 0.0;
  };

  [[nodiscard]] Law step(const Law& law, Irreducible irreducible, double damping) const {
    std::array<double, 15> a{};
    std::array<double, 5> b{};
    for (const Point& point : points_) {
      const double of_n = std::exp(law.a - law.alpha * point.n);
      const double of_d = std::exp(law.b - law.beta * point.d);
      const double loss = law.irreducible + of_n + of_d;
      const double residual = std::log(loss) - point.ln_loss;
      const double weight = std::min(1.0, delta / std::abs(residual));
      const double of_e = irreducible == Irreducible::fitted ? 1.0 / loss : 0.0;
      const std::array<double, 5> slope = {of_e, of_n / loss, of_d / loss, -point.n * of_n / loss,
                                           -point.d * of_d / loss};
      for (std::size_t i = 0; i < 5; ++i) {
        b[i] -= weight * slope[i] * residual;
        for (std::size_t j = 0; j <= i; ++j) a[i * (i + 1) / 2 + j] += weight * slope[i] * slope[j];
      }
    }
    for (std::size_t i = 0; i < 5; ++i) a[i * (i + 3) / 2] += damping * a[i * (i + 3) / 2] + 1e-300;
    (void)solve_packed<5>(a, b);  // a bad step raises the objective and increases the damping
    return {std::max(0.0, law.irreducible + b[0]), law.a + b[1], law.b + b[2], law.alpha + b[3], law.beta + b[4]};
  }

  std::vector<Point> points_;
  double mean_n_ = 0.0;
  double mean_d_ = 0.0;
};

using Law = CentredPoints::Law;

struct Candidate {
  Law law;
  double objective = 0.0;
};

void polish(const CentredPoints& points, Candidate& candidate, Irreducible irreducible, std::size_t iterations) {
  points.minimise(candidate.law, irreducible, iterations);
  candidate.objective = points.objective(candidate.law);
}

/// Multistart: a few iterations from each start, then the best one to convergence.
Candidate global_minimum(const CentredPoints& points, double least_loss) {
  std::vector<Candidate> candidates;
  for (const double share : {0.0, 0.3, 0.6, 0.85})
    for (const double alpha : {0.05, 0.15, 0.4})
      for (const double beta : {0.1, 0.3, 0.6}) {
        candidates.push_back({points.start(share * least_loss, alpha, beta), 0.0});
        polish(points, candidates.back(), Irreducible::fitted, 40);
      }
  constexpr std::size_t finalists = 4;
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.objective < b.objective; });
  candidates.resize(finalists);
  for (Candidate& candidate : candidates) polish(points, candidate, Irreducible::fitted, 3000);
  Candidate without = candidates.front();
  without.law.irreducible = 0.0;
  polish(points, without, Irreducible::fixed, 3000);
  candidates.push_back(without);
  return *std::min_element(candidates.begin(), candidates.end(),
                           [](const Candidate& a, const Candidate& b) { return a.objective < b.objective; });
}

/// Largest shift of E, in multiples of `step`, at which the objective stays within `bound`.
double reach(const CentredPoints& points, const Law& best, double step, double bound, double end) {
  Candidate candidate{best, 0.0};
  double reached = best.irreducible;
  while (reached != end) {
    const double next = step > 0.0 ? std::min(end, reached + step) : std::max(end, reached + step);
    candidate.law.irreducible = next;
    polish(points, candidate, Irreducible::fixed, 200);
    if (candidate.objective > bound) break;
    reached = next;
  }
  return reached;
}

}  // namespace

double loss_law_objective(const LossLaw& law, std::span<const LossPoint> points) {
  double sum = 0.0;
  for (const LossPoint& point : points)
    sum += huber(std::log(law.at(point.parameters, point.train_tokens)) - std::log(point.loss));
  return sum;
}

LossLawFit fit_loss_law(std::span<const LossPoint> points) {
  constexpr std::size_t fewest_points = 6;
  if (points.size() < fewest_points)
    return {FitDefect::too_few_groups,
            {absent, absent, absent, absent, absent},
            absent,
            absent,
            absent,
            absent,
            absent,
            false};
  const CentredPoints centred(points);
  double least = std::numeric_limits<double>::infinity();
  for (const LossPoint& point : points) least = std::min(least, point.loss);
  const Candidate best = global_minimum(centred, least);

  LossLawFit fit;
  fit.law = centred.raw(best.law);
  fit.objective = best.objective;
  const auto count = static_cast<double>(points.size());
  for (const LossPoint& point : points) {
    const double residual = fit.law.at(point.parameters, point.train_tokens) / point.loss - 1.0;
    fit.max_residual = std::max(fit.max_residual, std::abs(residual));
    fit.rms_residual += residual * residual / count;
  }
  fit.rms_residual = std::sqrt(fit.rms_residual);
  const double bound = best.objective * (1.0 + 3.84 / (count - 5.0));
  fit.irreducible_low = reach(centred, best.law, -0.02 * least, bound, 0.0);
  fit.irreducible_high = reach(centred, best.law, 0.02 * least, bound, 0.98 * least);
  fit.identifiable = fit.irreducible_high - fit.irreducible_low < 0.2 * least;
  return fit;
}

std::vector<LossPoint> least_losses(const SelectedRuns& runs, std::span<const std::size_t> groups) {
  std::vector<LossPoint> points;
  for (const std::size_t g : groups) {
    const SelectedGroup& group = runs.groups[g];
    points.push_back({group.key.parameters, group.key.train_tokens, group.minimum.loss});
  }
  return points;
}

std::vector<LossPoint> fitted_losses(const SelectedRuns& runs, std::span<const std::size_t> groups,
                                     std::span<const QuadraticSurface> surfaces) {
  std::vector<LossPoint> points;
  for (const std::size_t g : groups) {
    const SelectedGroup& group = runs.groups[g];
    if (surfaces[g].defect == FitDefect::none)
      points.push_back({group.key.parameters, group.key.train_tokens, std::exp(surfaces[g].minimum)});
  }
  return points;
}

}  // namespace dfsweep::law_fits
