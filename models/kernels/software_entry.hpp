/// Software stacks of the catalogue as serving needs them.
#pragma once

#include "models/decoded.hpp"
#include "models/entry.hpp"
#include "models/kernels/efficiency.hpp"

namespace dfsweep::serving {

/// An entry of "software". Fields that it does not have are those of every stack.
[[nodiscard]] Decoded<Efficiency> decode_efficiency(const Entry& entry);

}  // namespace dfsweep::serving
