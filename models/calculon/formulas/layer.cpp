#include "models/calculon/formulas/layer.hpp"

#include "models/expect.hpp"

namespace dfsweep::calculon {

namespace {

/// Elements that a layer keeps for the backward pass.
struct Kept {
  std::int64_t activation = 0;
  std::int64_t gradient = 0;
};

struct Sizes {
  std::int64_t inputs = 0;
  std::int64_t outputs = 0;
  std::int64_t weights = 0;
};

/// Forward moves (I + O + W) e bytes, the activation gradient (W + ACT + AGR) e; so does the weight gradient, if any.
Layer layer_of(const LayerContext& context, EngineKind engine, const Sizes& sizes, const Kept& kept) {
  const std::int64_t e = context.element_bytes;
  const double backward_bytes = real((sizes.weights + kept.activation + kept.gradient) * e);
  Layer layer;
  layer.engine = engine;
  layer.inputs = real(sizes.inputs);
  layer.outputs = real(sizes.outputs);
  layer.weights = real(sizes.weights);
  layer.forward_bytes = real((sizes.inputs + sizes.outputs + sizes.weights) * e);
  layer.activation_gradient_bytes = backward_bytes;
  layer.weight_gradient_bytes = sizes.weights == 0 ? 0.0 : backward_bytes;
  layer.activation_stored_bytes = real(kept.activation * e);
  layer.gradient_stored_bytes = real(kept.gradient * e);
  return layer;
}

void set_flops(Layer& layer, std::int64_t forward, std::int64_t activation_gradient, std::int64_t weight_gradient) {
  layer.forward_flops = ExactCount(forward);
  layer.activation_gradient_flops = ExactCount(activation_gradient);
  layer.weight_gradient_flops = ExactCount(weight_gradient);
}

/// What an overlapped layer keeps: with sequence parallelism one side is t times smaller, else one side is nothing.
Kept kept_of_overlapped(const LayerContext& context, std::int64_t inputs, std::int64_t outputs, bool is_conjugate) {
  const std::int64_t t = context.tensor_parallel;
  if (context.tensor_comm == TensorComm::reduce_scatter_all_gather)
    return is_conjugate ? Kept{inputs, 2 * (outputs / t)} : Kept{inputs / t, outputs};
  return is_conjugate ? Kept{0, 2 * outputs} : Kept{inputs, 0};
}

}  // namespace

Layer linear(const LayerContext& context, std::int64_t m, std::int64_t n, std::int64_t k) {
  Layer layer = layer_of(context, EngineKind::matrix, {m * n, m * k, n * k}, {m * n, m * k});
  const std::int64_t flops = 2 * m * n * k;
  set_flops(layer, flops, flops, flops);
  return layer;
}

Layer batch_matmul(const LayerContext& context, std::int64_t batch, std::int64_t m, std::int64_t n, std::int64_t k) {
  const std::int64_t inputs = batch * (m * n + n * k);
  const std::int64_t outputs = batch * (m * k);
  Layer layer = layer_of(context, EngineKind::matrix, {inputs, outputs, 0}, {inputs, outputs});
  const std::int64_t flops = batch * 2 * m * n * k;
  set_flops(layer, flops, 2 * flops, 0);
  return layer;
}

Layer layer_norm(const LayerContext& context, std::int64_t x, std::int64_t hidden) {
  Layer layer = layer_of(context, EngineKind::vector, {x, x, 2 * hidden}, {x, x});
  set_flops(layer, 9 * x, 14 * x, 7 * x);
  return layer;
}

Layer drop_out(const LayerContext& context, std::int64_t x) {
  Layer layer = layer_of(context, EngineKind::vector, {x, x, 0}, {x, x});
  set_flops(layer, x, x, 0);
  layer.forward_bytes = real(2 * x * context.element_bytes + x);
  layer.activation_gradient_bytes = layer.forward_bytes;
  layer.activation_stored_bytes = real(x);
  layer.gradient_stored_bytes = real(x);
  return layer;
}

Layer gelu(const LayerContext& context, std::int64_t x, bool is_fused) {
  const Kept kept = is_fused ? Kept{} : Kept{x, x};
  Layer layer = layer_of(context, EngineKind::vector, {x, x, 0}, kept);
  set_flops(layer, 8 * x, 13 * x, 0);
  layer.activation_gradient_bytes = layer.forward_bytes;
  return layer;
}

Layer soft_max(const LayerContext& context, std::int64_t x) {
  Layer layer = layer_of(context, EngineKind::vector, {x, x, 0}, {x, x});
  set_flops(layer, 5 * x, 8 * x, 0);
  layer.activation_gradient_bytes = layer.forward_bytes;
  return layer;
}

Layer element_wise(const LayerContext& context, std::int64_t x) {
  Layer layer = layer_of(context, EngineKind::vector, {2 * x, x, 0}, {2 * x, x});
  set_flops(layer, x, 2 * x, 0);
  return layer;
}

Layer fork(const LayerContext& context, std::int64_t x, std::int64_t users) {
  Layer layer = layer_of(context, EngineKind::vector, {x, 0, 0}, {x, 0});
  set_flops(layer, 0, users * x, 0);
  layer.forward_bytes = 0.0;
  layer.activation_gradient_bytes = real(x * context.element_bytes * (users + 1));
  return layer;
}

Layer tensor_collective(const LayerContext& context, std::int64_t x, bool is_conjugate) {
  const std::int64_t t = context.tensor_parallel;
  const bool is_sequence_parallel = context.tensor_comm == TensorComm::reduce_scatter_all_gather;
  Layer layer;
  if (t > 1) layer = layer_of(context, EngineKind::vector, {x, x, 0}, {x, x});
  layer.kind = LayerKind::tensor_comm;
  layer.is_conjugate = is_conjugate;
  if (t == 1) return layer;
  const ExactCount sum = ExactCount::fraction(real(x * (t - 1)) / real(t));
  (is_conjugate ? layer.forward_flops : layer.activation_gradient_flops) = sum;
  layer.message_bytes = real(x * context.element_bytes);
  if (is_sequence_parallel) {
    layer.activation_stored_bytes = layer.activation_stored_bytes / real(t);
    layer.gradient_stored_bytes = layer.activation_stored_bytes;
    return layer;
  }
  // One direction passes its input through, moves nothing and keeps nothing.
  (is_conjugate ? layer.activation_gradient_bytes : layer.forward_bytes) = 0.0;
  (is_conjugate ? layer.gradient_stored_bytes : layer.activation_stored_bytes) = 0.0;
  return layer;
}

Layer overlapped(const LayerContext& context, std::int64_t m, std::int64_t n, std::int64_t k, bool is_conjugate) {
  std::int64_t& divided = is_conjugate ? n : k;
  DFSWEEP_EXPECT(divided % context.tensor_parallel == 0);
  divided /= context.tensor_parallel;
  Layer layer = layer_of(context, EngineKind::matrix, {m * n, m * k, n * k},
                         kept_of_overlapped(context, m * n, m * k, is_conjugate));
  const std::int64_t flops = 2 * m * n * k;
  set_flops(layer, flops, flops, flops);
  layer.kind = LayerKind::overlapped;
  layer.is_conjugate = is_conjugate;
  layer.message_bytes = real((is_conjugate ? m * k : m * n) * context.element_bytes);
  return layer;
}

}  // namespace dfsweep::calculon
