/// Source: whether a price or a power is stated or derived.
#pragma once

#include <cstdint>
#include <string_view>

namespace dfsweep::cost {

/// Where a price or a power is from.
enum class Source : std::uint8_t {
  given,    ///< all of it is stated by entries and parameters
  derived,  ///< a part of it follows from the parts of the device
};
inline constexpr std::string_view source_names[] = {"given", "derived"};

}  // namespace dfsweep::cost
