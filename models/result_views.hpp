/// ResultViews: metrics that a report of an estimator's results shows first.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace dfsweep {

/// All names are metrics of the estimator; a result may lack some of them.
struct ResultViews {
  enum class Parts : std::uint8_t { add_up, overlap };
  struct TradeOff {
    std::string_view x;
    std::string_view y;
  };
  /// Metrics that decide between rows, in descending order: a result is ranked by the first that has values.
  std::span<const std::string_view> headline = {};
  std::string_view total = {};                   ///< metric that `parts` divide; empty: no such metric
  std::span<const std::string_view> parts = {};  ///< times that a stacked bar shows
  Parts kind = Parts::add_up;                    ///< whether the parts add up to the total
  std::span<const TradeOff> trade_offs = {};     ///< pairs of conflicting metrics, both with a Better direction
};

}  // namespace dfsweep
