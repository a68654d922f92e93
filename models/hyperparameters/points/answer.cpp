/// The answers of laws: sums of logarithms, and the curvature around the optimum.
#include "models/hyperparameters/points/answer.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "models/short_number.hpp"

namespace dfsweep::hyperparameters {

namespace {

constexpr double ln_six = 1.791759469228055;

/// Quantile of both tails of 2.5 %.
constexpr double tail_quantile = 1.959963984540054;

/// Decades by which a logarithm lies outside an interval of logarithms.
double decades_outside(const Interval& interval, double ln_value) {
  return std::max({interval.low - ln_value, ln_value - interval.high, 0.0}) / std::numbers::ln10;
}

/// The most decades by which N, Na or D is outside the range, 0 inside, NaN where the range is unknown.
double extrapolation_of(const std::optional<ScaleRange>& range, const ScaleLogs& logs) {
  if (!range) return absent;
  const auto ln = [&](ScaleLog quantity) { return logs[static_cast<std::size_t>(quantity)]; };
  return std::max({decades_outside(range->parameters, ln(ScaleLog::parameters)),
                   decades_outside(range->activated_parameters, ln(ScaleLog::activated)),
                   decades_outside(range->train_tokens, ln(ScaleLog::tokens))});
}

}  // namespace

ScaleLogs scale_logs(const Question& point, double activated) {
  const double flops = !is_given(point.flops_per_token) ? ln_six + activated : point.flops_per_token;
  return {point.parameters, activated, point.tokens, flops + point.tokens, point.loss};
}

std::optional<ScaleRange> logarithms(const std::optional<ScaleRange>& range) {
  if (!range) return std::nullopt;
  const auto ln = [](const Interval& interval) { return Interval{std::log(interval.low), std::log(interval.high)}; };
  return ScaleRange{ln(range->parameters), ln(range->activated_parameters), ln(range->train_tokens)};
}

Answer answer_to(const Question& point) {
  Answer answer;
  const double activated = !is_given(point.activated) ? point.parameters : point.activated;
  if (activated > point.parameters) {
    answer.status = Status::invalid;
    return answer;
  }
  const ScaleLogs logs = scale_logs(point, activated);
  if (!point.law->has_recipe()) {
    answer.extrapolation = extrapolation_of(*point.range, logs);
    return answer;
  }
  answer.optimum = point.law->at(logs);
  if (!std::isfinite(answer.optimum.x) || !std::isfinite(answer.optimum.y)) {
    answer.status = Status::no_law;
    return answer;
  }
  answer.extrapolation = extrapolation_of(*point.range, logs);
  if (!point.law->curvature) return answer;
  const Hessian& hessian = *point.law->curvature;
  const LogPoint chosen{!is_given(point.learning_rate) ? answer.optimum.x : point.learning_rate,
                        !is_given(point.batch_tokens) ? answer.optimum.y : point.batch_tokens};
  answer.loss_excess = loss_excess(hessian, answer.optimum, chosen);
  answer.plateau = plateau_rates(hessian, answer.optimum, chosen.y, std::exp(point.plateau_excess));
  answer.rate_at_batch = answer.optimum.x - hessian.xy / hessian.xx * (chosen.y - answer.optimum.y);
  return answer;
}

Losses losses_of(const Question& point, const Answer& answer) {
  Losses losses;
  if (answer.status != Status::ok || !point.law->loss) return losses;
  const SpreadLossLaw& law = *point.law->loss;
  const double least = law.law.at(std::exp(point.parameters), std::exp(point.tokens));
  losses.loss = is_given(answer.loss_excess) ? least * (1.0 + answer.loss_excess) : least;
  const double spread = std::exp(tail_quantile * law.spread);
  losses.low = losses.loss / spread;
  losses.high = losses.loss * spread;
  const LossPoint optimum = compute_optimum(law.law, std::exp(ln_six + point.parameters + point.tokens));
  // Exponents near 0 give a best model beyond all numbers.
  if (std::isfinite(optimum.parameters) && std::isfinite(optimum.train_tokens) && optimum.parameters > 0.0 &&
      optimum.train_tokens > 0.0)
    losses.optimum = optimum;
  return losses;
}

std::string reason_against(const Question& point, const Answer& answer) {
  if (answer.status == Status::invalid)
    return "activated_parameters " + short_number(std::exp(point.activated)) + " exceed parameters " +
           short_number(std::exp(point.parameters));
  if (!is_given(point.loss) && point.law->uses(ScaleLog::loss))
    return "the law depends on the final loss, but final_loss is not given";
  return "the learning rate of the law is not positive at this scale";
}

}  // namespace dfsweep::hyperparameters
