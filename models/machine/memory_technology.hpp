/// MemoryTechnology: kinds of device memory, whose price and power per byte and per bandwidth differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace dfsweep {

enum class MemoryTechnology : std::uint8_t { hbm2, hbm2e, hbm3, hbm3e, hbm4, gddr, lpddr, ddr, count };

/// In the order of the enumerators.
inline constexpr std::string_view memory_technology_names[] = {"hbm2", "hbm2e", "hbm3",  "hbm3e",
                                                               "hbm4", "gddr",  "lpddr", "ddr"};
static_assert(sizeof(memory_technology_names) / sizeof(std::string_view) ==
              static_cast<std::size_t>(MemoryTechnology::count));

}  // namespace dfsweep
