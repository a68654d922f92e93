/// Products: the times of a task's matrix products and attention on a device.
#pragma once

#include <algorithm>

#include "models/kernels/product.hpp"
#include "models/taskgraph/work/rates.hpp"
#include "models/units.hpp"

namespace dfsweep::taskgraph {

/// Roofline: max(W / R, words w / B). The second part is 0 for a memory without limit.
[[nodiscard, gnu::always_inline]] inline Seconds roofline_time(Flop work, double words, const DeviceRates& device) {
  const Seconds compute = work * device.per_flop;
  if (device.per_byte == SecondsPerByte{}) return compute;
  return std::max(compute, words * device.word * device.per_byte);
}

/// Time from measured tables (measured_products.cpp).
[[nodiscard]] Seconds measured_product_time(const Product& product, const DeviceRates& device);

/// The roofline Get_Time(m, k, n) of ProductTimes, where no tables are given. Measured tables, where given, replace the
/// roofline (measured_products.hpp); NaN where they do not cover the product. Source: [roofline].
[[nodiscard, gnu::always_inline]] inline Seconds product_time(const Product& product, const DeviceRates& device) {
  if (product.count == 0.0) return Seconds{};
  if (device.measured != nullptr) return measured_product_time(product, device);
  return roofline_time(flop_of(product), words_of(product), device);
}

/// Time from measured tables (measured_products.cpp).
[[nodiscard]] Seconds measured_products_of_one_input(const Product& a, const Product& b, const DeviceRates& device);

/// Two products with the same m x k operand: the sum of both times, or one measured time where the tables have both as
/// one product.
[[nodiscard, gnu::always_inline]] inline Seconds products_of_one_input(const Product& a, const Product& b,
                                                                       const DeviceRates& device) {
  if (device.measured != nullptr) return measured_products_of_one_input(a, b, device);
  return product_time(a, device) + product_time(b, device);
}

/// Attention core: `count` times the scores of `rows` queries against `context` keys of width `width`, and the weighted
/// sum of the values. `key_count` sets of keys and values are distinct: fewer than `count` with grouped-query
/// attention.
struct AttentionCore {
  double count = 0.0;
  double rows = 0.0;
  double context = 0.0;
  double width = 0.0;
  double key_count = 0.0;
};

/// The products for scores and for the weighted sum.
[[nodiscard]] constexpr Product scores_of(const AttentionCore& a) {
  return {a.count, a.rows, a.width, a.context};
}
[[nodiscard]] constexpr Product weighted_sum_of(const AttentionCore& a) {
  return {a.count, a.rows, a.context, a.width};
}
[[nodiscard]] constexpr Flop flop_of(const AttentionCore& a) {
  return flop_of(scores_of(a)) + flop_of(weighted_sum_of(a));
}

/// Attention kernel.
using AttentionTime = Seconds (*)(const AttentionCore& core, const DeviceRates& device);

/// Time of two products; the scores are written to memory and read again.
[[nodiscard]] Seconds materialized_attention_time(const AttentionCore& core, const DeviceRates& device);

/// Time of one kernel whose scores never leave the chip:
///
///     t = max(4 count rows context width / R, 2 (count rows + key_count context) width w / B)
///
/// Source: [flash2].
[[nodiscard]] inline Seconds flash_attention_time(const AttentionCore& core, const DeviceRates& device) {
  const double words = 2.0 * (core.count * core.rows + core.key_count * core.context) * core.width;
  return roofline_time(flop_of(core), words, device);
}

/// Time from measured tables (measured_products.cpp).
[[nodiscard]] Seconds measured_attention_time(const AttentionCore& core, AttentionTime roofline,
                                              const DeviceRates& device);

/// Time from measured tables where given, otherwise by `roofline`.
[[nodiscard, gnu::always_inline]] inline Seconds attention_core_time(const AttentionCore& core, AttentionTime roofline,
                                                                     const DeviceRates& device) {
  if (core.count == 0.0) return Seconds{};
  if (device.measured == nullptr && roofline == flash_attention_time) return flash_attention_time(core, device);
  return device.measured == nullptr ? roofline(core, device) : measured_attention_time(core, roofline, device);
}

}  // namespace dfsweep::taskgraph
