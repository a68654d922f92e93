/// Memory reason: messages about a memory that is too small.
/// Source: docs/models/training.md.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace dfsweep {

/// A use of a memory, in B.
struct MemoryUsePart {
  std::string_view name;
  double bytes = 0.0;
};

/// Message "a device needs 453.6 GB of 80 GB of memory tier 1, activations 71 %"; the last part is missing where
/// `parts` is empty. `needed`, `available`: B.
[[nodiscard]] std::string memory_reason(double needed, double available, std::string_view memory,
                                        std::span<const MemoryUsePart> parts);

/// Needed over available bytes, above 1; absent without such a memory.
[[nodiscard]] double shortfall_of(double needed, double available);

}  // namespace dfsweep
