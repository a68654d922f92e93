/// Standard output: results and nothing else go here, and a failure to write them is an error.
#pragma once

#include <string_view>

namespace dfsweep {

/// Writes all of it through the buffer of stdout. Throws IoError (EPIPE if the reader is gone).
void write_results(std::string_view text);

/// Makes sure that what was written has left this process. Throws IoError.
void flush_results();

/// Lines that hold their own positions, to standard error.
void write_warnings(std::string_view lines);

/// One line to standard error, "dfsweep: " before it.
void write_message(std::string_view line);

}  // namespace dfsweep
