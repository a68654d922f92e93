/// Construction of predictors from the rows of tables.
#include "models/measured_tables/layer_predictors.hpp"

#include <algorithm>
#include <vector>

#include "models/measured_tables/predictors/make_curve.hpp"

namespace dfsweep {

namespace {

std::optional<Curve> curve_of(const std::vector<CurveSample>& samples, PredictionMethod method) {
  if (samples.empty()) return std::nullopt;
  std::vector<CurvePoint> points;
  points.reserve(samples.size());
  for (const CurveSample& sample : samples) points.push_back({sample.x, sample.seconds});
  return make_curve(points, method);
}

/// Converts samples of a surface into points (u, v, seconds).
template <class Point>
std::vector<Point> points_of(const std::vector<SurfaceSample>& samples) {
  std::vector<Point> points;
  points.reserve(samples.size());
  for (const SurfaceSample& sample : samples) points.push_back({sample.u, sample.v, sample.seconds});
  return points;
}

}  // namespace

std::uint32_t whole_tokens(double tokens) {
  constexpr double most_tokens = 4e9;
  return static_cast<std::uint32_t>(std::clamp(tokens, 0.0, most_tokens));
}

bool covers(const LayerProfile& profile, const TableReading& reading, Operator op) {
  if (kind_of(op) == OperatorKind::token) return !profile.tokens.empty();
  if (kind_of(op) == OperatorKind::cache_save) return !profile.attention.empty();
  const std::vector<double>& pages = profile.block_sizes;
  return !profile.attention.empty() && std::find(pages.begin(), pages.end(), reading.page_tokens) != pages.end();
}

void LayerPredictors::prepare() const {
  // Expensive operators first, for load balance among threads.
  work_.finish([this](std::size_t task) { make(layer_operators[layer_operator_count - 1 - task]); });
}

void LayerPredictors::make(Operator op) const {
  if (!covers(profile_, reading_, op)) return;
  if (op == Operator::attn_decode) {
    const auto points = points_of<DecodePoint>(profile_.surface(op, reading_.statistic, reading_.page_tokens));
    if (!points.empty()) decode_ = make_decode_surface(points, reading_.method);
  } else if (op == Operator::attn_prefill) {
    const auto points = points_of<PrefillPoint>(profile_.surface(op, reading_.statistic, reading_.page_tokens));
    if (points.empty()) return;
    const auto shortest = std::min_element(
        points.begin(), points.end(), [](const PrefillPoint& a, const PrefillPoint& b) { return a.chunk < b.chunk; });
    shortest_chunk_ = whole_tokens(shortest->chunk);
    prefill_ = make_prefill_surface(points, reading_.method);
  } else {
    curves_[index_of(op)] = curve_of(profile_.curve(op, reading_.statistic, reading_.empty_cell), reading_.method);
  }
}

std::optional<Prediction> LayerPredictors::token(Operator op, double tokens) const {
  const std::optional<Curve>& curve = curves_[index_of(op)];
  if (curve) return curve->predict(whole_tokens(tokens));
  if (covers(profile_, reading_, op) && may_be_absent(op)) return Prediction{};
  return std::nullopt;
}

}  // namespace dfsweep
