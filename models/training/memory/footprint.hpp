/// Footprint: what a device keeps during a training step, by what it is.
#pragma once

#include <algorithm>

#include "models/kernels/execution.hpp"
#include "models/kernels/software.hpp"
#include "models/machine/accelerator.hpp"
#include "models/transformer/architecture.hpp"

namespace dfsweep::training {

struct Footprint {
  Bytes weights;
  Bytes gradients;
  Bytes optimizer;
  Bytes gathered;  ///< weights of the layers at work, gathered from other ranks
  Bytes activations;
  Bytes logits;
  Bytes reserved;
  [[nodiscard]] Bytes total() const {
    return weights + gradients + optimizer + gathered + activations + logits + reserved;
  }
};

/// What is on the device, and what is in the memory of the host.
struct MemoryTiers {
  Footprint device;
  Footprint host;
  Bytes offloaded_by_micro_batch;  ///< activations that a micro-batch sends to the host
};

/// Parameters of one device after tensor, pipeline and expert parallelism, before sharding.
struct LocalParameters {
  double dense = 0.0;  ///< attention, feed-forward networks, shared experts, norms' neighbours
  double experts = 0.0;
  double vocabulary = 0.0;  ///< embedding or output layer of an end of the pipeline
};

[[nodiscard]] LocalParameters local_parameters(const Architecture& architecture, const Parallelism& parallel);

/// Bytes of activations that one layer keeps for its backward pass, for one micro-batch, t tokens on the device, w
/// bytes of a number that enters a product, without recomputation:
///     t [(4 + 2w) h/sp + 2 ((a+2kv) dk + a dv)/TP + (r (m-1) + w) f/TP],
/// sp = TP with sequence parallelism, r = 2, or 1 with activations_8bit; plus w a dv t/TP where attention's result is
/// converted (w < 2); plus `score_bytes` a t s/TP where scores are materialized; experts t/TP k ((2+w) h + (r (m-1) +
/// w) f_e). With w = r = 2 that is [korthikanti] section 4.1. Frozen products keep no input: without w f/TP and once w
/// h/sp, plus t h/TP for the mask of the adapters. Recomputation keeps less: attention no scores; elementwise results
/// of matrix products and the layer's input, 2t [2h/sp + (heads) + (m-1) f/TP]; selective the input and half of the
/// rest of that; full 2 t h/sp. Latent keeps 2t [2h/sp + rq + rkv + dr + a dv/TP] + t/TP [min(w, r) (m-1) (f + k f_e) +
/// w k h], w bytes of a number in products; without latent attention (a+2kv) dk/TP in place of its ranks. [deepseekv3]
/// section 3.3.3
[[nodiscard]] Bytes layer_activations(const Architecture& architecture, const Execution& execution, Recompute recompute,
                                      const Software& software);

/// Whether the chunks of an interleaved pipeline are equal where embedding and output layer count as a layer each.
[[nodiscard]] bool has_lighter_ends(const Architecture& architecture, const Execution& execution);

/// Layers whose activations the first stage keeps, over all micro-batches in flight: those of a stage, ceil(L/p), times
/// these. An interleaved pipeline of balanced stages that count embedding and output layer as layers, (L+2)/p of a
/// stage, has one layer less in its first chunk, of which min(m, 2p-1) micro-batches are in flight.
[[nodiscard]] double first_stage_layers(const Architecture& architecture, const Execution& execution);

/// Bytes of the states that a stack keeps of a parameter where an execution does not give them: 4/4/8 where it trains
/// with sharded parameters, else 2, the stack's gradients, and 12; frozen weights under narrow products as the stack's.
[[nodiscard]] StateBytes usual_state_bytes(const Execution& execution, const KeptBytes& kept);

/// What a device must have: the footprint, and the share of it that fragments take.
[[nodiscard]] inline Bytes needed_memory(const Footprint& device, const KeptBytes& kept) {
  return (1 + kept.fragments) * device.total();
}

/// What a layer keeps of a micro-batch, with and without recomputation, and the share of the layers to which it
/// applies; and the logits of the last stage.
struct KeptByLayer {
  Bytes kept;
  Bytes whole;
  double share = 0.0;
  Bytes logits;
};

[[nodiscard]] KeptByLayer kept_by_layer(const Architecture& architecture, const Execution& execution,
                                        const Software& software);

/// Layers of a stage, and those that hold activations on an end of the pipeline: a layer counts once for each
/// micro-batch that is in flight.
struct HeldLayers {
  double stage = 1.0;
  double first = 1.0;
  double last = 1.0;  ///< beside the logits
};

[[nodiscard]] HeldLayers held_layers(const Architecture& architecture, const Execution& execution);

/// What a device keeps whatever it computes: weights, gradients, optimizer, gathered weights and what is reserved,
/// before the factors of the stack.
[[nodiscard]] Footprint state_footprint(const Architecture& architecture, const Execution& execution,
                                        const Software& software);

/// Activations of both ends of a pipeline before anything is offloaded; in a forward pass those of one layer at work.
struct HeldActivations {
  Bytes first;  ///< nothing without a pipeline
  Bytes last;   ///< beside the logits
  Bytes logits;
  Bytes by_micro_batch;  ///< of a stage
  Bytes at_work;         ///< of a layer that is computed: never offloaded
  double factor = 1.0;   ///< of the stack, on activations
};

[[nodiscard]] HeldActivations held_activations(const KeptByLayer& layer, const HeldLayers& held,
                                               const Execution& execution, const KeptBytes& kept);

/// Sets what a device and its host keep whatever is computed, with the factor of the stack. Here and in set_activations
/// `tiers` are new or those of other parts; both are inlined and set in place, because searches ask at every execution.
inline void set_states(const Footprint& states, const Execution& e, const KeptBytes& kept, MemoryTiers& tiers) {
  const Bytes optimizer = (e.phase == Phase::train ? e.offloaded_optimizer : 0.0) * states.optimizer;
  tiers.host.optimizer = optimizer;
  tiers.device.weights = kept.state_factor * states.weights;
  tiers.device.gradients = kept.state_factor * states.gradients;
  tiers.device.optimizer = kept.state_factor * (states.optimizer - optimizer);
  tiers.device.gathered = states.gathered;
  tiers.device.reserved = states.reserved;
}

/// Sets activations and logits of the end of the pipeline that is fuller after what is offloaded.
inline void set_activations(const HeldActivations& held, const Execution& e, MemoryTiers& tiers) {
  const double out = e.phase == Phase::train ? e.offloaded_activations : 0.0;  // forward passes keep none to offload
  const auto offloaded = [&](Bytes all) { return out * std::max(Bytes{}, all - held.at_work); };
  const Bytes first = held.factor * (held.first - offloaded(held.first));
  const Bytes last = held.factor * (held.last - offloaded(held.last));
  const bool first_is_fuller = first > last + held.logits;
  tiers.host.activations = offloaded(std::max(held.first, held.last));
  tiers.offloaded_by_micro_batch = out * held.by_micro_batch;
  tiers.device.activations = first_is_fuller ? first : last;
  tiers.device.logits = first_is_fuller ? Bytes{} : held.logits;
}

/// The fuller of the first and the last device of the pipeline; with offloading the layer at work stays on it. On the
/// device the stack keeps state_factor times the states and activation_factor times the activations, interleaved_factor
/// in an interleaved pipeline. In a forward pass that is the last one: weights, one layer at work and logits.
[[nodiscard]] MemoryTiers memory_footprint(const Architecture& architecture, const Execution& execution,
                                           const Software& software);

}  // namespace dfsweep::training
