/// Workload: what one model of the catalogue asks a system to do, decoded for one phase, precision and sequence length.
#pragma once

#include <string>
#include <vector>

#include "models/absent.hpp"
#include "models/dataflow/workload/convention.hpp"
#include "models/dataflow/workload/graph.hpp"
#include "models/decoded.hpp"
#include "models/entry.hpp"

namespace dfsweep::dataflow {

enum class Phase : std::uint8_t { train, prefill };

/// How the kernels of a workload are divided among chips.
enum class Spread : std::uint8_t {
  tensor_parallel,  ///< by a chosen dimension of each kernel: transformers and user graphs
  replicated,       ///< every chip works on samples of its own: DLRM
  grid,             ///< rows and columns of a matrix over a grid of chips: HPL
  columns,          ///< columns over all chips: FFT
};

struct Workload {
  Graph graph;
  Spread spread = Spread::tensor_parallel;
  Phase phase = Phase::train;
  double layers = 1.0;  ///< copies of the graph, one after the other
  double word_bytes = 2.0;
  double global_batch = absent;   ///< of the entry; NaN where it has none
  double samples_per_pass = 1.0;  ///< per chip, DLRM
  double tile_length = 1.0;       ///< length of the tiled dimension; its divisors are the numbers of tiles
  double boundary_words = 0.0;    ///< tensor that passes from layer to layer
  double machine_words = 0.0;     ///< data that the whole machine holds besides weights (tables, matrix)
  double flop = 0.0;              ///< of the graph: one layer and sequence, or one pass
};

/// What a workload is decoded from besides its entry. NaN: as the entry says.
struct WorkloadChoices {
  Phase phase = Phase::train;
  double sequence_length = absent;
  double word_bytes = absent;
  LayerDetail layer_detail = LayerDetail::as_described;
};

struct DecodedWorkload {
  Workload workload;
  std::vector<EntryProblem> problems;  ///< what is wrong with the entry; empty: nothing
};

/// Fields by text `kind`; every kind may have global_batch and word_bytes (default 2).
///   transformer  hidden, heads, layers, sequence_length; head_dim (hidden/heads), key_value_heads (heads),
///                ffn_hidden (4 hidden), gated_ffn (0)
///   dlrm         tables, rows_per_table, embedding_dim, pooled_rows, mlp_layers, bottom_layers, mlp_width,
///                samples_per_chip
///   hpl          matrix_size, block_size, steps
///   fft          length, radix
///   graph        parts `kernel` (name, type: "matrix" or "elementwise", outer, m, k, n, weight_words, gradient_words,
///                memory_words, exchange_words, tiling: "none", "n" or "k", pass: "forward" or "backward") and
///                `edge` (from, to: names of kernels); layers (1), boundary_words (0)
[[nodiscard]] DecodedWorkload decode_workload(const Entry& entry, const WorkloadChoices& choices);

}  // namespace dfsweep::dataflow
