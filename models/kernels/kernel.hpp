/// Kernel: a matrix product or an element-wise operation, with its weights, memory traffic and communication.
/// Source: [dfmodel] section 1.
#pragma once

#include <cstdint>
#include <string>

namespace dfsweep {

enum class KernelType : std::uint8_t { matrix, elementwise };
enum class Pass : std::uint8_t { forward, backward };
/// The dimension along which a kernel is streamed in tiles; it cannot be sharded.
enum class Tiling : std::uint8_t { none, n, k };

/// How tokens reach a kernel of a layer with experts.
enum class Routing : std::uint8_t {
  none,     ///< all tokens
  router,   ///< scores the experts: so narrow that chips may replicate it although it has weights
  experts,  ///< outer are experts, each with its own tokens: any dimension may be sharded
  gather,   ///< sums over the experts of a token (k): a chip can sum the experts that it has
};

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
  double gradient_words = 0.0;        ///< gradient that replicas all-reduce: the kernel is a weight update
  double memory_words = 0.0;          ///< additional DRAM traffic, per chip and pass
  double exchange_words = 0.0;        ///< sent by each chip to all others in equal parts
  double exchange_total_words = 0.0;  ///< exchange_words summed over the machine
  double broadcast_words = 0.0;       ///< block column sent along the rows of a grid of chips, undivided
  Tiling tiling = Tiling::none;
  Pass pass = Pass::forward;
  Routing routing = Routing::none;
};

/// FLOP: 2 outer m k n for matrix kernels, outer m n for element-wise kernels (one FLOP per element).
[[nodiscard]] double flop_of(const Kernel& kernel);

}  // namespace dfsweep
