#include "models/kernels/layer.hpp"

#include "models/kernels/attention_core.hpp"

namespace dfsweep {

namespace {

KernelTimes scaled(const KernelTimes& times, double matrix, double others) {
  return {matrix * times.matrix, Seconds{}, others * times.elementwise, others * times.cast};
}

KernelTimes operator*(double factor, const KernelTimes& times) {
  return {factor * times.matrix, factor * times.attention, factor * times.elementwise, factor * times.cast};
}

double routed_tokens(const Architecture& a, const Execution& e) {
  return tokens_per_device(e) / e.parallel.tensor * a.experts.per_token * e.capacity_factor;
}

/// Bytes of permutations, activations and, as kernels of their own, biases of routed experts.
double experts_traffic(const Architecture& a, const Execution& e, const ElementwisePasses& passes) {
  const double gathered = a.hidden * e.parallel.expert_tensor;
  const double routed =
      passes.routing * 2 * routed_tokens(a, e) * (6 * gathered + a.ffn_matrices * a.experts.ffn_hidden);
  if (!a.experts.biases) return routed;
  const double results = (a.ffn_matrices - 1) * a.experts.ffn_hidden + gathered;
  return routed + passes.expert_bias * routed_tokens(a, e) * results;
}

}  // namespace

std::array<MatrixProduct, 2> latent_up_products(const Architecture& a, const Execution& e) {
  const LatentAttention& l = a.latent;
  if (!l.is_used()) return {};
  const double t = tokens_per_device(e);
  const double split = e.parallel.tensor;
  return {{{t, a.heads * key_dim(a) / split, query_source_dim(a), 1, false, "queries, up"},
           {t, a.heads * (l.plain_dim + l.value_dim) / split, l.key_value_rank, 1, false, "keys and values, up"}}};
}

LayerProducts::LayerProducts(const Architecture& a, const Execution& e, LayerKind kind) {
  const double t = tokens_per_device(e);
  const double split = e.parallel.tensor;
  if (const LatentAttention& l = a.latent; l.is_used()) {
    if (l.query_rank > 0) add({t, l.query_rank, a.hidden, 1, false, "queries, down"});
    const auto [queries, keys_and_values] = latent_up_products(a, e);
    add(queries);
    add({t, l.key_value_rank + l.rotary_dim, a.hidden, 1, false, "keys and values, down"});
    add(keys_and_values);
  } else {
    add({t, (a.heads + 2 * a.key_value_heads) * a.head_dim / split, a.hidden, 1, false, "queries, keys, values"});
  }
  add({t, a.hidden, a.heads * value_dim(a) / split, 1, false, "attention output"});
  const double ffn = kind == LayerKind::dense ? a.ffn_hidden : a.experts.shared_ffn_hidden;
  if (ffn > 0) {
    add({t, (a.ffn_matrices - 1) * ffn / split, a.hidden, 1, false, "feed-forward, up"});
    add({t, a.hidden, ffn / split, 1, false, "feed-forward, down"});
  }
  if (kind == LayerKind::dense) return;
  const double local = a.experts.count / e.parallel.expert;
  const double shared_by = e.parallel.expert_tensor;
  const double rows = shared_by * routed_tokens(a, e) / local;
  add({rows, (a.ffn_matrices - 1) * a.experts.ffn_hidden / shared_by, a.hidden, local, true, "experts, up"});
  add({rows, a.hidden, a.experts.ffn_hidden / shared_by, local, true, "experts, down"});
}

Bytes elementwise_traffic(const Architecture& a, const Execution& e, LayerKind kind, const ElementwisePasses& passes) {
  const double t = tokens_per_device(e);
  const double split = e.parallel.tensor;
  const double residual = passes.hidden * t * a.hidden / (e.parallel.sequence_parallel ? split : 1.0);
  const double heads = 4 * t * (a.heads + 2 * a.key_value_heads) * key_dim(a) / split;
  const double ffn_width = kind == LayerKind::dense ? a.ffn_hidden : a.experts.shared_ffn_hidden;
  const double ffn = 3 * t * a.ffn_matrices * ffn_width / split;
  const double experts = kind == LayerKind::dense ? 0.0 : experts_traffic(a, e, passes);
  return Bytes{residual + heads + ffn + experts};
}

KernelTimes products_times(std::span<const MatrixProduct> products, const Execution& e, const Accelerator& accelerator,
                           const Software& software) {
  KernelTimes times;
  for (const MatrixProduct& product : products) {
    times.matrix += product_time(product, e.format, accelerator, software.matrix);
    times.cast += cast_time(product, e.format, accelerator, software.matrix);
  }
  return times;
}

LayerTimes layer_times(const Architecture& a, const Execution& e, LayerKind kind, const Accelerator& accelerator,
                       const Software& software) {
  KernelTimes forward = products_times(LayerProducts(a, e, kind), e, accelerator, software);
  const AttentionCoreTime core = attention_core_time(a, e, accelerator, software);
  forward.attention = core.forward;
  forward.elementwise = elementwise_traffic(a, e, kind, software.elementwise) / accelerator.memory_bandwidth;

  LayerTimes times{forward, scaled(forward, 1.0, 2.0), scaled(forward, e.task == Task::full ? 1.0 : 0.0, 0.0)};
  times.backward_input.attention = core.backward;
  const double slowdown = e.task == Task::low_rank ? software.age.adapters : 1.0;
  return {slowdown * times.forward, slowdown * times.backward_input, slowdown * times.backward_weight};
}

VocabularyTimes vocabulary_times(const Architecture& a, const Execution& e, const Accelerator& accelerator,
                                 const Software& software) {
  const double t = tokens_per_device(e);
  const MatrixProduct output{t, a.vocabulary / e.parallel.tensor, a.hidden};
  const Seconds product = product_time(output, MatrixFormat::bits16, accelerator, software.matrix);
  const Bytes logits{software.elementwise.logit_bytes * t * a.vocabulary / e.parallel.tensor};
  const Seconds loss = logits / accelerator.memory_bandwidth;
  return {product + loss / 3, (e.task == Task::full ? 2.0 : 1.0) * product + 2 * loss / 3};
}

}  // namespace dfsweep
