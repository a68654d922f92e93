#include "models/whole_run/run_law.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dfsweep::whole_run {

namespace {

const double least_ln_tokens = std::log(1e6);
const double most_ln_tokens = std::log(1e24);
constexpr double ln_token_step = 0.25;
constexpr int bisections = 60;

ScaleLogs logs_of(const RunScale& scale, double ln_tokens) {
  return {scale.ln_parameters, scale.ln_activated, ln_tokens, scale.ln_flop + ln_tokens, absent};
}

LogPoint chosen_point(const RunScale& scale, LogPoint best) {
  return {is_given(scale.ln_rate) ? scale.ln_rate : best.x, scale.ln_batch};
}

double half_quadratic(const Hessian& h, double dx, double dy) {
  return 0.5 * (h.xx * dx * dx + 2.0 * h.xy * dx * dy + h.yy * dy * dy);
}

/// Least 0.5 d' H d over the box of d = point - optimum.
double least_in_box(const Hessian& h, const Interval& x, const Interval& y) {
  if (x.covers(0.0) && y.covers(0.0)) return 0.0;
  double least = std::numeric_limits<double>::infinity();
  for (const double dx : {x.low, x.high})
    least = std::min(least, half_quadratic(h, dx, std::clamp(-h.xy * dx / h.yy, y.low, y.high)));
  for (const double dy : {y.low, y.high})
    least = std::min(least, half_quadratic(h, std::clamp(-h.xy * dy / h.xx, x.low, x.high), dy));
  return least;
}

}  // namespace

LogPoint optimum_at(const EntryLaw& law, const RunScale& scale, double ln_tokens) {
  return law.at(logs_of(scale, ln_tokens));
}

double ln_excess(const EntryLaw& law, const RunScale& scale, double ln_tokens) {
  if (!law.curvature) return absent;
  const LogPoint best = optimum_at(law, scale, ln_tokens);
  const LogPoint chosen = chosen_point(scale, best);
  return half_quadratic(*law.curvature, chosen.x - best.x, chosen.y - best.y);
}

Interval excess_interval(const EntryLaw& law, const RunScale& scale, double ln_tokens) {
  if (!law.curvature || !law.uncertainty) return {absent, absent};
  const ScaleLogs logs = logs_of(scale, ln_tokens);
  const Interval rate = interval_at(law.learning_rate, law.uncertainty->learning_rate, logs);
  const Interval batch = interval_at(law.batch_tokens, law.uncertainty->batch_tokens, logs);
  const LogPoint best = law.at(logs);
  const LogPoint chosen = chosen_point(scale, best);
  // A learning rate that follows the law is off by as much as the law.
  const Interval dx{chosen.x - rate.high, chosen.x - rate.low};
  const Interval dy{chosen.y - batch.high, chosen.y - batch.low};
  double most = 0.0;
  for (const double x : {dx.low, dx.high})
    for (const double y : {dy.low, dy.high}) most = std::max(most, half_quadratic(*law.curvature, x, y));
  return {std::expm1(least_in_box(*law.curvature, dx, dy)), std::expm1(most)};
}

double ln_loss(const EntryLaw& law, const RunScale& scale, double ln_tokens) {
  if (!law.loss) return absent;
  const double excess = ln_excess(law, scale, ln_tokens);
  const double best = law.loss->law.at(std::exp(scale.ln_parameters), std::exp(ln_tokens));
  return std::log(best) + (is_given(excess) ? excess : 0.0);
}

std::optional<double> ln_tokens_to(const EntryLaw& law, const RunScale& scale, double target) {
  const double ln_target = std::log(target);
  const auto reaches = [&](double ln_tokens) { return ln_loss(law, scale, ln_tokens) <= ln_target; };
  double high = least_ln_tokens;
  while (high < most_ln_tokens && !reaches(high)) high += ln_token_step;
  if (!reaches(high)) return std::nullopt;
  double low = high - ln_token_step;
  for (int step = 0; step < bisections; ++step) {
    const double middle = 0.5 * (low + high);
    (reaches(middle) ? high : low) = middle;
  }
  return high;
}

double least_loss(const EntryLaw& law, const RunScale& scale) {
  double least = std::numeric_limits<double>::infinity();
  for (double ln_tokens = least_ln_tokens; ln_tokens < most_ln_tokens; ln_tokens += ln_token_step)
    least = std::min(least, ln_loss(law, scale, ln_tokens));
  return std::exp(least);
}

double decades_outside(const Interval& interval, double value) {
  if (value < interval.low) return std::log10(interval.low / value);
  return value > interval.high ? std::log10(value / interval.high) : 0.0;
}

double extrapolation_of(const EntryLaw& law, const RunScale& scale, double ln_tokens) {
  if (!law.range) return absent;
  double most = std::max(decades_outside(law.range->parameters, std::exp(scale.ln_parameters)),
                         decades_outside(law.range->activated_parameters, std::exp(scale.ln_activated)));
  if (is_given(ln_tokens)) most = std::max(most, decades_outside(law.range->train_tokens, std::exp(ln_tokens)));
  if (!law.choices) return most;
  most = std::max(most, decades_outside(law.choices->batch_tokens, std::exp(scale.ln_batch)));
  if (is_given(scale.ln_rate))
    most = std::max(most, decades_outside(law.choices->learning_rate, std::exp(scale.ln_rate)));
  return most;
}

}  // namespace dfsweep::whole_run
