/// Decoding of models and systems.
#include "models/calculon/points/entries.hpp"

#include <array>
#include <string>

#include "models/absent.hpp"
#include "models/field_reader.hpp"

namespace dfsweep::training::calculon {

namespace {

constexpr double most = 1e9;  ///< of a size
constexpr std::string_view kinds[] = {"transformer"};
constexpr std::string_view modes[] = {"roofline", "no_overlap"};
constexpr std::string_view engines[] = {"matrix", "vector"};
constexpr std::string_view formats[] = {"fp8", "fp16", "bf16", "fp32"};  ///< in the order of Datatype
constexpr std::array<std::string_view, network_operation_count> operations{"p2p", "reduce_scatter", "all_gather",
                                                                           "all_reduce"};

std::int64_t whole(double value) {
  return static_cast<std::int64_t>(value);
}

const std::vector<Entry>& parts_of(const Entry& entry, std::string_view name) {
  static const std::vector<Entry> none;
  const auto found = entry.parts.find(name);
  return found == entry.parts.end() ? none : found->second;
}

/// A part of a system, with what is wrong with it.
class Part {
 public:
  Part(const Entry& entry, std::string_view kind, std::size_t index, std::vector<EntryProblem>& problems)
      : entry_(entry), fields_(entry, problems, std::string(kind) + "[" + std::to_string(index) + "]") {}

  FieldReader& fields() { return fields_; }
  [[nodiscard]] const Entry& entry() const { return entry_; }

  /// Lists `efficiency` and `from_field`: falling sizes, the last 0. Without them the efficiency is 1.
  EfficiencyCurve curve(std::string_view from_field) {
    const std::vector<double> from = list(from_field);
    const std::vector<double> efficiency = list("efficiency");
    if (from.empty() && efficiency.empty()) return {{{0.0, 1.0}}};
    EfficiencyCurve result;
    const std::size_t steps = std::min(from.size(), efficiency.size());
    for (std::size_t i = 0; i < steps; ++i) result.steps.push_back({from[i], efficiency[i]});
    check(result, from_field, from.size() == efficiency.size());
    return result;
  }

  [[nodiscard]] std::vector<double> list(std::string_view field) const {
    const auto found = entry_.lists.find(field);
    return found == entry_.lists.end() ? std::vector<double>{} : found->second;
  }

 private:
  void check(const EfficiencyCurve& curve, std::string_view from_field, bool same_length) {
    if (!same_length || curve.steps.empty()) {
      fields_.complain(from_field, " and 'efficiency' differ in length", "each size needs an efficiency");
      return;
    }
    for (std::size_t i = 0; i < curve.steps.size(); ++i) {
      if (i > 0 && !(curve.steps[i].from < curve.steps[i - 1].from))
        fields_.complain(from_field, " does not fall", "the largest size comes first");
      if (!(curve.steps[i].efficiency > 0.0 && curve.steps[i].efficiency <= 1.0))
        fields_.complain("efficiency", " is not above 0 and at most 1", "it is a share of the peak");
    }
    if (curve.steps.back().from != 0.0)
      fields_.complain(from_field, " does not end with 0", "every size needs an efficiency");
  }

  const Entry& entry_;
  FieldReader fields_;
};

void decode_engine(System& system, Part& part) {
  const auto kind = part.fields().choice("kind", engines);
  const auto format = part.fields().choice("precision", formats);
  EngineRate rate{part.fields().positive("peak_flops"), part.curve("efficiency_flops")};
  if (!kind || !format) return;
  (*kind == 0 ? system.matrix : system.vector)[*format] = std::move(rate);
}

MemoryTier decode_memory(Part& part) {
  MemoryTier tier;
  tier.capacity = part.fields().not_negative_or("capacity", 0.0);
  if (!part.entry().has_number("capacity")) part.fields().complain_missing("capacity");
  tier.bandwidth = part.fields().positive("bandwidth");
  tier.efficiency = part.curve("efficiency_bytes");
  return tier;
}

NetworkTier decode_network(Part& part) {
  FieldReader& fields = part.fields();
  NetworkTier tier;
  tier.bandwidth = fields.positive("bandwidth");
  tier.efficiency = fields.positive_or("efficiency", 1.0);
  tier.size = whole(fields.whole("size", 1.0, most));
  tier.latency = fields.not_negative_or("latency", 0.0);
  tier.must_be_filled = part.entry().number_or("must_be_filled", 0.0) != 0.0;
  tier.processor_usage = fields.not_negative_or("processor_usage", 0.0);
  if (tier.processor_usage >= 1.0) fields.complain("processor_usage", " is not below 1", "it is a share of compute");
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
void each_part(const Entry& entry, std::string_view kind, std::vector<EntryProblem>& problems, Decode decode) {
  const std::vector<Entry>& parts = parts_of(entry, kind);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Part part(parts[i], kind, i, problems);
    decode(part, i);
  }
}

/// What the model has and the convention does not know. Without a word its time would be that of another model.
void complain_about_others(FieldReader& fields, const Entry& entry, const ModelShape& shape) {
  const std::string reason = "convention 'calculon' does not know it";
  if (entry.number_or("gated_ffn", 0.0) != 0.0) fields.complain("gated_ffn", " is 1", reason);
  if (entry.number_or("experts", 0.0) > 0.0) fields.complain("experts", " is above 0", reason);
  if (entry.has_number("query_rank")) fields.complain("query_rank", " stands for latent attention", reason);
  if (const double heads = static_cast<double>(shape.heads); entry.number_or("key_value_heads", heads) != heads)
    fields.complain("key_value_heads", " is not 'heads'", reason);
}

}  // namespace

Decoded<TrainedModel> decode_trained_model(const Entry& entry) {
  Decoded<TrainedModel> decoded;
  FieldReader fields(entry, decoded.problems);
  if (entry.texts.contains("kind") && !fields.choice("kind", kinds)) return decoded;
  ModelShape& shape = decoded.value.shape;
  shape.blocks = whole(fields.whole("layers", 1.0, 1e6));
  shape.hidden = whole(fields.whole("hidden", 1.0, 1e7));
  shape.heads = whole(fields.whole("heads", 1.0, 1e6));
  const double head = static_cast<double>(std::max<std::int64_t>(shape.hidden / shape.heads, 1));
  shape.head_size = whole(fields.whole_or("head_dim", head, 1.0, 1e6));
  shape.feedforward = whole(fields.whole_or("ffn_hidden", 4.0 * static_cast<double>(shape.hidden), 1.0, 1e8));
  shape.sequence = whole(fields.whole("sequence_length", 1.0, 1e7));
  complain_about_others(fields, entry, shape);
  decoded.value.global_batch = whole(fields.whole_or("global_batch", 0.0, 0.0, most));
  return decoded;
}

Decoded<TrainingSystem> decode_training_system(const Entry& entry) {
  Decoded<TrainingSystem> decoded;
  FieldReader fields(entry, decoded.problems);
  System& system = decoded.value.system;
  decoded.value.price = entry.number_or("price", absent);
  decoded.value.power = entry.number_or("power", absent);
  system.mode = fields.choice_or("processing", modes, 1) == 0 ? ProcessingMode::roofline : ProcessingMode::no_overlap;
  each_part(entry, "engine", decoded.problems, [&](Part& part, std::size_t) { decode_engine(system, part); });
  each_part(entry, "memory", decoded.problems, [&](Part& part, std::size_t i) {
    const MemoryTier tier = decode_memory(part);
    if (i < 2) (i == 0 ? system.memory : system.offload) = tier;
  });
  each_part(entry, "network", decoded.problems,
            [&](Part& part, std::size_t) { system.networks.push_back(decode_network(part)); });
  for (const std::string_view kind : {"engine", "memory", "network"})
    if (parts_of(entry, kind).empty()) fields.complain_missing(kind);
  if (parts_of(entry, "memory").size() > 2) fields.complain("memory", " has more than two tiers", "");
  if (system.offload.efficiency.steps.empty()) system.offload = {0.0, 1.0, {{{0.0, 1.0}}}};
  return decoded;
}

}  // namespace dfsweep::training::calculon
