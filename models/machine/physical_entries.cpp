#include "models/machine/physical_entries.hpp"

#include <array>

#include "models/absent.hpp"
#include "models/field_reader.hpp"

namespace dfsweep::training {

namespace {

constexpr double most = 1e9;  // of a size
constexpr std::string_view kinds[] = {"transformer"};
constexpr std::string_view link_kinds[] = {"switched", "direct"};  // in the order of NodeLinks

LatentAttention latent_attention(FieldReader& fields, const Entry& entry) {
  if (!entry.has_number("query_rank")) return {};
  return {.query_rank = fields.whole("query_rank", 1, most),
          .key_value_rank = fields.whole("key_value_rank", 1, most),
          .plain_dim = fields.whole("plain_head_dim", 0, most),
          .rotary_dim = fields.whole("rotary_head_dim", 0, most),
          .value_dim = fields.whole("value_head_dim", 1, most)};
}

Experts experts(FieldReader& fields, const Entry& entry, double layers) {
  if (!entry.has_number("experts")) return {};
  return {.count = fields.whole("experts", 1, most),
          .per_token = fields.whole("experts_per_token", 1, most),
          .ffn_hidden = fields.whole("expert_ffn_hidden", 1, most),
          .shared_ffn_hidden = fields.whole_or("shared_ffn_hidden", 0, 0, most),
          .dense_layers = fields.whole_or("dense_layers", 0, 0, layers)};
}

LinkTier tier(FieldReader& fields, std::string_view bandwidth, std::string_view latency) {
  return {Bandwidth{fields.not_negative_or(bandwidth, 0)}, Seconds{fields.not_negative_or(latency, 0)}};
}

/// A number of a stack: its field, its range and where it is kept.
struct SoftwareField {
  std::string_view name;
  double& (*at)(Software&);
};

/// A field of type Seconds or Bytes.
struct SoftwareQuantity {
  std::string_view name;
  void (*set)(Software&, double);
  double (*get)(const Software&);
};

constexpr SoftwareField numbers[] = {
    {"matrix_share", [](Software& s) -> double& { return s.matrix.peak_share; }},
    {"matrix_share_8bit", [](Software& s) -> double& { return s.matrix.share_8bit; }},
    {"matrix_share_4bit", [](Software& s) -> double& { return s.matrix.share_4bit; }},
    {"half_rows", [](Software& s) -> double& { return s.matrix.half_rows; }},
    {"half_columns", [](Software& s) -> double& { return s.matrix.half_columns; }},
    {"half_depth", [](Software& s) -> double& { return s.matrix.half_depth; }},
    {"half_rows_grouped", [](Software& s) -> double& { return s.matrix.half_rows_grouped; }},
    {"misaligned", [](Software& s) -> double& { return s.matrix.misaligned; }},
    {"matrix_memory_share", [](Software& s) -> double& { return s.matrix.memory_share; }},
    {"cast_bytes", [](Software& s) -> double& { return s.matrix.cast_bytes; }},
    {"attention_share", [](Software& s) -> double& { return s.attention.peak_share; }},
    {"odd_head", [](Software& s) -> double& { return s.attention.odd_head; }},
    {"score_bytes", [](Software& s) -> double& { return s.attention.score_bytes; }},
    {"hidden_bytes", [](Software& s) -> double& { return s.elementwise.hidden; }},
    {"routing", [](Software& s) -> double& { return s.elementwise.routing; }},
    {"logit_bytes", [](Software& s) -> double& { return s.elementwise.logit_bytes; }},
    {"inside_share", [](Software& s) -> double& { return s.links.inside; }},
    {"across_share", [](Software& s) -> double& { return s.links.across; }},
    {"expert_share", [](Software& s) -> double& { return s.links.expert; }},
    {"tensor_visible", [](Software& s) -> double& { return s.links.tensor_visible; }},
    {"expert_visible", [](Software& s) -> double& { return s.links.expert_visible; }},
    {"pair_hidden", [](Software& s) -> double& { return s.links.pair_hidden; }},
    {"gradient_hidden", [](Software& s) -> double& { return s.links.gradient_hidden; }},
    {"gradient_exposed", [](Software& s) -> double& { return s.links.gradient_exposed; }},
    {"gather_hidden", [](Software& s) -> double& { return s.links.gather_hidden; }},
    {"stage_visible", [](Software& s) -> double& { return s.links.stage_visible; }},
    {"gradient_wire_bytes", [](Software& s) -> double& { return s.wire.gradient; }},
    {"weight_wire_bytes", [](Software& s) -> double& { return s.wire.weight; }},
    {"host_most_experts", [](Software& s) -> double& { return s.host.most_experts; }},
    {"optimizer_bytes", [](Software& s) -> double& { return s.step.optimizer_bytes; }},
    {"straggler", [](Software& s) -> double& { return s.step.straggler; }},
    {"kept_score_bytes", [](Software& s) -> double& { return s.kept.score; }},
    {"kept_logit_bytes", [](Software& s) -> double& { return s.kept.logit; }},
    {"state_factor", [](Software& s) -> double& { return s.kept.state_factor; }},
    {"activation_factor", [](Software& s) -> double& { return s.kept.activation_factor; }},
};

constexpr SoftwareQuantity quantities[] = {
    {"launch_time", [](Software& s, double v) { s.matrix.launch = Seconds{v}; },
     [](const Software& s) { return s.matrix.launch.value(); }},
    {"host_layer_time", [](Software& s, double v) { s.host.layer = Seconds{v}; },
     [](const Software& s) { return s.host.layer.value(); }},
    {"host_expert_layer_time", [](Software& s, double v) { s.host.expert_layer = Seconds{v}; },
     [](const Software& s) { return s.host.expert_layer.value(); }},
    {"host_expert_time", [](Software& s, double v) { s.host.expert = Seconds{v}; },
     [](const Software& s) { return s.host.expert.value(); }},
    {"fixed_time", [](Software& s, double v) { s.step.fixed = Seconds{v}; },
     [](const Software& s) { return s.step.fixed.value(); }},
    {"bucket", [](Software& s, double v) { s.links.bucket = Bytes{v}; },
     [](const Software& s) { return s.links.bucket.value(); }},
    {"reserved", [](Software& s, double v) { s.kept.reserved = Bytes{v}; },
     [](const Software& s) { return s.kept.reserved.value(); }},
};

}  // namespace

Decoded<Architecture> decode_architecture(const Entry& entry) {
  Decoded<Architecture> decoded;
  FieldReader fields(entry, decoded.problems);
  fields.choice("kind", kinds);
  Architecture& a = decoded.value;
  a.layers = fields.whole("layers", 1, most);
  a.hidden = fields.whole("hidden", 1, most);
  a.heads = fields.whole("heads", 1, most);
  a.key_value_heads = fields.whole_or("key_value_heads", a.heads, 1, a.heads);
  a.head_dim = fields.whole_or("head_dim", a.hidden / a.heads, 1, most);
  a.ffn_hidden = fields.whole_or("ffn_hidden", 4 * a.hidden, 1, most);
  a.ffn_matrices = 2 + fields.whole_or("gated_ffn", 0, 0, 1);
  a.vocabulary = fields.whole_or("vocabulary", 50304, 1, most);
  a.tied_embeddings = fields.whole_or("tied_embeddings", 0, 0, 1) != 0;
  a.window = fields.whole_or("window", 0, 0, most);
  a.windowed_layers = a.window > 0 ? fields.not_negative_or("windowed_layers", 1) : 0;
  a.prediction_layers = fields.whole_or("prediction_layers", 0, 0, most);
  a.latent = latent_attention(fields, entry);
  a.experts = experts(fields, entry, a.layers);
  return decoded;
}

Decoded<PhysicalSystem> decode_physical_system(const Entry& entry) {
  Decoded<PhysicalSystem> decoded;
  FieldReader fields(entry, decoded.problems);
  PhysicalSystem& system = decoded.value;
  Accelerator& a = system.accelerator;
  a.peak_16bit = Throughput{fields.positive("peak_flops")};
  a.peak_8bit = Throughput{fields.not_negative_or("peak_flops_8bit", 0)};
  a.peak_4bit = Throughput{fields.not_negative_or("peak_flops_4bit", 0)};
  a.memory_bandwidth = Bandwidth{fields.positive("memory_bandwidth")};
  a.memory_capacity = Bytes{fields.positive("memory_capacity")};
  a.host_bandwidth = Bandwidth{fields.not_negative_or("host_bandwidth", 0)};
  a.host_capacity = Bytes{fields.not_negative_or("host_capacity", 0)};
  Network& n = system.network;
  n.enclosures.node = fields.whole("node_devices", 1, most);
  n.node_links = static_cast<NodeLinks>(fields.choice_or("node_links", link_kinds, 0));
  n.inside = tier(fields, "node_bandwidth", "node_latency");
  n.across = tier(fields, "network_bandwidth", "network_latency");
  n.enclosures.pod = fields.whole_or("pod_devices", 0, 0, most);
  n.between_pods = tier(fields, "pod_bandwidth", "pod_latency");
  system.price = Dollars{fields.not_negative_or("price", absent)};
  system.power = Watts{fields.not_negative_or("power", absent)};
  return decoded;
}

Decoded<Software> decode_software(const Entry& entry) {
  Decoded<Software> decoded;
  FieldReader fields(entry, decoded.problems);
  Software& s = decoded.value;
  for (const SoftwareField& field : numbers) field.at(s) = fields.not_negative_or(field.name, field.at(s));
  for (const SoftwareQuantity& field : quantities) field.set(s, fields.not_negative_or(field.name, field.get(s)));
  return decoded;
}

}  // namespace dfsweep::training
