#include "models/measured_tables/predictors/fitted_curve.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "models/expect.hpp"
#include "models/measured_tables/predictors/trend.hpp"

namespace dfsweep {

namespace {

double time_of(double level) {
  return level <= std::log(least_kernel_seconds) ? 0.0 : std::exp(level);
}

CurveTrend trend_of(std::span<const WalkKey> keys) {
  std::vector<TrendPoint> points;
  for (const WalkKey& key : keys) points.push_back({{1.0, key.tokens, 0.0, 0.0}, key.seconds});
  const TrendTerms coefficients = fit_trend(points);
  return {coefficients[0], coefficients[1]};
}

/// Trend of the keys up to four times the first, with at least eight keys.
CurveTrend trend_before(std::span<const WalkKey> keys) {
  std::size_t count = std::min<std::size_t>(keys.size(), 8);
  while (count < keys.size() && keys[count].tokens <= 4.0 * keys.front().tokens) ++count;
  return trend_of(keys.first(count));
}

/// Trend of the keys from half of the last one on, with at least eight keys.
CurveTrend trend_beyond(std::span<const WalkKey> keys) {
  std::size_t count = std::min<std::size_t>(keys.size(), 8);
  while (count < keys.size() && keys[keys.size() - 1 - count].tokens >= 0.5 * keys.back().tokens) ++count;
  return trend_of(keys.last(count));
}

double continued(const WalkKey& end, const CurveTrend& trend, double tokens) {
  const double at_end = trend.constant + trend.slope * end.tokens;
  return at_end > 0.0 ? end.seconds * (trend.constant + trend.slope * tokens) / at_end : end.seconds;
}

double mean_left_out_error(std::span<const WalkKey> keys, std::span<const double> left_out) {
  double sum = 0.0, repeats = 0.0;
  for (std::size_t k = 1; k + 1 < keys.size(); ++k) {
    sum += keys[k].repeats * std::abs(std::exp(left_out[k] - keys[k].level) - 1.0);
    repeats += keys[k].repeats;
  }
  return repeats > 0.0 ? sum / repeats : 0.0;
}

/// Mean |repeat / mean - 1| of repeated keys, with the factor for n - 1; negative without repeated keys.
double repeat_error(std::span<const CurvePoint> points, std::span<const WalkKey> keys) {
  double sum = 0.0, count = 0.0;
  for (const CurvePoint& point : points) {
    const auto key = std::lower_bound(keys.begin(), keys.end(), point.tokens,
                                      [](const WalkKey& k, double tokens) { return k.tokens < tokens; });
    if (key->repeats < 2.0 || !(key->seconds > 0.0)) continue;
    sum += std::abs(point.seconds / key->seconds - 1.0) * std::sqrt(key->repeats / (key->repeats - 1.0));
    count += 1.0;
  }
  return count > 0.0 ? sum / count : -1.0;
}

/// Mean error over the keys above half of the last one, predicted from the others.
double upper_half_error(std::span<const WalkKey> keys) {
  std::size_t lower = keys.size();
  while (lower > 0 && keys[lower - 1].tokens > 0.5 * keys.back().tokens) --lower;
  if (lower == 0) return 0.0;
  const std::span<const WalkKey> known = keys.first(lower);
  const CurveTrend trend = trend_beyond(known);
  double sum = 0.0;
  for (const WalkKey& key : keys.subspan(lower))
    if (key.seconds > 0.0) sum += std::abs(continued(known.back(), trend, key.tokens) / key.seconds - 1.0);
  return sum / static_cast<double>(keys.size() - lower);
}

}  // namespace

std::vector<WalkKey> measured_keys(std::span<const CurvePoint> points) {
  std::vector<CurvePoint> sorted(points.begin(), points.end());
  std::sort(sorted.begin(), sorted.end(), [](const CurvePoint& a, const CurvePoint& b) {
    return std::pair(a.tokens, a.seconds) < std::pair(b.tokens, b.seconds);
  });
  std::vector<WalkKey> keys;
  for (const CurvePoint& point : sorted) {
    if (keys.empty() || keys.back().tokens != point.tokens) keys.push_back({point.tokens, 0.0, 0.0, 0.0});
    keys.back().seconds += point.seconds;
    keys.back().repeats += 1.0;
  }
  for (WalkKey& key : keys) {
    key.seconds /= key.repeats;
    key.level = std::log(std::max(key.seconds, least_kernel_seconds));
  }
  return keys;
}

CurveFit::CurveFit(std::span<const CurvePoint> points)
    : keys_(measured_keys(points)), before_(dfsweep::trend_before(keys_)), beyond_(dfsweep::trend_beyond(keys_)) {
  DFSWEEP_EXPECT(!points.empty());
  if (keys_.size() < 2) return;
  variances_ = fit_walk(keys_);
  WalkLevels levels = walk_levels(keys_, variances_);
  left_out_error_ = mean_left_out_error(keys_, levels.left_out);
  smoothed_ = std::move(levels.smoothed);
}

double CurveFit::seconds(double tokens) const {
  if (tokens < keys_.front().tokens) return continued(keys_.front(), before_, tokens);
  if (tokens > keys_.back().tokens) return continued(keys_.back(), beyond_, tokens);
  const auto upper = std::lower_bound(keys_.begin(), keys_.end(), tokens,
                                      [](const WalkKey& key, double at) { return key.tokens < at; });
  if (upper->tokens == tokens) return upper->seconds;
  const auto k = static_cast<std::size_t>(upper - keys_.begin());
  return time_of(level_between(variances_, keys_[k - 1].tokens, smoothed_[k - 1], upper->tokens, smoothed_[k], tokens));
}

Coverage CurveFit::coverage(double tokens) const {
  if (tokens < keys_.front().tokens || tokens > keys_.back().tokens) return Coverage::extrapolated;
  const bool measured = std::binary_search(keys_.begin(), keys_.end(), WalkKey{.tokens = tokens},
                                           [](const WalkKey& a, const WalkKey& b) { return a.tokens < b.tokens; });
  return measured ? Coverage::measured : Coverage::interpolated;
}

Curve fitted_curve(std::span<const CurvePoint> points) {
  const CurveFit fit(points);
  const WalkKey& last = fit.keys().back();
  const auto count = static_cast<std::size_t>(std::min(std::floor(last.tokens), last_tabulated_tokens)) + 1;
  std::vector<double> seconds(count);
  std::vector<Coverage> coverage(count);
  for (std::size_t tokens = 0; tokens < count; ++tokens) {
    seconds[tokens] = fit.seconds(static_cast<double>(tokens));
    coverage[tokens] = fit.coverage(static_cast<double>(tokens));
  }
  const auto end = static_cast<double>(count - 1);
  const CurveTail tail{continued(last, fit.trend_beyond(), end),
                       continued(last, fit.trend_beyond(), end + 1.0) - continued(last, fit.trend_beyond(), end)};
  const double repeats = repeat_error(points, fit.keys());
  const double interpolated = fit.left_out_error();
  return Curve(std::move(seconds), std::move(coverage), tail,
               {repeats < 0.0 ? interpolated : repeats, interpolated, upper_half_error(fit.keys()), 0.0});
}

}  // namespace dfsweep
