/// Kernel: a matrix product or an element-wise operation with the data that it reads, keeps and exchanges.
#pragma once

#include <cstdint>
#include <string>

namespace dfsweep::dataflow {

enum class KernelType : std::uint8_t { matrix, elementwise };
enum class Pass : std::uint8_t { forward, backward };
/// The dimension along which a kernel is streamed tile by tile; it cannot be sharded.
enum class Tiling : std::uint8_t { none, n, k };

/// outer independent products of an (m x k) with a (k x n) matrix; element-wise kernels have k = 1.
/// Sizes are whole numbers >= 1; amounts of data are in words.
struct Kernel {
  std::string name;
  KernelType type = KernelType::elementwise;
  double outer = 1.0;
  double m = 1.0;
  double k = 1.0;
  double n = 1.0;
  double weight_words = 0.0;          ///< parameters that the kernel reads
  double gradient_words = 0.0;        ///< gradient that replicas sum up: the kernel is a weight update
  double memory_words = 0.0;          ///< further traffic with DRAM, per chip and pass
  double exchange_words = 0.0;        ///< sent by every chip to all others, evenly
  double exchange_total_words = 0.0;  ///< the same, summed over the machine
  double broadcast_words = 0.0;       ///< block column sent along the rows of a grid of chips, undivided
  Tiling tiling = Tiling::none;
  Pass pass = Pass::forward;
};

/// 2 outer m k n for matrix kernels, outer m n for element-wise ones (one FLOP per element).
[[nodiscard]] double flop_of(const Kernel& kernel);

}  // namespace dfsweep::dataflow
