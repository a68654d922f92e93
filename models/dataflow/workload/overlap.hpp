/// Overlap: how compute, memory and network times of a partition combine.
#pragma once

#include <cstdint>

namespace dfsweep::dataflow {

enum class Overlap : std::uint8_t {
  perfect,          ///< max(compute, memory, network)
  none,             ///< compute + memory + network
  network_exposed,  ///< max(compute, memory) + network
};

/// Time of a partition from its parts, by Overlap. [dfmodel] section 5.6
template <class Time>
[[nodiscard]] constexpr Time combined(Overlap overlap, Time compute, Time memory, Time network) {
  switch (overlap) {
    case Overlap::perfect: {
      const Time on_chip = compute > memory ? compute : memory;
      return on_chip > network ? on_chip : network;
    }
    case Overlap::none:
      return compute + memory + network;
    case Overlap::network_exposed:
      return (compute > memory ? compute : memory) + network;
  }
  return Time{};
}

/// Time of a pipeline stage whose chips are busy for `busy` and send for `transfer`: the maximum under perfect overlap,
/// otherwise the sum. [dfmodel] section 2.2
template <class Time>
[[nodiscard]] constexpr Time stage_time(Overlap overlap, Time busy, Time transfer) {
  if (overlap != Overlap::perfect) return busy + transfer;
  return busy > transfer ? busy : transfer;
}

}  // namespace dfsweep::dataflow
