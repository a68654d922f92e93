/// Programs other than transformers as graphs: recommendation (DLRM), dense linear algebra (HPL), FFT.
#pragma once

#include "models/dataflow/workload/graph.hpp"

namespace dfsweep::dataflow {

/// Deep learning recommendation model, forward and backward. Whole numbers >= 1.
struct DlrmSizes {
  double tables = 0.0;
  double rows_per_table = 0.0;
  double embedding_dim = 0.0;
  double pooled_rows = 0.0;    ///< rows that a sample reads from each table
  double mlp_layers = 0.0;     ///< bottom and top layers together
  double bottom_layers = 0.0;  ///< <= mlp_layers; the last of them carries the embedding traffic
  double mlp_width = 0.0;
  double samples_per_chip = 0.0;  ///< samples in one pass over the graph
};
/// The graph of DLRM: 3 L kernels, 4 (L-1) edges. [dfmodel] section 1.3
[[nodiscard]] Graph dlrm_graph(const DlrmSizes& sizes);

/// The first `steps` block steps of an LU factorisation of a matrix_size^2 matrix. Pre: steps * block_size <=
/// matrix_size.
struct HplSizes {
  double matrix_size = 0.0;
  double block_size = 0.0;
  double steps = 0.0;
};
/// The graph of HPL: one matrix kernel per step. [dfmodel] section 1.4
[[nodiscard]] Graph hpl_graph(const HplSizes& sizes);

/// A transform of `length` points as a square of side sqrt(length), in butterflies of `radix`.
struct FftSizes {
  double length = 0.0;  ///< an even power of two
  double radix = 0.0;   ///< a power of two >= 2
};
/// The graph of an FFT: two kernels and one edge. [dfmodel] section 1.5
[[nodiscard]] Graph fft_graph(const FftSizes& sizes);

}  // namespace dfsweep::dataflow
