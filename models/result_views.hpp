/// ResultViews: what people look at first in results of an estimator.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace dfsweep {

/// Names are of its metrics; results may lack some of them.
struct ResultViews {
  enum class Parts : std::uint8_t { add_up, overlap };
  struct TradeOff {
    std::string_view x;
    std::string_view y;
  };
  std::span<const std::string_view> headline = {};  ///< what says most about a point, the most telling first
  std::string_view total = {};                      ///< what `parts` are of; empty: of nothing that has a metric
  std::span<const std::string_view> parts = {};     ///< times that a bar stacks, each an amount of its own
  Parts kind = Parts::add_up;                       ///< whether the parts add up to the total
  std::span<const TradeOff> trade_offs = {};        ///< of which one is bought with the other; both have directions
};

}  // namespace dfsweep
