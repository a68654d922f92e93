/// Software: what one software stack reaches of one accelerator and its links, as shares, passes and host times.
///
/// Defaults are common to all stacks and serve an unknown one; docs/models/training.md says where each is
/// from. Stacks of the catalogue give what is theirs.
#pragma once

#include "models/machine/tier_collectives.hpp"
#include "models/units.hpp"

namespace dfsweep::training {

struct MatrixEfficiency {
  double peak_share = 0.70;  ///< of the peak rate, for large aligned products
  double share_8bit = 1.06;  ///< multiplies peak_share at 8 bits
  double share_4bit = 0.78;  ///< multiplies peak_share at 4 bits
  double half_rows = 305.0;  ///< rows (tokens) at which a product runs at half of its rate
  double half_columns = 156.0;
  double half_depth = 287.0;
  double half_rows_grouped = 530.0;  ///< the same for the products of routed experts
  double misaligned = 1.12;          ///< factor on time for each of columns and depth that is not a multiple of 64
  double memory_share = 0.81;        ///< of the memory bandwidth
  Seconds launch{6e-6};              ///< of one product
  double cast_bytes = 2.95;          ///< traffic per operand number that is converted to 8 or 4 bits, in one pass
};

struct AttentionEfficiency {
  double peak_share = 0.40;   ///< of the 16-bit peak rate, for the scores that are computed
  double odd_head = 8.8;      ///< factor on time where the width of a head is not a multiple of 8
  double score_bytes = 10.0;  ///< traffic per score where they are written to memory
};

struct ElementwisePasses {
  double hidden = 18.3;       ///< bytes per token and hidden number of a layer, forward
  double routing = 2.75;      ///< factor on the traffic of permuting tokens to experts and back
  double logit_bytes = 16.3;  ///< traffic per logit of the loss, both passes
};

struct LinkEfficiency : LinkShares {
  double tensor_visible = 0.35;  ///< share of tensor-parallel exchanges that products do not hide
  double expert_visible = 0.42;  ///< share of expert exchanges that nothing hides
  double pair_hidden = 1.0;  ///< share of the kernels of a pass that can hide expert exchanges of its pair (dual-pipe)
  double gradient_hidden = 0.72;    ///< largest part of the backward pass of a micro-batch that hides gradient exchange
  double gradient_exposed = 0.165;  ///< least share of the gradient exchange that stays visible
  double gather_hidden = 0.72;      ///< share of the exchange of sharded weights that can hide behind computing
  double stage_visible = 0.43;      ///< share of the transfers between stages that nothing hides
  Bytes bucket{500e6};              ///< gradients are exchanged in buckets of this size
};

/// Bytes on the wire for one parameter.
struct WireBytes {
  double gradient = 2.0;
  double weight = 2.0;
};

struct HostTimes {
  Seconds layer{0.8e-3};          ///< to launch a dense layer's kernels, both passes
  Seconds expert_layer{3.73e-3};  ///< to launch a layer with experts, both passes, without the experts
  Seconds expert{0.366e-3};       ///< for each local expert
  double most_experts = 64.0;     ///< beyond so many local experts launches do not become more
};

struct StepOverheads {
  Seconds fixed{49e-3};           ///< of a step: data, clipping, logging
  double optimizer_bytes = 31.0;  ///< traffic of the optimizer per parameter
  double straggler = 0.0055;      ///< slowdown for each doubling of the devices
};

struct KeptBytes {
  double score = 5.0;              ///< per attention score that is materialized: softmax, dropout and its mask
  double logit = 6.0;              ///< per logit on the last stage
  double state_factor = 1.0;       ///< on weights, gradients and optimizer: copies, buckets, padding
  double activation_factor = 1.0;  ///< on activations: fragments, buffers of kernels
  Bytes reserved{2.5e9};           ///< context, libraries and communication buffers of a device
};

struct Software {
  MatrixEfficiency matrix;
  AttentionEfficiency attention;
  ElementwisePasses elementwise;
  LinkEfficiency links;
  WireBytes wire;
  HostTimes host;
  StepOverheads step;
  KeptBytes kept;
};

}  // namespace dfsweep::training
