/// Launch commands: the command lines that start the servers of a deployment with a serving engine.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/entry.hpp"

namespace dfsweep::foreign {

/// A server of a deployment, or of one of its pools.
struct LaunchCommand {
  std::string pool;                ///< "prefill" or "decode" of separate pools; else empty
  std::vector<std::string> words;  ///< the program and its flags, each with its value
  std::string config;              ///< text of the configuration file (YAML); empty: none
};

struct Launch {
  std::vector<LaunchCommand> servers;
  std::string router;              ///< what joins separate pools; else empty
  std::vector<std::string> lacks;  ///< what is asked of the engine, and what it has not
};

/// The value of a parameter as a flag spells it; nothing where it is not given.
using ParameterText = std::function<std::optional<std::string>(std::string_view parameter)>;

/// `engine`: an entry of "engines", whose tables `flag` and `lack` map parameters of `serving` to flags. With separate
/// pools a parameter is looked up with the prefix of the pool first.
[[nodiscard]] Launch launch_of(const Entry& engine, const ParameterText& value_of);

/// As lines for a shell, the configuration file first, and remarks as comments. `name`: of the configuration file.
[[nodiscard]] std::string launch_text(const Launch& launch, const std::string& name);

}  // namespace dfsweep::foreign
