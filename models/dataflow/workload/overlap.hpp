/// Overlap: how compute, memory and network times of a partition combine.
#pragma once

#include <cstdint>

namespace dfsweep::dataflow {

enum class Overlap : std::uint8_t {
  perfect,          ///< max(compute, memory, network)
  none,             ///< compute + memory + network
  network_exposed,  ///< max(compute, memory) + network
};

/// Time of a partition from its parts.
[[nodiscard]] inline double combined(Overlap overlap, double compute, double memory, double network) {
  switch (overlap) {
    case Overlap::perfect: {
      const double on_chip = compute > memory ? compute : memory;
      return on_chip > network ? on_chip : network;
    }
    case Overlap::none:
      return compute + memory + network;
    case Overlap::network_exposed:
      return (compute > memory ? compute : memory) + network;
  }
  return 0.0;
}

/// Time of a pipeline stage whose chips are busy for `busy` and send to the next stage for `transfer`: under perfect
/// overlap both at once, else one after the other.
[[nodiscard]] inline double stage_time(Overlap overlap, double busy, double transfer) {
  if (overlap != Overlap::perfect) return busy + transfer;
  return busy > transfer ? busy : transfer;
}

}  // namespace dfsweep::dataflow
