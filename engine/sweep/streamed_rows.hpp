/// Streamed rows: checks a CSV file of numbers in one pass and reads it again block by block.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/sweep/sweep.hpp"
#include "io/diagnostic.hpp"
#include "models/row_stream.hpp"

namespace dfsweep {

struct StreamedFile {
  std::shared_ptr<const StreamedRows> rows;  ///< null where there are problems
  InputFile input;
  std::vector<Problem> problems;  ///< the first of them; where there are more, the last one says so
};

/// Reads the file at `place` once, in blocks. A line is wrong where a number is missing, is no number, is outside the
/// range of its column, is not whole or is below the one before it where its column forbids that. Throws IoError.
[[nodiscard]] StreamedFile read_streamed_rows(const DataPlace& place, std::span<const StreamColumn> columns);

}  // namespace dfsweep
