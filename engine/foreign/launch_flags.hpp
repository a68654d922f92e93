/// Flags of launch commands: keys with their values, as command lines, shell scripts, YAML and TOML files write them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/diagnostic.hpp"

namespace dfsweep::foreign {

/// `--key word word`, `--key=word`, `key=word`, or `key: word` of a file. Keys of command lines keep their dashes, with
/// '-' for '_' ("--micro-batch-size"); keys with dots are paths, without dashes and with '_' ("model.seq_length").
struct LaunchFlag {
  std::string key;
  std::vector<std::string> words;  ///< none: a switch
  SourcePosition at;
};

/// The flags of a command line or of a shell script. Variables that the text sets are replaced, arrays are read where
/// they are set, and whatever is no flag is skipped. `shown`: name of the text in positions.
[[nodiscard]] std::vector<LaunchFlag> flags_of_script(std::string_view text, const std::string& shown);

/// The flags of a file: TOML and YAML (nested keys become paths) by its ending, else a script. Throws UserError where
/// TOML cannot be parsed.
[[nodiscard]] std::vector<LaunchFlag> flags_of_file(const std::string& text, const std::string& shown);

}  // namespace dfsweep::foreign
