/// Kernels of measured operator tables, as inputs of the formulas of `training`.
///
/// Small kernels of attention, vector work and exchanges are left out: their formulas have no fixed time, and training
/// steps do not contain them.
#pragma once

#include <vector>

#include "models/kernels/timed_kernel.hpp"
#include "models/measured_tables/profiles.hpp"

namespace dfsweep {

inline constexpr double fewest_tokens = 1024.0;  ///< minimum for attention and vector work
inline constexpr Bytes least_exchange{1 << 20};

/// Scores that a prompt attention kernel computes for a chunk of c tokens after k earlier tokens.
enum class ScoreCount : std::uint8_t {
  causal,  ///< c (k + c/2): the masked half is skipped
  square,  ///< c (k + c): the masked half is computed as well
};

/// The four products of a layer, one table each: (t, (a + 2 kv) d / TP, h), (t, h, a d / TP), (t, (m - 1) f / TP, h),
/// (t, h, f / TP) for t tokens. Empty where the table lacks the sizes of its model.
[[nodiscard]] std::vector<KernelTable> product_tables(const LayerProfile& layer);

/// Prompt attention: FLOP are 4 a d / TP times the scores.
[[nodiscard]] std::vector<KernelTable> attention_tables(const LayerProfile& layer, ScoreCount count);

/// Sum of two norms, activation, rotation and two residual sums of one layer, where one row has all of them. The tables
/// give the time of one residual sum.
[[nodiscard]] std::vector<KernelTable> vector_tables(const LayerProfile& layer);

/// All-reduces among the workers of a network table; empty for other exchanges.
[[nodiscard]] std::vector<KernelTable> exchange_tables(const NetworkProfile& network);

}  // namespace dfsweep
