/// TimedKernel: a kernel that was measured on its own, and its time by the formulas of training steps.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models/kernels/execution.hpp"
#include "models/kernels/matrix_product.hpp"
#include "models/kernels/software.hpp"
#include "models/machine/accelerator.hpp"
#include "models/machine/network.hpp"
#include "models/transformer/architecture.hpp"

namespace dfsweep {

/// Classes of kernels with disjoint sets of software numbers.
enum class KernelClass : std::uint8_t {
  products,          ///< matrix products at 16 bits
  attention,         ///< scores, softmax and weighted values of prompts
  vector_work,       ///< norms, activation, rotation and residual sums of one layer
  inside_exchanges,  ///< all-reduces within a node
  across_exchanges,  ///< all-reduces between nodes
};
inline constexpr std::array<std::string_view, 5> kernel_class_names = {"products", "attention", "vector_work",
                                                                       "inside_exchanges", "across_exchanges"};
[[nodiscard]] constexpr std::string_view name_of(KernelClass kind) {
  return kernel_class_names[static_cast<std::size_t>(kind)];
}

/// Scores computed by a flash kernel.
struct ScoreWork {
  Flop flop;
  double head_dim = 0.0;
  double keys = 0.0;  ///< that a query looks at in the mean
};

/// Vector work of a dense layer's forward pass.
struct VectorWork {
  Architecture architecture;
  Execution execution;
};

struct AllReduceWork {
  Bytes size;
  GroupPlace group;
};

using KernelWork = std::variant<MatrixProduct, ScoreWork, VectorWork, AllReduceWork>;

struct TimedKernel {
  KernelWork work;
  Seconds measured;
};

/// Kernels of one operator, measured in sequence on one device or network; neighbouring rows are strongly correlated.
struct KernelTable {
  KernelClass kind = KernelClass::products;
  std::string group;  ///< the model, or the ranks of an exchange: the unit of cross-validation
  std::vector<TimedKernel> kernels;
};

/// Calibrated fields of software on which times of this class depend.
[[nodiscard]] std::span<const std::string_view> numbers_of(KernelClass kind);

/// Time by product_time, flash_time, elementwise_traffic over the memory bandwidth, or all_reduce_time: rooflines with
/// losses [roofline], documented in their headers.
[[nodiscard]] Seconds kernel_time(const KernelWork& work, const Accelerator& accelerator, const Network& network,
                                  const Software& software);

}  // namespace dfsweep
