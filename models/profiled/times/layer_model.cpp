/// Predictions of a layer, scaled where another table is used.
#include "models/profiled/times/layer_model.hpp"

#include <algorithm>
#include <cmath>

#include "models/absent.hpp"
#include "models/expect.hpp"
#include "models/measured_tables/rows.hpp"
#include "models/profiled/times/stand_in_error.hpp"

namespace dfsweep::profiled {

namespace {

/// Sum of the work of groups of requests.
template <class WorkOfGroup>
OperatorWork sum_over(std::span<const RequestGroup> groups, WorkOfGroup work_of_group) {
  OperatorWork sum;
  for (const RequestGroup& group : groups) sum = sum + work_of_group(group);
  return sum;
}

OperatorWork decode_work_of(const LayerSplit& layer, std::span<const RequestGroup> groups) {
  return sum_over(groups, [&](const RequestGroup& g) { return decode_work(layer, g.count, g.context); });
}

OperatorWork prefill_work_of(const LayerSplit& layer, std::span<const RequestGroup> groups) {
  return sum_over(groups, [&](const RequestGroup& g) { return g.count * prefill_work(layer, g.context, g.tokens); });
}

SurfaceLookup lookup_in(const DecodeSurface& surface) {
  return [&surface](std::uint32_t requests, std::uint32_t context) { return surface.predict(requests, context); };
}

SurfaceLookup lookup_in(const PrefillSurface& surface, std::uint32_t shortest_chunk) {
  return [&surface, shortest_chunk](std::uint32_t context, std::uint32_t chunk) {
    if (chunk >= shortest_chunk) return surface.predict(context, chunk);
    Prediction shortest = surface.predict(context, shortest_chunk);
    shortest.coverage = Coverage::extrapolated;
    return shortest;
  };
}

double log_distance(double a, double b) {
  return a > 0.0 && b > 0.0 ? std::abs(std::log(a / b)) : 0.0;  // unknown numbers (NaN) count as equal
}

}  // namespace

void LayerModel::prepare() const {
  for (const OperatorSource& source : sources_)
    if (source.predictors != nullptr) source.predictors->prepare();
}

std::optional<Prediction> LayerModel::token(std::size_t i, double tokens) const {
  const OperatorSource& source = sources_[i];
  if (source.predictors == nullptr) return std::nullopt;
  const Operator op = layer_operators[i];
  if (op != Operator::attn_kv_cache_save) tokens = rounded_up(tokens, reading_.token_granularity);
  const std::optional<Prediction> prediction = source.predictors->token(op, tokens);
  if (!prediction || !source.stand_in) return prediction;
  return standing_in(*prediction,
                     roofline_time(token_work(op, layer_, tokens), rates_) /
                         roofline_time(token_work(op, source.stand_in->layer, tokens), source.stand_in->rates),
                     op);
}

std::optional<Prediction> LayerModel::decode(std::span<const RequestGroup> groups) const {
  const OperatorSource& source = sources_[layer_operator_count - 1];
  const DecodeSurface* surface = source.predictors != nullptr ? source.predictors->decode() : nullptr;
  if (surface == nullptr) return std::nullopt;
  Prediction prediction = reading_.convention->decode(lookup_in(*surface), groups, reading_.context_granularity);
  if (requests_of(groups) > 1.0) prediction.time = prediction.time * (1.0 + reading_.decode_overhead);
  if (!source.stand_in) return prediction;
  return standing_in(prediction,
                     roofline_time(decode_work_of(layer_, groups), rates_) /
                         roofline_time(decode_work_of(source.stand_in->layer, groups), source.stand_in->rates),
                     Operator::attn_decode);
}

std::optional<Prediction> LayerModel::prefill(std::span<const RequestGroup> groups) const {
  const OperatorSource& source = sources_[layer_operator_count - 2];
  const PrefillSurface* surface = source.predictors != nullptr ? source.predictors->prefill() : nullptr;
  if (surface == nullptr) return std::nullopt;
  Prediction prediction = reading_.convention->prefill(lookup_in(*surface, source.predictors->shortest_chunk()), groups,
                                                       reading_.context_granularity);
  if (requests_of(groups) > 1.0) prediction.time = prediction.time * (1.0 + reading_.prefill_overhead);
  if (!source.stand_in) return prediction;
  return standing_in(prediction,
                     roofline_time(prefill_work_of(layer_, groups), rates_) /
                         roofline_time(prefill_work_of(source.stand_in->layer, groups), source.stand_in->rates),
                     Operator::attn_prefill);
}

std::vector<RowOrigin> LayerModel::rows(std::size_t i, const RequestBatch& batch) const {
  const LayerPredictors* predictors = sources_[i].predictors;
  if (predictors == nullptr) return {};
  const LayerProfile& profile = predictors->profile();
  const TableReading& table = predictors->reading();
  const Operator op = layer_operators[i];
  if (op != Operator::attn_decode && op != Operator::attn_prefill) {
    const double tokens = part_of(batch.decode, 1.0).tokens + part_of(batch.prefill, 1.0).tokens;
    const double asked = op == Operator::attn_kv_cache_save ? tokens : rounded_up(tokens, reading_.token_granularity);
    return rows_near(profile.curve(op, table.statistic, table.empty_cell), asked);
  }
  const bool decodes = op == Operator::attn_decode;
  const std::vector<RequestGroup>& groups = decodes ? batch.decode : batch.prefill;
  if (groups.empty()) return {};
  const std::vector<SurfaceSample> samples = profile.surface(op, table.statistic, table.page_tokens);
  std::vector<RowOrigin> rows;
  const SurfaceLookup record = [&](std::uint32_t u, std::uint32_t v) {
    const std::vector<RowOrigin> near = rows_near(samples, u, v);
    rows.insert(rows.end(), near.begin(), near.end());
    return Prediction{};
  };
  (decodes ? reading_.convention->decode : reading_.convention->prefill)(record, groups, reading_.context_granularity);
  return rows;
}

double distance_of(const LayerProfile& profile, const LayerSplit& wanted, Operator op) {
  const double t = profile.tensor_parallel;
  if (kind_of(op) == OperatorKind::token)
    return log_distance(t, wanted.tensor_parallel) + log_distance(profile.shape.hidden, wanted.model.hidden) +
           log_distance(profile.shape.ffn_hidden, wanted.model.ffn_hidden);
  return log_distance(profile.shape.heads / t, wanted.model.heads / wanted.tensor_parallel) +
         log_distance(profile.shape.key_value_heads / t, wanted.model.key_value_heads / wanted.tensor_parallel);
}

LayerSplit split_of(const LayerProfile& profile, const ServedModel& otherwise) {
  const auto known_or = [](double value, double instead) { return value > 0.0 ? value : instead; };
  LayerSplit split{otherwise, static_cast<double>(profile.tensor_parallel)};
  ServedModel& model = split.model;
  model.hidden = known_or(profile.shape.hidden, otherwise.hidden);
  model.heads = known_or(profile.shape.heads, otherwise.heads);
  model.key_value_heads = known_or(profile.shape.key_value_heads, otherwise.key_value_heads);
  model.ffn_hidden = known_or(profile.shape.ffn_hidden, otherwise.ffn_hidden);
  if (is_given(profile.shape.gated_ffn)) model.up_products = 1.0 + profile.shape.gated_ffn;
  if (profile.shape.hidden > 0.0 && profile.shape.heads > 0.0 && model.hidden != otherwise.hidden)
    model.head_dim = model.hidden / model.heads;
  return split;
}

}  // namespace dfsweep::profiled
