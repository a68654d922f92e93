/// Workload: the graph and amounts of one model of the catalogue, for one phase, precision and sequence length.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/absent.hpp"
#include "models/dataflow/workload/convention.hpp"
#include "models/dataflow/workload/graph.hpp"
#include "models/decoded.hpp"
#include "models/entry.hpp"

namespace dfsweep::dataflow {

enum class Phase : std::uint8_t { train, prefill };

/// How the kernels of a workload are distributed over chips.
enum class Spread : std::uint8_t {
  tensor_parallel,  ///< along a chosen dimension of each kernel: transformers and user graphs
  replicated,       ///< every chip processes different samples: DLRM
  grid,             ///< rows and columns of a matrix over a grid of chips: HPL
  columns,          ///< columns over all chips: FFT
};

struct Workload {
  Graph graph;
  Spread spread = Spread::tensor_parallel;
  Phase phase = Phase::train;
  double layers = 1.0;  ///< copies of the graph in sequence
  double word_bytes = 2.0;
  double global_batch = absent;   ///< from the entry; NaN where it has none
  double samples_per_pass = 1.0;  ///< per chip, DLRM
  double tile_length = 1.0;       ///< length of the tiled dimension; its divisors are the numbers of tiles
  double boundary_words = 0.0;    ///< tensor that passes from layer to layer
  double machine_words = 0.0;     ///< data of the whole machine besides weights (tables, matrix)
  double flop = 0.0;              ///< useful FLOP of a layer and sequence (the mean of all layers), or of a pass
  std::string unsupported;        ///< why the graph does not describe the model; empty: it does
  /// The other kind of layer of a model whose first layers are dense: `graph` is then that of a layer with experts.
  std::shared_ptr<const Workload> dense;  ///< null: all layers are equal
  double dense_share = 0.0;               ///< of all layers; 0 without `dense`
};

/// Parameters of a workload in addition to its entry. NaN: use the entry.
struct WorkloadChoices {
  Phase phase = Phase::train;
  double sequence_length = absent;
  double word_bytes = absent;
  LayerDetail layer_detail = LayerDetail::as_described;
};

struct DecodedWorkload {
  Workload workload;
  std::vector<EntryProblem> problems;  ///< problems of the entry; empty: valid
};

/// Fields by `kind` (defaults in parentheses); every kind may have global_batch and word_bytes (2).
///   transformer  hidden, heads, layers, sequence_length; head_dim (hidden/heads), key_value_heads (heads),
///                ffn_hidden (4 hidden), gated_ffn (0), prediction_layers (0, only trained); experts (0) with
///                experts_per_token, expert_ffn_hidden, shared_ffn_hidden (0), dense_layers (0)
///   dlrm         tables, rows_per_table, embedding_dim, pooled_rows, mlp_layers, bottom_layers, mlp_width,
///                samples_per_chip
///   hpl          matrix_size, block_size, steps
///   fft          length, radix
///   graph        parts `kernel` (name, type: "matrix" or "elementwise", outer, m, k, n, weight_words, gradient_words,
///                memory_words, exchange_words, tiling: "none", "n" or "k", pass: "forward" or "backward") and
///                `edge` (from, to: names of kernels); layers (1), boundary_words (0)
[[nodiscard]] DecodedWorkload decode_workload(const Entry& entry, const WorkloadChoices& choices);

}  // namespace dfsweep::dataflow
