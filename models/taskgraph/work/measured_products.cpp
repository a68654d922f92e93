#include "models/taskgraph/work/measured_products.hpp"

#include <cmath>

#include "models/absent.hpp"

namespace dfsweep::taskgraph {

namespace {

/// The time of a prediction, with its coverage recorded; NaN or the roofline where no table covers it.
template <class Roofline>
Seconds noted(const std::optional<Prediction>& prediction, MeasuredPoint& point, const Roofline& roofline) {
  if (prediction) {
    point.worst = std::max(point.worst, prediction->coverage);
    return prediction->time;
  }
  if (!point.falls_back) return Seconds{absent};
  point.worst = Coverage::analytical;
  return roofline();
}

}  // namespace

MeasuredProducts::MeasuredProducts(const ProfileTables& tables, std::string_view device, const TableReading& reading) {
  for (const LayerProfile& layer : tables.profiles().layers) {
    if (layer.device != device) continue;
    const LayerPredictors* predictors = &tables.predictors_of(layer, reading);
    const TableShape& s = layer.shape;
    const double t = layer.tensor_parallel;
    const double width = s.hidden / s.heads;
    const double heads = s.heads / t;
    const double key_value_heads = std::ceil((is_given(s.key_value_heads) ? s.key_value_heads : s.heads) / t);
    const double ups = s.gated_ffn == 1.0 ? 2.0 : 1.0;
    if (covers(layer, reading, Operator::attn_pre_proj)) {
      products_.push_back({s.hidden, (heads + 2.0 * key_value_heads) * width, Operator::attn_pre_proj, predictors});
      products_.push_back({heads * width, s.hidden, Operator::attn_post_proj, predictors});
      products_.push_back({s.hidden, ups * s.ffn_hidden / t, Operator::mlp_up_proj, predictors});
      products_.push_back({s.ffn_hidden / t, s.hidden, Operator::mlp_down_proj, predictors});
    }
    if (covers(layer, reading, Operator::attn_prefill))
      attention_.push_back({heads, key_value_heads, width, predictors});
  }
}

std::optional<Prediction> MeasuredProducts::product(double m, double k, double n) const {
  for (const KnownProduct& known : products_) {
    if (known.k != k || known.n != n) continue;
    known.predictors->prepare();
    if (const auto prediction = known.predictors->token(known.op, m)) return prediction;
  }
  return std::nullopt;
}

std::optional<Prediction> MeasuredProducts::attention(const AttentionCore& core) const {
  for (const KnownAttention& known : attention_) {
    const double sequences = core.count / known.heads;
    if (known.width != core.width || sequences != std::floor(sequences) ||
        core.key_count != sequences * known.key_value_heads)
      continue;
    known.predictors->prepare();
    const auto whole = whole_tokens;
    if (core.rows == 1.0) {
      if (const auto* decode = known.predictors->decode())
        return decode->predict(whole(sequences), whole(core.context - 1.0));
    } else if (const auto* prefill = known.predictors->prefill()) {
      Prediction one = prefill->predict(whole(core.context - core.rows), whole(core.rows));
      one.time = sequences * one.time;
      return one;
    }
  }
  return std::nullopt;
}

Seconds measured_product_time(const Product& p, const DeviceRates& device) {
  MeasuredPoint& point = *device.measured;
  if (p.count == 0.0) return Seconds{};
  std::optional<Prediction> one;
  if (point.tables != nullptr) one = point.tables->product(p.m, p.k, p.n);
  if (one) one->time = p.count * one->time;
  return noted(one, point, [&] { return roofline_time(flop_of(p), words_of(p), device); });
}

Seconds time_without_table(Seconds roofline, const DeviceRates& device) {
  return device.measured == nullptr ? roofline : noted(std::nullopt, *device.measured, [&] { return roofline; });
}

Seconds measured_products_of_one_input(const Product& a, const Product& b, const DeviceRates& device) {
  if (device.measured->tables != nullptr) {
    const auto fused = device.measured->tables->product(a.m, a.k, a.count * a.n + b.count * b.n);
    if (fused) return noted(fused, *device.measured, [] { return Seconds{}; });
  }
  return product_time(a, device) + product_time(b, device);
}

Seconds measured_attention_time(const AttentionCore& core, AttentionTime roofline, const DeviceRates& device) {
  MeasuredPoint& point = *device.measured;
  std::optional<Prediction> known;
  if (point.tables != nullptr) known = point.tables->attention(core);
  return noted(known, point, [&] { return roofline(core, without_tables(device)); });
}

}  // namespace dfsweep::taskgraph
