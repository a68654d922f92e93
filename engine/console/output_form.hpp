/// Output format and verbosity of a command.
#pragma once

#include <cstdint>

namespace dfsweep {

enum class OutputForm : std::uint8_t { text, json };

enum class Verbosity : std::uint8_t { normal, quiet };

}  // namespace dfsweep
