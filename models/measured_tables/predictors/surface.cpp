#include "models/measured_tables/predictors/surface.hpp"

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "models/measured_tables/predictors/fitted_surface.hpp"
#include "models/measured_tables/predictors/forest_surface.hpp"

namespace dfsweep {

namespace {

TrendTerms decode_terms(double batch, double context) {
  return {1.0, batch, batch * context, context};
}

TrendTerms prefill_terms(double context, double chunk) {
  return {1.0, chunk, context, chunk * (context + chunk / 2.0)};
}

std::array<double, 2> decode_position(double batch, double context) {
  return {std::log2(batch + 1e-3), std::log2(context + 32.0)};
}

std::array<double, 2> prefill_position(double context, double chunk) {
  return {std::log2(chunk + 1e-3), std::log2(context + chunk + 1e-3)};
}

double itself(double value) {
  return value;
}

double whole(double value) {
  return std::floor(value);
}

double square(double value) {
  return value * value;
}

double whole_root(double value) {
  return std::floor(std::sqrt(value));
}

AttentionSurface surface_by(PredictionMethod method, std::span<const SurfacePoint> points, const SurfaceForm& form) {
  return method == PredictionMethod::forest ? forest_surface(points, form, ForestSettings{})
                                            : fitted_surface(points, form);
}

}  // namespace

SurfaceForm decode_form() {
  return {decode_terms, decode_position, itself, whole};
}

SurfaceForm prefill_form() {
  return {prefill_terms, prefill_position, square, whole_root};
}

std::vector<SurfacePoint> surface_points(std::span<const DecodePoint> points) {
  std::vector<SurfacePoint> plain;
  plain.reserve(points.size());
  for (const DecodePoint& point : points) plain.push_back({point.batch, point.context, point.seconds});
  return plain;
}

std::vector<SurfacePoint> surface_points(std::span<const PrefillPoint> points) {
  std::vector<SurfacePoint> plain;
  plain.reserve(points.size());
  for (const PrefillPoint& point : points) plain.push_back({point.context, point.chunk, point.seconds});
  return plain;
}

DecodeSurface make_decode_surface(std::span<const DecodePoint> points, PredictionMethod method) {
  return DecodeSurface(surface_by(method, surface_points(points), decode_form()));
}

PrefillSurface make_prefill_surface(std::span<const PrefillPoint> points, PredictionMethod method) {
  return PrefillSurface(surface_by(method, surface_points(points), prefill_form()));
}

}  // namespace dfsweep
