/// Manual pages and completions for shells, made from the table of commands.
#pragma once

#include <string>
#include <vector>

#include "engine/cli/command_table.hpp"

namespace dfsweep {

struct Page {
  std::string path;  ///< below the prefix of an installation, "share/man/man1/dfsweep.1"
  std::string text;
};

/// dfsweep(1), and dfsweep-COMMAND(1) for every command, in the language of man.
[[nodiscard]] std::vector<Page> manual_pages(const ProgramInfo& program);

/// Completion for bash, without other packages; for zsh; for fish.
[[nodiscard]] Page bash_completion(const ProgramInfo& program);
[[nodiscard]] Page zsh_completion(const ProgramInfo& program);
[[nodiscard]] Page fish_completion(const ProgramInfo& program);

}  // namespace dfsweep
