/// The commands of the program as a table, from which help, manual pages and completions are generated.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace dfsweep {

struct ArgumentInfo {
  std::string name;  ///< placeholder of its value, "FILE|DIR"
  std::string meaning;
  bool required = false;
  bool repeats = false;
};

struct OptionInfo {
  std::vector<std::string> names;  ///< "--quiet", "-q": the long one first
  std::string value;               ///< placeholder of its value, "N"; empty: a flag
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
  CommandInfo program;  ///< the options of the program itself; no arguments
  std::vector<CommandInfo> commands;
};

/// Describes a command of a parser. Paths in examples are those of the installed program.
[[nodiscard]] CommandInfo command_info(const CLI::App& command);
[[nodiscard]] ProgramInfo program_info(const CLI::App& program);

/// Completion of an argument.
struct ValueChoice {
  enum class Kind : std::uint8_t { anything, folders, files, words };
  Kind kind = Kind::anything;
  std::vector<std::string> words = {};
};
/// The completion for the placeholder of an argument or option ("FILE|DIR", "WHEN").
[[nodiscard]] ValueChoice value_choice(const std::string& value_name);

}  // namespace dfsweep
