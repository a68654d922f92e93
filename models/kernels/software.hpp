/// Software: efficiencies of one software stack on one accelerator and its links, traffic factors and host times.
///
/// Defaults are common to all stacks and serve an unknown one; docs/models/training.md says where each is
/// from. Entries of the catalogue override them for their stack.
#pragma once

#include "models/cost/step_power.hpp"
#include "models/machine/tier_collectives.hpp"
#include "models/units.hpp"

namespace dfsweep {

struct MatrixEfficiency {
  double peak_share = 0.70;   ///< share of the peak rate, for large aligned products
  double share_8bit = 1.008;  ///< multiplies peak_share at 8 bits
  double share_4bit = 0.742;  ///< multiplies peak_share at 4 bits
  double half_rows = 350.0;   ///< rows (tokens) at which a product runs at half of its rate
  double half_columns = 150.0;
  double half_depth = 176.0;
  double half_rows_grouped = 780.0;  ///< half_rows for products of routed experts
  double misaligned = 1.1;           ///< factor on time for each of columns and depth that is not a multiple of 64
  double memory_share = 0.812;       ///< share of the memory bandwidth
  Seconds launch{5.9e-6};            ///< per product
  double cast_bytes = 3.19;          ///< traffic per operand number converted to 8 or 4 bits, in one pass
};

struct AttentionEfficiency {
  double peak_share = 0.40;   ///< share of the 16-bit peak rate, for the computed scores of long sequences
  double share_8bit = 0.542;  ///< multiplies peak_share at 8 bits, relative to the 8-bit peak rate
  double half_keys = 488.0;   ///< keys that a query looks at, at which a flash kernel runs at half of that rate
  double odd_head = 9.07;     ///< factor on time where the head width is not a multiple of 8
  double score_bytes = 10.3;  ///< traffic per score where they are written to memory
};

/// Age of the software: kernels for frozen weights of a new generation of devices take longer at first.
struct KernelAge {
  double adapters = 1.0;  ///< factor on the time of the kernels of layers where only adapters are trained
};

struct ElementwisePasses {
  double hidden = 16.05;      ///< bytes per token, hidden number and layer, forward
  double routing = 2.45;      ///< factor on the traffic of permuting tokens to experts and back
  double expert_bias = 15.1;  ///< bytes per result of experts' products that have biases and a clamped gate, forward
  double logit_bytes = 14.2;  ///< traffic per logit of the loss, both passes
};

struct LinkEfficiency : LinkShares {
  double tensor_visible = 0.532;  ///< share of tensor-parallel exchanges not hidden by products
  double expert_visible = 0.422;  ///< share of expert exchanges not hidden
  double pair_hidden = 1.0;  ///< share of the kernels of a pass that can hide expert exchanges of its pair (dual-pipe)
  double gradient_hidden = 0.64;  ///< maximum share of the backward pass of a micro-batch that hides gradient exchange
  double gradient_exposed = 0.180;  ///< minimum visible share of the gradient exchange
  double gather_hidden = 0.762;     ///< share of the exchange of sharded weights that compute can hide
  double stage_visible = 0.388;     ///< share of the transfers between stages not hidden
  Bytes bucket{500e6};              ///< gradients are exchanged in buckets of this size
};

/// Bytes on the wire for one parameter.
struct WireBytes {
  double gradient = 2.0;
  double weight = 2.0;
};

struct HostTimes {
  Seconds layer{0.8e-3};           ///< to launch a dense layer's kernels, both passes
  Seconds adapter_layer{5.58e-3};  ///< the same with adapters: small products and casts beside each product
  Seconds expert_layer{3.50e-3};   ///< to launch a layer with experts, both passes, without the experts
  Seconds expert{0.339e-3};        ///< per local expert
  double most_experts = 64.0;      ///< number of local experts above which launch time does not grow
};

struct StepOverheads {
  Seconds fixed{46.8e-3};           ///< per step: data, clipping, logging
  Seconds fixed_graph{38.5e-3};     ///< the same where the launches of a step are one recorded graph
  Seconds fixed_adapters{16.4e-3};  ///< the same where only adapters are updated, too
  double optimizer_bytes = 31.4;    ///< traffic of the optimizer per parameter
  double straggler = 0.00563;       ///< slowdown per doubling of the devices
};

struct KeptBytes {
  double score = 5.0;               ///< per materialized attention score: softmax, dropout and its mask
  double logit = 6.0;               ///< per logit on the last stage
  double operand = 2.0;             ///< per number that enters a product of 8 or 4 bits, until its backward pass
  double gradient = 4.0;            ///< per weight, where the states of an execution are not given
  double narrow_weight = 2.0;       ///< per weight that is kept in 8 bits, with the copies that products need
  double frozen_weight = 2.0;       ///< per frozen weight under products of 8 or 4 bits
  double state_factor = 1.0;        ///< factor on weights, gradients and optimizer: copies, buckets, padding
  double activation_factor = 1.0;   ///< factor on activations: fragmentation, workspaces of kernels
  double interleaved_factor = 1.0;  ///< activation_factor of interleaved pipelines
  double fragments = 0.0;           ///< share of all that is kept by which the allocator needs more
  Bytes reserved{2.5e9};            ///< device context, libraries and communication buffers per device
};

struct Software {
  MatrixEfficiency matrix;
  AttentionEfficiency attention;
  ElementwisePasses elementwise;
  KernelAge age;
  LinkEfficiency links;
  WireBytes wire;
  HostTimes host;
  StepOverheads step;
  KeptBytes kept;
  cost::OperatorPower power;
};

}  // namespace dfsweep
