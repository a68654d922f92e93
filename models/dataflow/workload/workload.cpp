/// Decoding of workloads.
#include "models/dataflow/workload/workload.hpp"

#include <cmath>
#include <iterator>
#include <utility>

#include "models/absent.hpp"
#include "models/dataflow/workload/graph_entry.hpp"
#include "models/dataflow/workload/programs.hpp"
#include "models/dataflow/workload/transformer.hpp"
#include "models/declared_fields.hpp"
#include "models/short_number.hpp"
#include "models/transformer/expert_layer.hpp"

namespace dfsweep::dataflow {

namespace {

constexpr double most = 1e15;  ///< upper limit of sizes
constexpr double most_mlp_layers = 3000.0;
constexpr double most_steps = 10000.0;

constexpr std::string_view kinds[] = {"transformer", "dlrm", "hpl", "fft", "graph"};

/// Applies the defaults of `dataflow`: head_dim = hidden / heads, key_value_heads = heads, ffn_hidden = 4 hidden. A
/// plain layer has as many key-value heads as heads and no gate, regardless of the entry.
TransformerSizes sizes_of(const TransformerEntry& t, const WorkloadChoices& choices) {
  TransformerSizes s;
  s.hidden = t.hidden;
  s.heads = t.heads;
  s.head_dim = given_or(t.head_dim, std::ceil(t.hidden / t.heads));
  s.key_value_heads = given_or(t.key_value_heads, t.heads);
  s.ffn_hidden = given_or(t.ffn_hidden, 4.0 * t.hidden);
  s.feed_forward = given_or(t.gated_ffn, 0) != 0.0 ? FeedForward::gated : FeedForward::plain;
  if (choices.layer_detail == LayerDetail::plain) {
    s.key_value_heads = s.heads;
    s.feed_forward = FeedForward::plain;
  }
  s.sequence_length = given_or(choices.sequence_length, t.sequence_length);
  return s;
}

/// The feed-forward sizes of a layer with experts for one sequence. One expert is a dense layer as wide as it is with
/// the shared ones.
void set_experts(TransformerSizes& s, const Architecture& a) {
  if (!has_routing(a)) {
    s.ffn_hidden = a.experts.ffn_hidden + a.experts.shared_ffn_hidden;
    return;
  }
  const ExpertCounts counts = expert_counts(a, s.sequence_length);
  s.ffn_hidden = a.experts.ffn_hidden;
  s.routed = {a.experts.count, counts.experts, counts.tokens_per_expert, a.experts.per_token,
              a.experts.shared_ffn_hidden};
}

/// FLOP of the graph without the places of experts that no token takes.
double useful_flop(const Graph& graph, const TransformerSizes& s) {
  const RoutedSizes& r = s.routed;
  const double places = r.busy * r.tokens_per_expert;
  const double used = places > 0.0 ? s.sequence_length * r.per_token / places : 1.0;
  double flop = 0.0;
  for (const Kernel& kernel : graph.kernels)
    flop += kernel.routing == Routing::experts ? used * flop_of(kernel) : flop_of(kernel);
  return flop;
}

/// Fills what depends on the sizes of a layer.
void set_layer(Workload& w, const TransformerSizes& s) {
  w.graph = w.phase == Phase::train ? transformer_training(s) : transformer_forward(s);
  w.tile_length = s.sequence_length;
  w.boundary_words = s.hidden * s.sequence_length;
  w.flop = useful_flop(w.graph, s);
}

/// Why the graphs of this file do not describe the model; empty where they do.
std::string unsupported_part(const Architecture& a, const TransformerSizes& s, const WorkloadChoices& choices) {
  if (a.experts.count > 0.0 && choices.layer_detail == LayerDetail::plain)
    return "the dfmodel conventions have no experts; physical has";
  return other_attention(a, s.sequence_length);
}

/// Layers, and the graph of each kind of layer.
void set_layers(Workload& w, const Architecture& a, const TransformerSizes& dense) {
  if (w.phase == Phase::train) w.layers += a.prediction_layers;
  const double routed_layers = a.experts.count > 0.0 ? w.layers - a.experts.dense_layers : 0.0;
  TransformerSizes routed = dense;
  if (routed_layers > 0.0) set_experts(routed, a);
  if (routed_layers > 0.0 && routed_layers < w.layers) {
    Workload other = w;
    set_layer(other, dense);
    w.dense_share = 1.0 - routed_layers / w.layers;
    w.dense = std::make_shared<const Workload>(std::move(other));
  }
  set_layer(w, routed);
  if (w.dense) w.flop = (1.0 - w.dense_share) * w.flop + w.dense_share * w.dense->flop;
}

void decode_transformer_workload(const Entry& entry, const WorkloadChoices& choices, DecodedWorkload& decoded) {
  Decoded<TransformerEntry> read = decode_transformer(entry);
  std::move(read.problems.begin(), read.problems.end(), std::back_inserter(decoded.problems));
  const TransformerEntry& t = read.value;
  const TransformerSizes s = sizes_of(t, choices);
  if (!is_given(s.sequence_length))
    decoded.problems.push_back(
        {"'sequence_length' is missing", "neither the model nor [parameters] gives it", {"sequence_length"}});
  if (!decoded.problems.empty()) return;
  if (!is_given(t.head_dim) && std::fmod(s.hidden, s.heads) != 0.0)
    decoded.problems.push_back(
        {"'hidden' is not a multiple of 'heads'", "without 'head_dim' it must be", {"hidden", "heads", "head_dim"}});
  Decoded<Architecture> model = architecture_of(t);
  std::move(model.problems.begin(), model.problems.end(), std::back_inserter(decoded.problems));
  if (!decoded.problems.empty()) return;
  Workload& w = decoded.workload;
  w.layers = t.layers;
  w.unsupported = unsupported_part(model.value, s, choices);
  if (w.unsupported.empty())
    set_layers(w, model.value, s);
  else
    set_layer(w, s);
}

void decode_dlrm(const Entry& entry, DecodedWorkload& decoded) {
  FieldsOf<WorkloadField> fields(entry, decoded.problems);
  DlrmSizes s;
  s.tables = fields.whole("tables", 1.0, most);
  s.rows_per_table = fields.whole("rows_per_table", 1.0, most);
  s.embedding_dim = fields.whole("embedding_dim", 1.0, most);
  s.pooled_rows = fields.whole("pooled_rows", 1.0, most);
  s.mlp_layers = fields.whole("mlp_layers", 1.0, most_mlp_layers);
  s.bottom_layers = fields.whole("bottom_layers", 1.0, most);
  s.mlp_width = fields.whole("mlp_width", 1.0, most);
  s.samples_per_chip = fields.whole("samples_per_chip", 1.0, most);
  if (decoded.problems.empty() && s.bottom_layers > s.mlp_layers)
    decoded.problems.push_back({"'bottom_layers' is greater than 'mlp_layers'",
                                "the bottom layers are a part of all layers",
                                {"bottom_layers", "mlp_layers"}});
  if (!decoded.problems.empty()) return;
  Workload& w = decoded.workload;
  w.graph = dlrm_graph(s);
  w.spread = Spread::replicated;
  w.phase = Phase::train;
  w.samples_per_pass = s.samples_per_chip;
  w.machine_words = s.tables * s.rows_per_table * s.embedding_dim;
}

void decode_hpl(const Entry& entry, DecodedWorkload& decoded) {
  FieldsOf<WorkloadField> fields(entry, decoded.problems);
  const HplSizes s{fields.whole("matrix_size", 1.0, most), fields.whole("block_size", 1.0, most),
                   fields.whole("steps", 1.0, most_steps)};
  if (decoded.problems.empty() && s.steps * s.block_size > s.matrix_size)
    decoded.problems.push_back({"'steps' is greater than the number of blocks in 'matrix_size'",
                                "each step factors one block",
                                {"steps", "block_size", "matrix_size"}});
  if (!decoded.problems.empty()) return;
  Workload& w = decoded.workload;
  w.graph = hpl_graph(s);
  w.spread = Spread::grid;
  w.phase = Phase::prefill;
  w.global_batch = 1.0;
  w.machine_words = s.matrix_size * s.matrix_size;
}

void decode_user_graph(const Entry& entry, DecodedWorkload& decoded) {
  DecodedGraph found = decode_graph(entry);
  decoded.workload.graph = std::move(found.graph);
  decoded.workload.layers = found.layers;
  decoded.workload.boundary_words = found.boundary_words;
  std::move(found.problems.begin(), found.problems.end(), std::back_inserter(decoded.problems));
}

void decode_fft(const Entry& entry, DecodedWorkload& decoded) {
  FieldsOf<WorkloadField> fields(entry, decoded.problems);
  const FftSizes s{fields.whole("length", 1.0, most), fields.whole("radix", 1.0, most)};
  if (!decoded.problems.empty()) return;
  const double exponent = std::log2(s.length);
  if (exponent != std::floor(exponent) || std::fmod(exponent, 2.0) != 0.0 || exponent < 2.0)
    fields.complain("length", " is " + short_number(s.length), "an even power of two is needed");
  const double bits = std::log2(s.radix);
  if (bits != std::floor(bits) || bits < 1.0)
    fields.complain("radix", " is " + short_number(s.radix), "a power of two is needed, at least 2");
  if (!decoded.problems.empty()) return;
  Workload& w = decoded.workload;
  w.graph = fft_graph(s);
  w.spread = Spread::columns;
  w.phase = Phase::prefill;
  w.global_batch = 1.0;
  w.machine_words = s.length;
}

}  // namespace

DecodedWorkload decode_workload(const Entry& entry, const WorkloadChoices& choices) {
  DecodedWorkload decoded;
  Workload& w = decoded.workload;
  w.phase = choices.phase;
  FieldsOf<WorkloadField> fields(entry, decoded.problems);
  w.global_batch = fields.whole_or("global_batch", w.global_batch, 1.0, most);
  const double word_bytes = fields.positive_or("word_bytes", 2.0);
  w.word_bytes = !is_given(choices.word_bytes) ? word_bytes : choices.word_bytes;
  const std::optional<std::size_t> known_kind = fields.choice("kind", kinds);
  if (!known_kind) return decoded;
  const std::string_view kind = kinds[*known_kind];
  if (kind == "transformer")
    decode_transformer_workload(entry, choices, decoded);
  else if (kind == "dlrm")
    decode_dlrm(entry, decoded);
  else if (kind == "hpl")
    decode_hpl(entry, decoded);
  else if (kind == "fft")
    decode_fft(entry, decoded);
  else
    decode_user_graph(entry, decoded);
  if (kind != "graph" && decoded.problems.empty()) decoded.problems = problems_of(w.graph);
  if (decoded.problems.empty() && kind != "transformer") w.flop = flop_of(w.graph);
  return decoded;
}

}  // namespace dfsweep::dataflow
