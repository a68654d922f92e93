#include "models/training/memory/footprint.hpp"

#include <algorithm>
#include <cmath>

#include "models/training/pipeline/schedule.hpp"
#include "models/training/pipeline/stages.hpp"

namespace dfsweep::training {

namespace {

constexpr double number_bytes = 2.0;  // of activations, of gathered weights

PipelineShape shape_of(const Execution& e) {
  return {e.schedule, e.parallel.pipeline, e.parallel.chunks_per_stage, micro_batches(e)};
}

/// Ranks over which states of dense and of expert weights are sharded.
struct ShardRanks {
  double dense = 1.0;
  double experts = 1.0;
};

ShardRanks shard_ranks(const Execution& e) {
  const Parallelism& p = e.parallel;
  const auto ranks = [&](double replicas) {
    return std::max(1.0, e.sharding_group > 0 ? std::min(e.sharding_group, replicas) : replicas);
  };
  return {ranks(p.data * p.context), ranks(expert_replicas(p))};
}

/// Bytes of one kind of state, sharded from `from` on.
Bytes state_bytes(double bytes, const LocalParameters& n, const Execution& e, const ShardRanks& ranks, Sharding from) {
  const bool sharded = e.sharding >= from;
  const double dense = (n.dense + n.vocabulary) / (sharded ? ranks.dense : 1.0);
  return Bytes{bytes * (dense + n.experts / (sharded ? ranks.experts : 1.0))};
}

/// Two layers at work and one end of the vocabulary, whole on the device.
Bytes gathered_weights(const LocalParameters& n, const Execution& e, double layers) {
  if (e.sharding != Sharding::parameters) return Bytes{};
  return Bytes{number_bytes * (2 * (n.dense + n.experts) / layers + n.vocabulary)};
}

/// Of `count` layers, those of all micro-batches in flight together, and of the one that is computed again.
Bytes activations(const KeptByLayer& layer, double count) {
  const double share = layer.share;
  return count * (share * layer.kept + (1 - share) * layer.whole) +
         std::min(1.0, share * count) * (layer.whole - layer.kept);
}

/// Bytes of the numbers that a layer keeps of a token, by what they are.
struct KeptNumbers {
  double norm = 2.0;       ///< results of norms, inputs of products
  double norms = 2.0;      ///< how many of these results
  double projected = 0.0;  ///< converted result of attention
  double first = 2.0;      ///< result of the first product of a feed-forward network
  double second = 2.0;     ///< result of the activation function
  double mask = 0.0;       ///< of the adapters, per hidden number
  double routed = 2.0;     ///< rows that enter experts
};

KeptNumbers kept_numbers(const Execution& e, Recompute recompute, const KeptBytes& kept) {
  const double first = e.activations_8bit ? 1.0 : number_bytes;
  const double operand = e.format == MatrixFormat::bits16 ? number_bytes : kept.operand;
  const double routed = e.task == Task::low_rank ? 0.0 : operand;  // frozen products keep no input
  if (recompute == Recompute::elementwise || recompute == Recompute::selective) return {0, 0, 0, first, 0, 0, routed};
  const double projected = operand < number_bytes ? operand : 0.0;
  if (e.task == Task::low_rank) return {operand, 1, projected, first, 0, 1, routed};
  return {operand, 2, projected, first, operand, 0, routed};
}

/// Bytes of a token in a layer whose scores are not kept.
double kept_per_token(const Architecture& a, const Execution& e, const KeptNumbers& kept) {
  const double split = e.parallel.tensor;
  const double residual_split = e.parallel.sequence_parallel ? split : 1.0;
  const double heads = (a.heads + 2 * a.key_value_heads) * key_dim(a) + a.heads * value_dim(a);
  const double dense_ffn =
      (dense_layers(a) * a.ffn_hidden + expert_layers(a) * a.experts.shared_ffn_hidden) / all_layers(a);
  const double per_width = kept.first * (a.ffn_matrices - 1) + kept.second;
  const double routed =
      expert_layers(a) / all_layers(a) * a.experts.per_token * e.capacity_factor *
      ((number_bytes + kept.routed) * a.hidden * e.parallel.expert_tensor + per_width * a.experts.ffn_hidden);
  const double residual = (2 * number_bytes + kept.norms * kept.norm) * a.hidden / residual_split;
  const double projected = kept.projected * a.heads * value_dim(a) + kept.mask * a.hidden;
  return residual + (number_bytes * heads + projected + per_width * dense_ffn + routed) / split;
}

/// What `Recompute::latent` keeps of a layer: the inputs of both norms, latent vectors (or queries, keys and values),
/// the result of attention, and in the format of products what enters experts and activation functions.
Bytes narrow_activations(const Architecture& a, const Execution& e) {
  const double split = e.parallel.tensor;
  const double residual_split = e.parallel.sequence_parallel ? split : 1.0;
  const LatentAttention& l = a.latent;
  const double heads = (a.heads + 2 * a.key_value_heads) * a.head_dim / split;
  const double attended = l.is_used() ? l.query_rank + l.key_value_rank + l.rotary_dim : heads;
  const double wide = 2 * a.hidden / residual_split + attended + a.heads * value_dim(a) / split;
  const double share = expert_layers(a) / all_layers(a);
  const double ffn = (1 - share) * a.ffn_hidden + share * a.experts.shared_ffn_hidden;
  const double routed = share * a.experts.per_token * e.capacity_factor;
  const double entering = routed * a.hidden * e.parallel.expert_tensor / split;
  const double first = (a.ffn_matrices - 1) * (ffn + routed * a.experts.ffn_hidden) / split;
  const double operand = operand_bytes(e.format);
  const double first_bytes = e.activations_8bit ? std::min(operand, 1.0) : operand;
  return Bytes{tokens_per_device(e) * (number_bytes * wide + operand * entering + first_bytes * first)};
}

bool is_interleaved(const Execution& e) {
  return e.parallel.pipeline > 1 && e.parallel.chunks_per_stage > 1;
}

double activation_factor(const Execution& e, const KeptBytes& kept) {
  return is_interleaved(e) ? kept.interleaved_factor : kept.activation_factor;
}

}  // namespace

LocalParameters local_parameters(const Architecture& a, const Parallelism& p) {
  const double layers = stage_load(all_layers(a), 0, p.pipeline, StageSplit::even).first_layers / all_layers(a);
  const double dense = all_layers(a) * attention_parameters(a) + dense_layers(a) * ffn_parameters(a) +
                       expert_layers(a) * shared_parameters(a);
  const double experts = expert_layers(a) * a.experts.count * expert_parameters(a);
  const double ends = p.pipeline > 1 ? a.vocabulary * a.hidden : embedding_parameters(a);
  return {layers * dense / p.tensor, layers * experts / expert_ranks(p), ends / p.tensor};
}

Bytes layer_activations(const Architecture& a, const Execution& e, Recompute recompute, const Software& software) {
  const double t = tokens_per_device(e);
  const double split = e.parallel.tensor;
  const double residual_split = e.parallel.sequence_parallel ? split : 1.0;
  const Bytes input{number_bytes * t * a.hidden / residual_split};
  if (recompute == Recompute::full) return input;
  if (recompute == Recompute::latent) return narrow_activations(a, e);

  const bool keeps_scores = e.attention == AttentionKernel::materialized && recompute == Recompute::none;
  const double scores = keeps_scores ? software.kept.score * a.heads * t * e.batch.sequence / split : 0.0;
  const Bytes all{t * kept_per_token(a, e, kept_numbers(e, recompute, software.kept)) + scores};
  return recompute == Recompute::selective ? input + (all - input) / 2 : all;
}

bool has_lighter_ends(const Architecture& a, const Execution& e) {
  return is_interleaved(e) && e.stage_split == StageSplit::balanced &&
         std::fmod(all_layers(a) + 2, e.parallel.pipeline * e.parallel.chunks_per_stage) == 0;
}

double first_stage_layers(const Architecture& a, const Execution& e) {
  const Parallelism& p = e.parallel;
  const double in_flight = micro_batches_in_flight(shape_of(e)).first;
  if (!has_lighter_ends(a, e)) return in_flight * std::ceil(all_layers(a) / p.pipeline);
  return in_flight * (all_layers(a) + 2) / p.pipeline - std::min(micro_batches(e), 2 * p.pipeline - 1);
}

StateBytes usual_state_bytes(const Execution& e, const KeptBytes& kept) {
  if (e.sharding == Sharding::parameters && e.phase == Phase::train) return {4, 4, 8};
  const bool is_frozen = e.task == Task::low_rank && e.format != MatrixFormat::bits16;
  return {is_frozen ? kept.frozen_weight : 2.0, kept.gradient, 12};
}

KeptByLayer kept_by_layer(const Architecture& a, const Execution& e, const Software& software) {
  const Bytes whole = layer_activations(a, e, Recompute::none, software);
  const Bytes logits{software.kept.logit * tokens_per_device(e) * a.vocabulary / e.parallel.tensor};
  if (e.recompute == Recompute::none) return {whole, whole, 0.0, logits};
  return {layer_activations(a, e, e.recompute, software), whole, e.recomputed_layers, logits};
}

HeldLayers held_layers(const Architecture& a, const Execution& e) {
  const double stage = std::ceil(all_layers(a) / e.parallel.pipeline);
  // The released run with a dual pipe fits only if its logits are not beside all that its devices hold.
  const double beside_logits = e.schedule == Schedule::dual_pipe ? 1 : micro_batches_in_flight(shape_of(e)).last;
  return {stage, first_stage_layers(a, e), beside_logits * stage};
}

Footprint state_footprint(const Architecture& a, const Execution& e, const Software& software) {
  const LocalParameters n = local_parameters(a, e.parallel);
  const ShardRanks ranks = shard_ranks(e);
  const bool trained = e.phase == Phase::train && e.task == Task::full;
  const double copies = e.phase == Phase::train ? weight_copies(shape_of(e)) : 1.0;
  Footprint all;
  all.weights = copies * state_bytes(e.bytes.weight, n, e, ranks, Sharding::parameters);
  all.gradients = trained ? copies * state_bytes(e.bytes.gradient, n, e, ranks, Sharding::gradients) : Bytes{};
  all.optimizer = trained ? state_bytes(e.bytes.optimizer, n, e, ranks, Sharding::optimizer) : Bytes{};
  all.gathered = gathered_weights(n, e, std::ceil(all_layers(a) / e.parallel.pipeline));
  all.reserved = software.kept.reserved;
  return all;
}

HeldActivations held_activations(const KeptByLayer& layer, const HeldLayers& held, const Execution& e,
                                 const KeptBytes& kept) {
  const double factor = activation_factor(e, kept);
  if (e.phase == Phase::forward) return {Bytes{}, layer.whole, layer.logits, Bytes{}, layer.whole, factor};
  const Bytes first = e.parallel.pipeline > 1 ? activations(layer, held.first) : Bytes{};
  return {first, activations(layer, held.last), layer.logits, activations(layer, held.stage), layer.whole, factor};
}

MemoryTiers memory_footprint(const Architecture& a, const Execution& e, const Software& software) {
  const HeldActivations held = held_activations(kept_by_layer(a, e, software), held_layers(a, e), e, software.kept);
  MemoryTiers tiers;
  set_states(state_footprint(a, e, software), e, software.kept, tiers);
  set_activations(held, e, tiers);
  return tiers;
}

}  // namespace dfsweep::training
