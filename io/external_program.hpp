/// ExternalProgram: starts another program with a text on its standard input and reads what it prints.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dfsweep {

struct ExternalResult {
  int status = 0;   ///< exit status; 128 + signal if a signal ended it
  std::string out;  ///< its standard output; standard error is that of this process
};

/// Starts `words[0]`, which is looked up on the PATH, without a shell, and waits for it. Throws IoError if it cannot be
/// started. Pre: `words` is not empty.
[[nodiscard]] ExternalResult run_external(const std::vector<std::string>& words, std::string_view input);

}  // namespace dfsweep
