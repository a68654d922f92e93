/// Transformer layers as graphs: forward only, and forward with backward and weight updates.
#pragma once

#include "models/dataflow/workload/graph.hpp"
#include "models/dataflow/workload/transformer_sizes.hpp"

namespace dfsweep::dataflow {

/// The forward layer of [dfmodel] section 1.1: 18 kernels and 21 edges (a gated feed-forward network adds FFN_Gate and
/// FFN_Multiply at the end). With grouped queries, K and V have key_value_heads heads.
///
/// With experts, Router scores them, Dispatch copies each token to its experts, the kernels FFN0 to FFN1 have the
/// experts as `outer`, and Combine sums their results; the shared experts are Shared_FFN0 (both matrices where gated),
/// Shared_GeLU and Shared_FFN1. These come after all kernels of the dense layer.
[[nodiscard]] Graph transformer_forward(const TransformerSizes& sizes);

/// The layer of [dfmodel] section 1.2: 41 kernels and 53 edges. A gated feed-forward network adds five kernels: two
/// forward, and FFN_Multiply_bwd, FFN_Gate_bwd, FFN_Gate_bwd_weight_update after the weight updates of the plain layer.
/// Experts add Combine_bwd (gradients of the results of experts), Gates_bwd (of the scores), Router_bwd, its weight
/// update, Dispatch_bwd (sum over the experts of a token), and the counterparts of the shared experts.
[[nodiscard]] Graph transformer_training(const TransformerSizes& sizes);

}  // namespace dfsweep::dataflow
