/// Execution: parallelism of a training step, micro-batches, and recomputation.
#pragma once

#include <cstdint>

#include "models/machine/number_format.hpp"

namespace dfsweep {

/// Degrees of parallelism. The devices of a job are tensor x context x data x pipeline; experts are distributed over
/// the first three.
struct Parallelism {
  double tensor = 1.0;
  double context = 1.0;
  double expert = 1.0;
  double expert_tensor = 1.0;  ///< ranks that share one expert; expert_ranks divides tensor x context x data
  double data = 1.0;
  double pipeline = 1.0;
  double chunks_per_stage = 1.0;  ///< model chunks per device; above 1: interleaved (virtual) stages
  bool sequence_parallel = true;  ///< norms and residuals are split by tokens over the tensor group
};

[[nodiscard]] constexpr double device_count(const Parallelism& p) {
  return p.tensor * p.context * p.data * p.pipeline;
}

/// Ranks that share one copy of all experts.
[[nodiscard]] constexpr double expert_ranks(const Parallelism& p) {
  return p.expert * p.expert_tensor;
}

/// Number of copies of the experts.
[[nodiscard]] constexpr double expert_replicas(const Parallelism& p) {
  const double replicas = p.tensor * p.context * p.data / expert_ranks(p);
  return replicas > 1 ? replicas : 1;
}

struct Batch {
  double global = 1.0;    ///< sequences per step
  double micro = 1.0;     ///< sequences per micro-batch
  double sequence = 1.0;  ///< tokens per sequence
};

enum class Phase : std::uint8_t {
  train,    ///< a training step: both passes and the update
  forward,  ///< a forward pass over a batch: no kept activations, recomputation, gradients or update
};

enum class AttentionKernel : std::uint8_t {
  flash,         ///< scores stay on the chip; the upper triangle is skipped [flash2]
  materialized,  ///< the whole square of scores is computed and written
};

enum class ContextExchange : std::uint8_t {
  ring,        ///< keys and values circulate in the group while scores are computed [ringattention]
  all_to_all,  ///< tokens are exchanged for heads before and after the scores [ulysses]
};

/// Whether matrix products of a tensor group overlap with part of its communication.
enum class TensorOverlap : std::uint8_t { none, overlapped };

enum class Recompute : std::uint8_t {
  none,
  attention,    ///< only the scores, which flash attention never keeps [korthikanti]
  elementwise,  ///< everything except results of matrix products and of flash attention
  selective,    ///< everything except flash attention and every second matrix product
  full,         ///< whole layers from their inputs
  latent,       ///< elementwise, and latent attention from its latent vectors; inputs of products are kept as narrow as
                ///< the products [deepseekv3] sections 3.2.3 and 3.3.3
};

enum class Schedule : std::uint8_t {
  one_forward_one_backward,  ///< also interleaved, by Parallelism::chunks_per_stage [megatron]
  zero_bubble,               ///< gradients of weights fill the drain, same memory: ZB-H1 [zerobubble]
  dual_pipe,                 ///< micro-batches enter at both ends, two copies of the weights [deepseekv3]
};

enum class StageSplit : std::uint8_t {
  even,      ///< equal numbers of layers on all stages
  balanced,  ///< fewer layers on the stages of the embedding and the output layer
};

/// States sharded over the sharding group [zero].
enum class Sharding : std::uint8_t { none = 0, optimizer = 1, gradients = 2, parameters = 3 };

enum class Task : std::uint8_t {
  full,      ///< all weights are trained
  low_rank,  ///< only low-rank adapters of attention are trained; base weights are frozen and have no gradient
};

/// Bytes per parameter of the states of a step.
struct StateBytes {
  double weight = 2.0;
  double gradient = 4.0;
  double optimizer = 12.0;  ///< 32-bit Adam: master weight and two moments
};

struct Execution {
  Parallelism parallel;
  Batch batch;
  Phase phase = Phase::train;
  Task task = Task::full;
  double capacity_factor = 1.0;  ///< rows processed by experts over those of balanced routing [switch] section 2.2
  AttentionKernel attention = AttentionKernel::flash;
  ContextExchange context_exchange = ContextExchange::ring;
  TensorOverlap tensor_overlap = TensorOverlap::overlapped;
  Recompute recompute = Recompute::none;
  double recomputed_layers = 1.0;  ///< share of the layers to which `recompute` applies, 0 to 1
  Schedule schedule = Schedule::one_forward_one_backward;
  StageSplit stage_split = StageSplit::even;
  Sharding sharding = Sharding::optimizer;
  double sharding_group = 0.0;  ///< ranks that share one copy of the states; 0: data x context
  MatrixFormat format = MatrixFormat::bits16;
  StateBytes bytes;
  bool activations_8bit = false;       ///< the result of the first product of a feed-forward network is kept in 8 bits
  bool attention_8bit = false;         ///< flash attention computes its scores in 8 bits
  bool step_graph = false;             ///< all launches of a step are one recorded graph
  double offloaded_activations = 0.0;  ///< share kept in host memory, 0 to 1
  double offloaded_optimizer = 0.0;
};

/// Micro-batches of a pipeline per step; fractional where the last one is smaller.
[[nodiscard]] constexpr double micro_batches(const Execution& e) {
  const double count = e.batch.global / (e.parallel.data * e.batch.micro);
  return count > 1 ? count : 1;
}

/// Tokens of a micro-batch on one device of a context group.
[[nodiscard]] constexpr double tokens_per_device(const Execution& e) {
  return e.batch.micro * e.batch.sequence / e.parallel.context;
}

}  // namespace dfsweep
