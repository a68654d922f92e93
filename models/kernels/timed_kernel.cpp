#include "models/kernels/timed_kernel.hpp"

#include "models/kernels/attention_core.hpp"
#include "models/kernels/layer.hpp"
#include "models/machine/tier_collectives.hpp"

namespace dfsweep {

namespace {

constexpr std::string_view product_numbers[] = {"matrix_share", "half_rows",           "half_columns", "half_depth",
                                                "misaligned",   "matrix_memory_share", "launch_time"};
constexpr std::string_view attention_numbers[] = {"attention_share"};
constexpr std::string_view vector_numbers[] = {"hidden_bytes"};
constexpr std::string_view inside_numbers[] = {"inside_share"};
constexpr std::string_view across_numbers[] = {"across_share"};

/// The time of each kind of work on one machine.
struct TimeOnMachine {
  const Accelerator& accelerator;
  const Network& network;
  const Software& software;

  Seconds operator()(const MatrixProduct& product) const {
    return product_time(product, MatrixFormat::bits16, accelerator, software.matrix);
  }
  Seconds operator()(const ScoreWork& scores) const {
    return flash_time(scores.flop, scores.keys, scores.head_dim, MatrixFormat::bits16, accelerator, software.attention);
  }
  Seconds operator()(const VectorWork& work) const {
    return elementwise_traffic(work.architecture, work.execution, LayerKind::dense, software.elementwise) /
           accelerator.memory_bandwidth;
  }
  Seconds operator()(const AllReduceWork& work) const {
    return all_reduce_time(work.size, work.group, network, software.links);
  }
};

}  // namespace

std::span<const std::string_view> numbers_of(KernelClass kind) {
  switch (kind) {
    case KernelClass::products:
      return product_numbers;
    case KernelClass::attention:
      return attention_numbers;
    case KernelClass::vector_work:
      return vector_numbers;
    case KernelClass::inside_exchanges:
      return inside_numbers;
    case KernelClass::across_exchanges:
      break;
  }
  return across_numbers;
}

Seconds kernel_time(const KernelWork& work, const Accelerator& accelerator, const Network& network,
                    const Software& software) {
  return std::visit(TimeOnMachine{accelerator, network, software}, work);
}

}  // namespace dfsweep
