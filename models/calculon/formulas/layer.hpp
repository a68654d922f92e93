/// Layer: one operation of a transformer block as its FLOP, its traffic and what it keeps, on one processor.
/// Source: [calculon].
#pragma once

#include <cstdint>

#include "models/calculon/formulas/exact_count.hpp"
#include "models/calculon/formulas/execution.hpp"

namespace dfsweep::calculon {

/// A count of elements or bytes as a number to compute with.
[[nodiscard]] constexpr double real(std::int64_t count) {
  return static_cast<double>(count);
}

enum class LayerKind : std::uint8_t { plain, tensor_comm, overlapped };
enum class EngineKind : std::uint8_t { matrix, vector };

/// What a block does with a layer in the backward pass.
struct LayerUse {
  bool recomputed = false;
  bool communicates_again = false;  ///< its communication is repeated in backward
  bool reuses_activation = false;   ///< of another layer
  bool keeps_activation = true;
  bool keeps_output = true;
};

/// Sizes are elements, unless they are called bytes.
struct Layer {
  const char* name = "";
  LayerKind kind = LayerKind::plain;
  EngineKind engine = EngineKind::vector;
  LayerUse use;
  ExactCount forward_flops;
  ExactCount activation_gradient_flops;
  ExactCount weight_gradient_flops;
  double inputs = 0.0;
  double outputs = 0.0;
  double weights = 0.0;
  double forward_bytes = 0.0;
  double activation_gradient_bytes = 0.0;
  double weight_gradient_bytes = 0.0;
  double activation_stored_bytes = 0.0;
  double gradient_stored_bytes = 0.0;
  bool is_conjugate = false;   ///< tensor_comm, overlapped: the sum of partial results rather than the copy of an input
  double message_bytes = 0.0;  ///< tensor_comm, overlapped: of a collective over the tensor-parallel group
};

/// What all layers of a block share.
struct LayerContext {
  std::int64_t element_bytes = 2;
  std::int64_t tensor_parallel = 1;
  TensorComm tensor_comm = TensorComm::all_reduce;
};

/// m x n times n x k, `n k` of them weights. FLOP 2mnk in each pass.
[[nodiscard]] Layer linear(const LayerContext& context, std::int64_t m, std::int64_t n, std::int64_t k);
/// `batch` products without weights. FLOP 2mnk forward, 4mnk backward.
[[nodiscard]] Layer batch_matmul(const LayerContext& context, std::int64_t batch, std::int64_t m, std::int64_t n,
                                 std::int64_t k);
/// FLOP 9x, 14x, 7x; weights 2 hidden.
[[nodiscard]] Layer layer_norm(const LayerContext& context, std::int64_t x, std::int64_t hidden);
/// FLOP x, x; a mask of one byte an element goes to memory and is what is kept.
[[nodiscard]] Layer drop_out(const LayerContext& context, std::int64_t x);
/// FLOP 8x, 13x; a fused one keeps nothing, its traffic counts all the same.
[[nodiscard]] Layer gelu(const LayerContext& context, std::int64_t x, bool is_fused);
/// FLOP 5x, 8x.
[[nodiscard]] Layer soft_max(const LayerContext& context, std::int64_t x);
/// Sum of two inputs. FLOP x, 2x.
[[nodiscard]] Layer element_wise(const LayerContext& context, std::int64_t x);
/// One input with several users; backward sums their gradients: users x FLOP.
[[nodiscard]] Layer fork(const LayerContext& context, std::int64_t x, std::int64_t users);
/// Collective of the tensor-parallel group: the sum costs x (t-1)/t FLOP. Empty where t = 1.
[[nodiscard]] Layer tensor_collective(const LayerContext& context, std::int64_t x, bool is_conjugate);
/// A linear layer cut into t tiles that overlap with its collective. A conjugate one has n / t columns of the input,
/// the other kind k / t of the output. Pre: they divide.
[[nodiscard]] Layer overlapped(const LayerContext& context, std::int64_t m, std::int64_t n, std::int64_t k,
                               bool is_conjugate);

}  // namespace dfsweep::calculon
