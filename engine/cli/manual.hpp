/// Manual pages and completions for shells, made from the table of commands.
#pragma once

#include <string>
#include <vector>

#include "engine/cli/command_table.hpp"

namespace dfsweep {

struct Page {
  std::string path;  ///< relative to the installation prefix, "share/man/man1/dfsweep.1"
  std::string text;
};

/// dfsweep(1), and dfsweep-COMMAND(1) for every command, as roff.
[[nodiscard]] std::vector<Page> manual_pages(const ProgramInfo& program);

/// Completions for bash (without the package bash-completion), zsh and fish.
[[nodiscard]] Page bash_completion(const ProgramInfo& program);
[[nodiscard]] Page zsh_completion(const ProgramInfo& program);
[[nodiscard]] Page fish_completion(const ProgramInfo& program);

}  // namespace dfsweep
