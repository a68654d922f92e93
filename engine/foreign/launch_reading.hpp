/// Reading of launch commands: the execution that flags of a program that trains say.
#pragma once

#include <span>

#include "engine/foreign/launch_flags.hpp"
#include "engine/foreign/launch_quantities.hpp"
#include "models/entry.hpp"

namespace dfsweep::foreign {

/// How many of the flags the tables of a trainer know.
[[nodiscard]] std::size_t known_flags(const Entry& trainer, std::span<const LaunchFlag> flags);

/// Parameters that flags say, with the defaults of the program where they are silent. `known`: values that replace what
/// flags say, and sizes of the model ("model.layers"). Throws UserError where a flag has a value that the tables do not
/// know.
[[nodiscard]] LaunchValues execution_of_flags(const Entry& trainer, std::span<const LaunchFlag> flags,
                                              const LaunchValues& known);

}  // namespace dfsweep::foreign
