#include "models/calibration/fit.hpp"

#include <Eigen/Core>
#include <cmath>
#include <limits>
#include <memory>
#include <new>
#include <unsupported/Eigen/LevenbergMarquardt>

#include "models/calibration/layout.hpp"
#include "models/calibration/predictions.hpp"
#include "models/calibration/robust_loss.hpp"
#include "models/expect.hpp"
#include "models/statistics/random.hpp"

namespace dfsweep::calibration {

namespace {

/// Values of all unknowns and factors, including fixed ones.
struct Place {
  std::vector<double> values, factors;
};

/// The objective as residuals whose squares are its terms: first the rows with weight, then the variables.
class Terms : public Eigen::DenseFunctor<double> {
 public:
  /// `resting`: [unknown] values of the fixed unknowns.
  Terms(const CalibrationProblem& problem, const Layout& layout, std::vector<double> resting,
        std::span<const double> kept_slopes)
      : DenseFunctor(static_cast<int>(layout.variables()), static_cast<int>(layout.rows.size() + layout.variables())),
        problem_(problem),
        layout_(layout),
        kept_slopes_(kept_slopes),
        resting_(std::move(resting)) {}

  int operator()(const InputType& variables, ValueType& terms) {
    const Place place = place_of(variables);
    const std::vector<double>& predictions = predictions_at(variables, place);
    for (std::size_t i = 0; i < layout_.rows.size(); ++i)
      terms[static_cast<Eigen::Index>(i)] = root_weight(i) * error_of(i, predictions, place).root();
    terms.tail(variables.size()) = variables;
    return 0;
  }

  int df(const InputType& variables, JacobianType& slopes) {
    const Place place = place_of(variables);
    const std::vector<double>& predictions = predictions_at(variables, place);
    std::vector<double> fresh;
    if (kept_slopes_.empty()) fresh = quantity_slopes(problem_, place.values, predictions);
    const auto rows = static_cast<Eigen::Index>(layout_.rows.size());
    slopes.setZero();
    slopes.topRows(rows) = variable_slopes(
        problem_, layout_, kept_slopes_.empty() ? std::span<const double>(fresh) : kept_slopes_, predictions);
    for (std::size_t i = 0; i < layout_.rows.size(); ++i)
      slopes.row(static_cast<Eigen::Index>(i)) *=
          root_weight(i) * error_of(i, predictions, place).root_slope() / problem_.loss_scale;
    slopes.bottomRows(variables.size()).setIdentity();
    return 0;
  }

  [[nodiscard]] Place place_of(const InputType& variables) const {
    Place place{resting_, std::vector<double>(problem_.group_count, 0.0)};
    Eigen::Index at = 0;
    for (const std::size_t k : layout_.unknowns) place.values[k] = problem_.unknowns[k].spread * variables[at++];
    for (const std::size_t group : layout_.groups) place.factors[group] = problem_.group_spread * variables[at++];
    return place;
  }

 private:
  /// Reuses predictions, because slopes are usually computed at the variables of the last evaluation.
  const std::vector<double>& predictions_at(const InputType& variables, const Place& place) {
    if (last_predictions_.empty() || variables != last_variables_) {
      last_predictions_ = log_predictions(problem_, place.values);
      last_variables_ = variables;
    }
    return last_predictions_;
  }

  [[nodiscard]] double root_weight(std::size_t i) const {
    return std::sqrt(layout_.weights[static_cast<Eigen::Index>(i)]);
  }

  [[nodiscard]] RobustError error_of(std::size_t i, std::span<const double> predictions, const Place& place) const {
    const std::size_t row = layout_.rows[i];
    if (!std::isfinite(predictions[row])) return {error_without_prediction, problem_.loss_scale};
    const double factor = layout_.groups.empty() ? 0.0 : place.factors[problem_.groups[row]];
    return {predictions[row] - problem_.observed[row] + factor, problem_.loss_scale};
  }

  const CalibrationProblem& problem_;
  const Layout& layout_;
  std::span<const double> kept_slopes_;
  std::vector<double> resting_;
  InputType last_variables_;
  std::vector<double> last_predictions_;
};

Eigen::VectorXd given_start(const CalibrationProblem& problem, const Layout& layout, std::span<const double> start) {
  Eigen::VectorXd variables = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(layout.variables()));
  if (start.empty()) return variables;
  Eigen::Index at = 0;
  for (const std::size_t k : layout.unknowns) variables[at++] = start[k] / problem.unknowns[k].spread;
  for (const std::size_t group : layout.groups)
    variables[at++] = start[problem.unknowns.size() + group] / problem.group_spread;
  return variables;
}

/// Start `number` > 0: unknowns drawn from the prior, factors at 0. Draws of unknowns are independent of each other.
Eigen::VectorXd drawn_start(const Layout& layout, std::uint64_t seed, std::uint64_t number) {
  Eigen::VectorXd variables = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(layout.variables()));
  const CounterRandom random(seed);
  for (std::size_t j = 0; j < layout.unknowns.size(); ++j)
    variables[static_cast<Eigen::Index>(j)] = normal_draw(random, (number << 32) + layout.unknowns[j]);
  return variables;
}

struct Minimum {
  Eigen::VectorXd variables;
  double objective = std::numeric_limits<double>::infinity();
  bool converged = false;
};

Minimum minimum_from(Terms& terms, Eigen::VectorXd variables, int steps) {
  using namespace Eigen::LevenbergMarquardtSpace;
  Eigen::VectorXd at_start(terms.values());
  if (variables.size() == 0) {
    terms(variables, at_start);
    return {variables, at_start.squaredNorm(), true};
  }
  auto search = std::make_unique<Eigen::LevenbergMarquardt<Terms>>(terms);
  search->setFtol(1e-12);
  search->setXtol(1e-10);
  Status status = Running;
  try {
    DFSWEEP_EXPECT(search->minimizeInit(variables) != ImproperInputParameters);
    for (int step = 0; step < steps && status == Running; ++step) status = search->minimizeOneStep(variables);
  } catch (const std::bad_alloc&) {
    // A matrix of Eigen 3.4 that cannot be resized keeps the pointer that it has freed, and would free it again.
    static_cast<void>(search.release());
    throw;
  }
  const double norm = search->fnorm();
  return {std::move(variables), norm * norm, status != Running && status != TooManyFunctionEvaluation};
}

}  // namespace

Fit fit(const CalibrationProblem& problem, std::span<const double> weights, const FitOptions& options) {
  DFSWEEP_EXPECT(options.steps >= 0 && options.starts >= 1 && options.first_start >= 0);
  DFSWEEP_EXPECT(options.start.empty() || options.start.size() == problem.unknowns.size() + problem.group_count);
  DFSWEEP_EXPECT(options.held == no_unknown || !options.start.empty());
  Layout layout = layout_of(problem, weights, options.fitted);
  std::vector<double> resting(problem.unknowns.size(), 0.0);
  if (options.held != no_unknown) {
    std::erase(layout.unknowns, options.held);
    resting[options.held] = options.start[options.held];
  }
  Terms terms(problem, layout, std::move(resting), options.slopes);
  const auto minimum_of = [&](int start) {
    return minimum_from(terms,
                        start == 0 ? given_start(problem, layout, options.start)
                                   : drawn_start(layout, options.seed, static_cast<std::uint64_t>(start)),
                        options.steps);
  };
  Minimum best = minimum_of(options.first_start);
  for (int start = options.first_start + 1; start < options.first_start + options.starts; ++start) {
    Minimum other = minimum_of(start);
    if (other.objective < best.objective) best = std::move(other);
  }
  Place place = terms.place_of(best.variables);
  std::vector<double> errors = log_errors(problem, log_predictions(problem, place.values));
  return {std::move(place.values), std::move(place.factors), std::move(errors), best.objective, best.converged};
}

std::vector<double> start_from(const Fit& fit) {
  std::vector<double> start = fit.values;
  start.insert(start.end(), fit.factors.begin(), fit.factors.end());
  return start;
}

}  // namespace dfsweep::calibration
