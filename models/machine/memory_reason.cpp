#include "models/machine/memory_reason.hpp"

#include <algorithm>
#include <cmath>

#include "models/absent.hpp"
#include "models/short_number.hpp"

namespace dfsweep {

std::string memory_reason(double needed, double available, std::string_view memory,
                          std::span<const MemoryUsePart> parts) {
  const auto [needed_text, available_text] = distinct_amounts(needed, available, "B");
  std::string text = "a device needs " + needed_text + " of " + available_text + " of " + std::string(memory);
  if (parts.empty()) return text;
  const auto largest = std::max_element(
      parts.begin(), parts.end(), [](const MemoryUsePart& a, const MemoryUsePart& b) { return a.bytes < b.bytes; });
  return text + ", " + std::string(largest->name) + " " + short_number(std::round(100.0 * largest->bytes / needed)) +
         " %";
}

double shortfall_of(double needed, double available) {
  return available > 0.0 ? needed / available : absent;
}

}  // namespace dfsweep
