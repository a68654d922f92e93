/// Products: what a task multiplies, and the time of it: Get_Time(m, k, n).
#pragma once

#include <algorithm>

#include "models/taskgraph/work/rates.hpp"
#include "models/units.hpp"

namespace dfsweep::taskgraph {

/// `count` independent products of m x k and k x n numbers on one device. A count of 0 is no work.
struct Product {
  double count = 0.0;
  double m = 0.0;
  double k = 0.0;
  double n = 0.0;
};

[[nodiscard]] constexpr Flop flop_of(const Product& p) {
  return Flop{2.0 * p.count * p.m * p.k * p.n};
}

/// Numbers that the product reads and writes: count (m k + k n + m n).
[[nodiscard]] constexpr double words_of(const Product& p) {
  return p.count * (p.m * p.k + p.k * p.n + p.m * p.n);
}

/// max(W / R, words w / B).
[[nodiscard]] inline Seconds roofline_time(Flop work, double words, const DeviceRates& device) {
  return std::max(work * device.per_flop, words * device.word * device.per_byte);
}

/// The same from tables (measured_products.cpp).
[[nodiscard]] Seconds measured_product_time(const Product& product, const DeviceRates& device);

/// Get_Time(m, k, n) of the roofline, times the count:
///
///     t = count max(2 m k n / R, (m k + k n + m n) w / B)
///
/// R: FLOP/s reached, B: memory bandwidth, w: bytes of a number. Where measured tables are given, they decide instead
/// (measured_products.hpp); NaN where they do not know the product. Source: [roofline].
[[nodiscard]] inline Seconds product_time(const Product& product, const DeviceRates& device) {
  if (device.measured != nullptr) return measured_product_time(product, device);
  return roofline_time(flop_of(product), words_of(product), device);
}

/// Two products of the same m x k numbers: one after the other, or where tables know both as one, that.
[[nodiscard]] Seconds products_of_one_input(const Product& a, const Product& b, const DeviceRates& device);

/// Attention proper: `count` times the scores of `rows` queries against `context` keys of width `width`, and the
/// weighted sum of as many values. `key_count` of the keys and values are distinct: fewer than `count` where heads
/// share them.
struct AttentionCore {
  double count = 0.0;
  double rows = 0.0;
  double context = 0.0;
  double width = 0.0;
  double key_count = 0.0;
};

/// Scores and weighted sum.
[[nodiscard]] constexpr Product scores_of(const AttentionCore& a) {
  return {a.count, a.rows, a.width, a.context};
}
[[nodiscard]] constexpr Product weighted_sum_of(const AttentionCore& a) {
  return {a.count, a.rows, a.context, a.width};
}
[[nodiscard]] constexpr Flop flop_of(const AttentionCore& a) {
  return flop_of(scores_of(a)) + flop_of(weighted_sum_of(a));
}

/// How attention is computed.
using AttentionTime = Seconds (*)(const AttentionCore& core, const DeviceRates& device);

/// Two products; the scores are written to memory and read again.
[[nodiscard]] Seconds materialized_attention_time(const AttentionCore& core, const DeviceRates& device);

/// One kernel, the scores of which never leave the chip:
///
///     t = max(4 count rows context width / R, 2 (count rows + key_count context) width w / B)
///
/// Source: [flash2].
[[nodiscard]] Seconds flash_attention_time(const AttentionCore& core, const DeviceRates& device);

/// From tables where there are some, else `roofline`.
[[nodiscard]] Seconds attention_core_time(const AttentionCore& core, AttentionTime roofline, const DeviceRates& device);

}  // namespace dfsweep::taskgraph
