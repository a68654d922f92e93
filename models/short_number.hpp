/// Numbers in messages.
#pragma once

#include <string>

namespace dfsweep {

/// The shortest text that tells the number to six digits.
[[nodiscard]] std::string short_number(double value);

}  // namespace dfsweep
