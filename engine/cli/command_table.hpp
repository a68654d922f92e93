/// The commands of the program as a table: what help, manual pages and completions are made from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace dfsweep {

struct ArgumentInfo {
  std::string name;  ///< what stands for its value, "FILE|DIR"
  std::string meaning;
  bool required = false;
  bool repeats = false;
};

struct OptionInfo {
  std::vector<std::string> names;  ///< "--quiet", "-q": the long one first
  std::string value;               ///< what stands for its value, "N"; empty: a flag
  std::string meaning;
  bool value_may_be_left_out = false;
};

struct CommandInfo {
  std::string name;
  std::string meaning;  ///< a sentence that begins with a verb
  std::vector<ArgumentInfo> arguments;
  std::vector<OptionInfo> options;
  std::vector<std::string> examples;  ///< command lines
};

struct ProgramInfo {
  CommandInfo program;  ///< its own options; no arguments
  std::vector<CommandInfo> commands;
};

/// The table of a parser. Examples name the sweep files of an installed program by their place.
[[nodiscard]] CommandInfo command_info(const CLI::App& command);
[[nodiscard]] ProgramInfo program_info(const CLI::App& program);

/// What may stand for a value on the command line.
struct ValueChoice {
  enum class Kind : std::uint8_t { anything, folders, files, words };
  Kind kind = Kind::anything;
  std::vector<std::string> words = {};
};
/// Of an argument or an option, by the name of its value ("FILE|DIR", "WHEN").
[[nodiscard]] ValueChoice value_choice(const std::string& value_name);

}  // namespace dfsweep
