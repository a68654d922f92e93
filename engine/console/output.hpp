/// Output: standard output is for results only, and write errors are reported.
#pragma once

#include <string_view>

namespace dfsweep {

/// Writes to stdout (buffered). Throws IoError (EPIPE if the reader has closed the pipe).
void write_results(std::string_view text);

/// Flushes stdout. Throws IoError.
void flush_results();

/// Writes lines that start with a position to standard error.
void write_warnings(std::string_view lines);

/// Writes one line to standard error, with the prefix "dfsweep: ".
void write_message(std::string_view line);

}  // namespace dfsweep
