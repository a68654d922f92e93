/// Kernels of measured operator tables, as the formulas of training see them.
///
/// Small kernels of attention, vector work and exchanges are left out: their formulas have no fixed time of their own,
/// and a training step has none of them.
#pragma once

#include <vector>

#include "models/kernels/timed_kernel.hpp"
#include "models/measured_tables/profiles.hpp"

namespace dfsweep::training {

inline constexpr double fewest_tokens = 1024.0;  ///< of attention and vector work
inline constexpr Bytes least_exchange{1 << 20};

/// Which scores of a chunk of c tokens behind k others a kernel of prompt attention computes.
enum class ScoreCount : std::uint8_t {
  causal,  ///< c (k + c/2): the masked half is skipped
  square,  ///< c (k + c): the masked half is computed, too
};

/// The four products of a layer, each a table: (t, (a + 2 kv) d / TP, h), (t, h, a d / TP), (t, (m - 1) f / TP, h),
/// (t, h, f / TP) for t tokens. Nothing where the table does not say the sizes of its model.
[[nodiscard]] std::vector<KernelTable> product_tables(const inference::LayerProfile& layer);

/// Prompt attention: 4 a d / TP times the scores in FLOP.
[[nodiscard]] std::vector<KernelTable> attention_tables(const inference::LayerProfile& layer, ScoreCount count);

/// Two norms, activation, rotation and two residual sums of one layer together, where all were measured in a row. The
/// tables time one sum.
[[nodiscard]] std::vector<KernelTable> vector_tables(const inference::LayerProfile& layer);

/// All-reduces among the workers of a network table; none for other exchanges.
[[nodiscard]] std::vector<KernelTable> exchange_tables(const inference::NetworkProfile& network);

}  // namespace dfsweep::training
