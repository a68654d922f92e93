/// Platform: the programming interface of an accelerator, by which serving engines say where they run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "models/name_set.hpp"

namespace dfsweep {

enum class Platform : std::uint8_t {
  cuda,    ///< NVIDIA
  rocm,    ///< AMD
  xpu,     ///< graphics processors of Intel
  gaudi,   ///< Gaudi accelerators of Intel
  tpu,     ///< Google
  neuron,  ///< Amazon
  other,
  count
};
inline constexpr std::array<std::string_view, 7> platform_names{"cuda", "rocm",   "xpu",  "gaudi",
                                                                "tpu",  "neuron", "other"};
using Platforms = NameSet<Platform>;

/// The platform at a place of platform_names; nothing beyond its end.
[[nodiscard]] inline std::optional<Platform> platform_of(std::size_t place) {
  if (place >= platform_names.size()) return std::nullopt;
  return static_cast<Platform>(place);
}

}  // namespace dfsweep
