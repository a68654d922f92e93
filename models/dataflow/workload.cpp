/// Decoding of workloads.
#include "models/dataflow/workload.hpp"

#include <cmath>

#include "models/dataflow/graph_entry.hpp"
#include "models/dataflow/programs.hpp"
#include "models/dataflow/transformer.hpp"
#include "models/size_fields.hpp"

namespace dfsweep {

namespace {

constexpr double largest_size = 1e15;

void decode_transformer(const Entry& entry, const WorkloadChoices& choices, DecodedWorkload& decoded) {
  SizeFields field(entry, largest_size, decoded.problems);
  TransformerSizes s;
  s.hidden = field.required("hidden");
  s.heads = field.required("heads");
  if (!entry.has_number("head_dim") && std::fmod(s.hidden, s.heads) != 0.0)
    decoded.problems.push_back("has a 'hidden' that is no multiple of 'heads' and no 'head_dim'");
  s.head_dim = field.optional("head_dim", std::ceil(s.hidden / s.heads));
  s.key_value_heads = field.optional("key_value_heads", s.heads);
  if (std::fmod(s.heads, s.key_value_heads) != 0.0)
    decoded.problems.push_back("has 'heads' that are no multiple of 'key_value_heads'");
  s.ffn_hidden = field.optional("ffn_hidden", 4.0 * s.hidden);
  s.feed_forward = entry.number_or("gated_ffn", 0.0) != 0.0 ? FeedForward::gated : FeedForward::plain;
  if (choices.layer_detail == LayerDetail::plain) {
    s.key_value_heads = s.heads;
    s.feed_forward = FeedForward::plain;
  }
  s.sequence_length = std::isnan(choices.sequence_length) ? field.required("sequence_length") : choices.sequence_length;
  Workload& w = decoded.workload;
  w.layers = field.required("layers");
  w.graph = choices.phase == Phase::train ? transformer_training(s) : transformer_forward(s);
  w.tile_length = s.sequence_length;
  w.boundary_words = s.hidden * s.sequence_length;
}

void decode_dlrm(const Entry& entry, DecodedWorkload& decoded) {
  SizeFields field(entry, largest_size, decoded.problems);
  DlrmSizes s;
  s.tables = field.required("tables");
  s.rows_per_table = field.required("rows_per_table");
  s.embedding_dim = field.required("embedding_dim");
  s.pooled_rows = field.required("pooled_rows");
  s.mlp_layers = field.required("mlp_layers");
  s.bottom_layers = field.required("bottom_layers");
  s.mlp_width = field.required("mlp_width");
  s.samples_per_chip = field.required("samples_per_chip");
  if (s.bottom_layers > s.mlp_layers) decoded.problems.push_back("has more 'bottom_layers' than 'mlp_layers'");
  if (s.mlp_layers > 3'000) decoded.problems.push_back("has more than 3000 'mlp_layers'");
  if (!decoded.problems.empty()) return;
  Workload& w = decoded.workload;
  w.graph = dlrm_graph(s);
  w.spread = Spread::replicated;
  w.phase = Phase::train;
  w.samples_per_pass = s.samples_per_chip;
  w.machine_words = s.tables * s.rows_per_table * s.embedding_dim;
}

void decode_hpl(const Entry& entry, DecodedWorkload& decoded) {
  SizeFields field(entry, largest_size, decoded.problems);
  const HplSizes s{field.required("matrix_size"), field.required("block_size"), field.required("steps")};
  if (s.steps * s.block_size > s.matrix_size)
    decoded.problems.push_back("has more 'steps' than blocks in 'matrix_size'");
  if (s.steps > 10'000) decoded.problems.push_back("has more than 10000 'steps'");
  if (!decoded.problems.empty()) return;
  Workload& w = decoded.workload;
  w.graph = hpl_graph(s);
  w.spread = Spread::grid;
  w.phase = Phase::prefill;
  w.global_batch = 1.0;
  w.machine_words = s.matrix_size * s.matrix_size;
}

void decode_fft(const Entry& entry, DecodedWorkload& decoded) {
  SizeFields field(entry, largest_size, decoded.problems);
  const FftSizes s{field.required("length"), field.required("radix")};
  const double exponent = std::log2(s.length);
  if (exponent != std::floor(exponent) || std::fmod(exponent, 2.0) != 0.0 || exponent < 2.0)
    decoded.problems.push_back("needs an even power of two as 'length'");
  const double bits = std::log2(s.radix);
  if (bits != std::floor(bits) || bits < 1.0) decoded.problems.push_back("needs a power of two >= 2 as 'radix'");
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
  w.global_batch = entry.number_or("global_batch", w.global_batch);
  w.word_bytes = std::isnan(choices.word_bytes) ? entry.number_or("word_bytes", 2.0) : choices.word_bytes;
  if (!(w.word_bytes > 0.0)) decoded.problems.push_back("needs a positive 'word_bytes'");
  if (!std::isnan(w.global_batch) && !(w.global_batch >= 1.0 && w.global_batch == std::floor(w.global_batch)))
    decoded.problems.push_back("needs a whole number >= 1 as 'global_batch'");
  const std::string kind = entry.text_or("kind", "");
  if (kind == "transformer")
    decode_transformer(entry, choices, decoded);
  else if (kind == "dlrm")
    decode_dlrm(entry, decoded);
  else if (kind == "hpl")
    decode_hpl(entry, decoded);
  else if (kind == "fft")
    decode_fft(entry, decoded);
  else if (kind == "graph")
    decode_graph(entry, decoded);
  else
    decoded.problems.push_back("has no 'kind' among transformer, dlrm, hpl, fft, graph");
  if (decoded.problems.empty()) decoded.problems = problems_of(w.graph);
  if (decoded.problems.empty()) w.flop = flop_of(w.graph);
  return decoded;
}

}  // namespace dfsweep
