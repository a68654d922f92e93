/// Decoding of models and systems.
#include "models/calculon/points/entries.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "models/absent.hpp"
#include "models/declared_fields.hpp"
#include "models/short_number.hpp"
#include "models/transformer/entry.hpp"

namespace dfsweep::calculon {

namespace {

constexpr double most = 1e9;  ///< of a size
constexpr std::string_view modes[] = {"roofline", "no_overlap"};
constexpr std::string_view engines[] = {"matrix", "vector"};
constexpr std::string_view formats[] = {"fp8", "fp16", "bf16", "fp32"};  ///< in the order of Datatype
constexpr std::array<CalculonSystemField, network_operation_count> operations{
    "network.p2p", "network.reduce_scatter", "network.all_gather", "network.all_reduce"};

std::int64_t to_integer(double value) {
  return static_cast<std::int64_t>(value);
}

const std::vector<Entry>& parts_of(const Entry& entry, CalculonSystemField field) {
  static const std::vector<Entry> none;
  const auto found = entry.parts.find(field.name());
  return found == entry.parts.end() ? none : found->second;
}

/// A part of a system, with what is wrong with it.
class Part {
 public:
  Part(const Entry& entry, CalculonSystemField kind, std::size_t index, std::vector<EntryProblem>& problems)
      : entry_(entry), fields_(entry, problems, std::string(kind.name()) + "[" + std::to_string(index) + "]") {}

  FieldsOf<CalculonSystemField>& fields() { return fields_; }

  /// Lists of efficiencies and of the falling sizes from which they hold, the last 0. Without them the efficiency is 1.
  EfficiencyCurve curve(CalculonSystemField efficiency_field, CalculonSystemField from_field) {
    const std::vector<double> from = list(from_field);
    const std::vector<double> efficiency = list(efficiency_field);
    if (from.empty() && efficiency.empty()) return {{{0.0, 1.0}}};
    EfficiencyCurve result;
    const std::size_t steps = std::min(from.size(), efficiency.size());
    for (std::size_t i = 0; i < steps; ++i) result.steps.push_back({from[i], efficiency[i]});
    check(result, efficiency_field, from_field, from.size() == efficiency.size());
    return result;
  }

  [[nodiscard]] std::vector<double> list(CalculonSystemField field) const {
    const auto found = entry_.lists.find(field.name());
    return found == entry_.lists.end() ? std::vector<double>{} : found->second;
  }

 private:
  void check(const EfficiencyCurve& curve, CalculonSystemField efficiency_field, CalculonSystemField from_field,
             bool same_length) {
    if (!same_length || curve.steps.empty()) {
      fields_.complain(from_field, " and 'efficiency' differ in length", "each size needs an efficiency");
      return;
    }
    for (std::size_t i = 0; i < curve.steps.size(); ++i) {
      if (i > 0 && !(curve.steps[i].from < curve.steps[i - 1].from))
        fields_.complain(from_field, " does not fall", "the largest size comes first");
      if (!(curve.steps[i].efficiency > 0.0 && curve.steps[i].efficiency <= 1.0))
        fields_.complain(efficiency_field, " is not above 0 and at most 1", "it is a share of the peak");
    }
    if (curve.steps.back().from != 0.0)
      fields_.complain(from_field, " does not end with 0", "every size needs an efficiency");
  }

  const Entry& entry_;
  FieldsOf<CalculonSystemField> fields_;
};

void decode_engine(System& system, Part& part) {
  const auto kind = part.fields().choice("engine.kind", engines);
  const auto format = part.fields().choice("engine.precision", formats);
  EngineRate rate{part.fields().positive("engine.peak_flops"),
                  part.curve("engine.efficiency", "engine.efficiency_flops")};
  if (!kind || !format) return;
  (*kind == 0 ? system.matrix : system.vector)[*format] = std::move(rate);
}

MemoryTier decode_memory(Part& part) {
  MemoryTier tier;
  tier.capacity = part.fields().not_negative_or("memory.capacity", 0.0);
  if (!part.fields().has_number("memory.capacity")) part.fields().complain_missing("memory.capacity");
  tier.bandwidth = part.fields().positive("memory.bandwidth");
  tier.efficiency = part.curve("memory.efficiency", "memory.efficiency_bytes");
  return tier;
}

NetworkTier decode_network(Part& part) {
  FieldsOf<CalculonSystemField>& fields = part.fields();
  NetworkTier tier;
  tier.bandwidth = fields.positive("network.bandwidth");
  tier.efficiency = fields.positive_or("network.efficiency", 1.0);
  tier.size = to_integer(fields.whole("network.size", 1.0, most));
  tier.latency = fields.not_negative_or("network.latency", 0.0);
  tier.must_be_filled = fields.number_or("network.must_be_filled", 0.0) != 0.0;
  tier.processor_usage = fields.not_negative_or("network.processor_usage", 0.0);
  if (tier.processor_usage >= 1.0)
    fields.complain("network.processor_usage", " is not below 1", "it is a share of compute");
  for (std::size_t i = 0; i < network_operation_count; ++i) {
    const std::vector<double> volume = part.list(operations[i]);
    if (volume.size() == 2)
      tier.volumes[i] = {volume[0], volume[1]};
    else
      fields.complain(operations[i], " is not a list of two numbers",
                      "bytes on the wire are scalar S + offset scalar S / peers");
  }
  return tier;
}

template <class Decode>
void each_part(const Entry& entry, CalculonSystemField kind, std::vector<EntryProblem>& problems, Decode decode) {
  const std::vector<Entry>& parts = parts_of(entry, kind);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Part part(parts[i], kind, i, problems);
    decode(part, i);
  }
}

/// Largest sizes with which counts of FLOP stay exact in 64 bits.
struct Limit {
  double TransformerEntry::*size;
  const char* field;
  double most;
};
constexpr Limit limits[] = {
    {&TransformerEntry::layers, "layers", 1e6},         {&TransformerEntry::hidden, "hidden", 1e7},
    {&TransformerEntry::heads, "heads", 1e6},           {&TransformerEntry::head_dim, "head_dim", 1e6},
    {&TransformerEntry::ffn_hidden, "ffn_hidden", 1e8}, {&TransformerEntry::sequence_length, "sequence_length", 1e7}};

void check_limits(const TransformerEntry& t, std::vector<EntryProblem>& problems) {
  for (const Limit& limit : limits)
    if (t.*limit.size > limit.most)
      problems.push_back({"'" + std::string(limit.field) + "' is " + short_number(t.*limit.size),
                          "it is at most " + short_number(limit.most),
                          {limit.field}});
}

/// What the model has and Calculon does not know: its time would be that of another model.
void complain_about_others(const TransformerEntry& t, std::vector<EntryProblem>& problems) {
  const auto complain = [&](const char* field, const char* what) {
    problems.push_back({"'" + std::string(field) + "'" + what, "Calculon does not know it", {field}});
  };
  if (given_or(t.gated_ffn, 0) != 0.0) complain("gated_ffn", " is 1");
  if (t.has_experts()) complain("experts", " is above 0");
  if (t.has_latent_attention())
    complain(is_given(t.query_rank) ? "query_rank" : "key_value_rank", " is given: latent attention");
  if (t.has_indexer()) complain("index_heads", " is above 0: sparse attention");
  if (t.has_linear_layers()) complain("linear_layers", " is above 0: linear attention");
  if (given_or(t.key_value_heads, t.heads) != t.heads) complain("key_value_heads", " is not 'heads'");
}

}  // namespace

/// Where the entry is silent: head_dim = hidden / heads rounded down, ffn_hidden = 4 hidden.
Decoded<TrainedModel> decode_trained_model(const Entry& entry) {
  Decoded<TransformerEntry> read = decode_transformer(entry);
  const TransformerEntry& t = read.value;
  if (!is_given(t.sequence_length)) read.problems.push_back({"'sequence_length' is missing", "", {"sequence_length"}});
  check_limits(t, read.problems);
  complain_about_others(t, read.problems);
  if (is_given(t.global_batch) && !(t.global_batch >= 0 && t.global_batch <= most))
    read.problems.push_back({"'global_batch' is " + short_number(t.global_batch),
                             "a whole number from 0 to " + short_number(most) + " is needed",
                             {"global_batch"}});
  if (!read.problems.empty()) return {{}, std::move(read.problems)};
  TrainedModel model;
  model.shape.blocks = to_integer(t.layers);
  model.shape.hidden = to_integer(t.hidden);
  model.shape.heads = to_integer(t.heads);
  model.shape.head_size = to_integer(
      given_or(t.head_dim, static_cast<double>(std::max<std::int64_t>(to_integer(t.hidden) / to_integer(t.heads), 1))));
  model.shape.feedforward = to_integer(given_or(t.ffn_hidden, 4.0 * t.hidden));
  model.shape.sequence = to_integer(t.sequence_length);
  model.global_batch = to_integer(given_or(t.global_batch, 0.0));
  return {model, {}};
}

Decoded<TrainingSystem> decode_training_system(const Entry& entry) {
  Decoded<TrainingSystem> decoded;
  FieldsOf<CalculonSystemField> fields(entry, decoded.problems);
  System& system = decoded.value.system;
  decoded.value.price = fields.number_or("price", absent);
  decoded.value.power = fields.number_or("power", absent);
  system.mode = fields.choice_or("processing", modes, 1) == 0 ? ProcessingMode::roofline : ProcessingMode::no_overlap;
  each_part(entry, "engine", decoded.problems, [&](Part& part, std::size_t) { decode_engine(system, part); });
  each_part(entry, "memory", decoded.problems, [&](Part& part, std::size_t i) {
    const MemoryTier tier = decode_memory(part);
    if (i < 2) (i == 0 ? system.memory : system.offload) = tier;
  });
  each_part(entry, "network", decoded.problems,
            [&](Part& part, std::size_t) { system.networks.push_back(decode_network(part)); });
  for (const CalculonSystemField kind :
       {CalculonSystemField("engine"), CalculonSystemField("memory"), CalculonSystemField("network")})
    if (parts_of(entry, kind).empty()) fields.complain_missing(kind);
  if (parts_of(entry, "memory").size() > 2) fields.complain("memory", " has more than two tiers", "");
  if (system.offload.efficiency.steps.empty()) system.offload = {0.0, 1.0, {{{0.0, 1.0}}}};
  return decoded;
}

}  // namespace dfsweep::calculon
