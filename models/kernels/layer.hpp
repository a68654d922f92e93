/// Layer: the kernels of one layer on one device, with dense feed-forward network or with routed experts.
/// Source: docs/models/training.md.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "models/kernels/execution.hpp"
#include "models/kernels/matrix_product.hpp"
#include "models/kernels/software.hpp"
#include "models/machine/accelerator.hpp"
#include "models/transformer/architecture.hpp"

namespace dfsweep {

enum class LayerKind : std::uint8_t { dense, experts };

/// The matrix products of a layer's forward pass; t tokens per device, E experts of which E/EP are local:
/// queries, keys, values (t, (a + 2 kv) d / TP, h), output (t, h, a d / TP), latent attention (t, rq, h),
/// (t, a (dn + dr) / TP, rq) or only (t, a (dn + dr) / TP, h), (t, rkv + dr, h), (t, a (dn + dv) / TP, rkv), (t, h, a
/// dv / TP), feed-forward (t, (matrices - 1) f / TP, h), (t, h, f / TP), experts E/EP products of c (t/TP) k ETP EP / E
/// rows and widths of f_e / ETP: routing is balanced except for the capacity factor c, and tokens are split over the
/// tensor group.
class LayerProducts {
 public:
  LayerProducts(const Architecture& architecture, const Execution& execution, LayerKind kind);
  [[nodiscard]] const MatrixProduct* begin() const { return products_.data(); }
  [[nodiscard]] const MatrixProduct* end() const { return products_.data() + count_; }

 private:
  void add(MatrixProduct product) { products_[count_++] = product; }
  std::array<MatrixProduct, 9> products_{};
  std::size_t count_ = 0;
};

/// The products that expand latent vectors to heads; empty products without latent attention.
[[nodiscard]] std::array<MatrixProduct, 2> latent_up_products(const Architecture& architecture,
                                                              const Execution& execution);

/// Times of one pass over one layer by class of kernel.
struct KernelTimes {
  Seconds matrix;
  Seconds attention;
  Seconds elementwise;
  Seconds cast;
  [[nodiscard]] Seconds total() const { return matrix + attention + elementwise + cast; }
};

struct LayerTimes {
  KernelTimes forward;
  KernelTimes backward_input;   ///< gradients of activations, on which the previous stage waits
  KernelTimes backward_weight;  ///< gradients of weights
};

/// Memory traffic of norms, residuals, activations and, with experts, permutations in a forward pass:
/// t h c / (TP where the sequence is split) + 4 t (a + 2 kv) d / TP + 3 t (m) f / TP,
/// with experts c_r 2 c t/TP k (6 h ETP + m f_e) + 3 t m f_s / TP in place of the last term, and with biases of experts
/// c_b c t/TP k ((m-1) f_e + h ETP) more; m matrices of the network.
[[nodiscard]] Bytes elementwise_traffic(const Architecture& architecture, const Execution& execution, LayerKind kind,
                                        const ElementwisePasses& passes);

/// Times of some products, including the conversion of their operands.
[[nodiscard]] KernelTimes products_times(std::span<const MatrixProduct> products, const Execution& execution,
                                         const Accelerator& accelerator, const Software& software);

/// Where only adapters are trained, all kernels take KernelAge::adapters times as long.
[[nodiscard]] LayerTimes layer_times(const Architecture& architecture, const Execution& execution, LayerKind kind,
                                     const Accelerator& accelerator, const Software& software);

/// Output layer and loss of one micro-batch, both passes: the product (t, V/TP, h) at 16 bits, and several passes over
/// the logits.
struct VocabularyTimes {
  Seconds forward;
  Seconds backward;
};
[[nodiscard]] VocabularyTimes vocabulary_times(const Architecture& architecture, const Execution& execution,
                                               const Accelerator& accelerator, const Software& software);

}  // namespace dfsweep
