#include "models/measured_tables/predictors/cross_validation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/expect.hpp"
#include "models/measured_tables/predictors/fitted_curve.hpp"
#include "models/measured_tables/predictors/fitted_surface.hpp"
#include "models/measured_tables/predictors/forest.hpp"
#include "models/statistics/random.hpp"

namespace dfsweep {

namespace {

constexpr std::uint64_t shuffle_seed = 7;

double row_error(double predicted, double measured) {
  if (measured == 0.0) return predicted == 0.0 ? 0.0 : 1.0;
  return std::abs(predicted - measured) / measured;
}

/// The rows of a table, split into training and test rows.
template <class Point>
struct Parts {
  std::vector<Point> known, asked;
};

/// `key_of`: returns the comparable key of a point.
template <class Point, class KeyOf>
Parts<Point> split(std::span<const Point> points, std::size_t fold, KeyOf key_of) {
  using Key = decltype(key_of(points[0]));
  std::vector<Key> keys;
  keys.reserve(points.size());
  for (const Point& point : points) keys.push_back(key_of(point));
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  const std::vector<std::size_t> folds = deal_folds(keys.size());
  Parts<Point> parts;
  for (const Point& point : points) {
    const auto key = std::lower_bound(keys.begin(), keys.end(), key_of(point)) - keys.begin();
    (folds[static_cast<std::size_t>(key)] == fold ? parts.asked : parts.known).push_back(point);
  }
  return parts;
}

ValidationErrors validate_surface_fold(std::span<const SurfacePoint> points, const SurfaceForm& form,
                                       std::size_t fold) {
  const Parts<SurfacePoint> parts =
      split(points, fold, [](const SurfacePoint& point) { return std::pair(point.u, point.v); });
  if (parts.known.empty() || parts.asked.empty()) return {};
  const AttentionSurface fitted = fitted_surface_without_errors(parts.known, form);
  std::vector<ForestSample> samples;
  samples.reserve(parts.known.size());
  for (const SurfacePoint& point : parts.known)
    samples.push_back({point.u, form.forest_feature(point.v), point.seconds});
  const Forest forest = grow_forest(samples, ForestSettings{});
  ValidationErrors errors;
  for (const SurfacePoint& point : parts.asked) {
    const double by_fit = fitted.seconds(number_of(point.u), number_of(point.v));
    errors += {row_error(by_fit, point.seconds),
               row_error(forest.predict(point.u, form.forest_feature(point.v)), point.seconds), 1.0};
  }
  return errors;
}

template <class Point>
ValidationErrors all_folds(std::span<const Point> points) {
  ValidationErrors errors;
  for (std::size_t fold = 0; fold < validation_folds; ++fold) errors += validate_fold(points, fold);
  return errors;
}

}  // namespace

ValidationErrors& ValidationErrors::operator+=(const ValidationErrors& other) {
  fitted += other.fitted;
  forest += other.forest;
  rows += other.rows;
  return *this;
}

double fitted_error(const ValidationErrors& errors) {
  return errors.fitted / errors.rows;
}

double forest_error(const ValidationErrors& errors) {
  return errors.forest / errors.rows;
}

std::vector<std::size_t> deal_folds(std::size_t keys) {
  std::vector<std::pair<std::uint64_t, std::size_t>> shuffled;
  shuffled.reserve(keys);
  for (std::size_t key = 0; key < keys; ++key) shuffled.emplace_back(random_bits(shuffle_seed, key), key);
  std::sort(shuffled.begin(), shuffled.end());
  std::vector<std::size_t> folds(keys);
  for (std::size_t place = 0; place < keys; ++place) folds[shuffled[place].second] = place % validation_folds;
  return folds;
}

ValidationErrors validate_fold(std::span<const CurvePoint> points, std::size_t fold) {
  DFSWEEP_EXPECT(fold < validation_folds);
  const Parts<CurvePoint> parts = split(points, fold, [](const CurvePoint& point) { return point.tokens; });
  if (parts.known.empty() || parts.asked.empty()) return {};
  const CurveFit fitted(parts.known);
  std::vector<ForestSample> samples;
  samples.reserve(parts.known.size());
  for (const CurvePoint& point : parts.known) samples.push_back({point.tokens, 0.0, point.seconds});
  const Forest forest = grow_forest(samples, ForestSettings{});
  ValidationErrors errors;
  for (const CurvePoint& point : parts.asked)
    errors += {row_error(fitted.seconds(point.tokens), point.seconds),
               row_error(forest.predict(point.tokens, 0.0), point.seconds), 1.0};
  return errors;
}

ValidationErrors validate_fold(std::span<const DecodePoint> points, std::size_t fold) {
  DFSWEEP_EXPECT(fold < validation_folds);
  return validate_surface_fold(surface_points(points), decode_form(), fold);
}

ValidationErrors validate_fold(std::span<const PrefillPoint> points, std::size_t fold) {
  DFSWEEP_EXPECT(fold < validation_folds);
  return validate_surface_fold(surface_points(points), prefill_form(), fold);
}

ValidationErrors cross_validate(std::span<const CurvePoint> points) {
  return all_folds(points);
}

ValidationErrors cross_validate(std::span<const DecodePoint> points) {
  return all_folds(points);
}

ValidationErrors cross_validate(std::span<const PrefillPoint> points) {
  return all_folds(points);
}

}  // namespace dfsweep
