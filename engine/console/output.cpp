/// Writes results to standard output and messages to standard error.
#include "engine/console/output.hpp"

#include <cerrno>
#include <cstdio>
#include <string>

#include "io/file_system.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

void write_results(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
    throw IoError("write to", "standard output", errno);
}

void flush_results() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) throw IoError("write to", "standard output", errno);
}

void write_warnings(std::string_view lines) {
  const std::string text = printable_lines(lines);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void write_message(std::string_view line) {
  const std::string text = "dfsweep: " + printable_lines(line) + "\n";
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace dfsweep
