/// Quantities of launch commands: what programs that train have instead of parameters of `training`, such as the batch
/// of one device, and parameters from such quantities.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "engine/foreign/launch_command.hpp"

namespace dfsweep::foreign {

/// Names and values as texts.
using LaunchValues = std::map<std::string, std::string, std::less<>>;

/// A parameter, a quantity that follows from parameters, or a size of the model ("model.layers"); nothing where it is
/// not given or would be no number. `value_of`: the parameters with their defaults, the sizes of the model, and
/// `node_devices`.
[[nodiscard]] std::optional<std::string> quantity_of(std::string_view name, const ParameterText& value_of);

/// Replaces quantities by the parameters that they determine. `values`: what a launch command gives, and sizes of the
/// model where they are known. `known`: values that stay. What follows from too little is left out.
void replace_quantities(LaunchValues& values, const LaunchValues& known);

}  // namespace dfsweep::foreign
