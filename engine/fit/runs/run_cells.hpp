/// Cells of files of runs as people and their tools write them: numbers, counts such as 100M, and words for no result.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/fit/runs/run_columns.hpp"

namespace dfsweep::fit {

enum class CellKind : std::uint8_t {
  number,
  missing,    ///< empty, "n/a", "null" or the like
  no_result,  ///< a word that says why the loss is missing: "OOM", "diverged"
  malformed,
};

struct RunCell {
  CellKind kind = CellKind::malformed;
  double value = 0.0;  ///< NaN unless a number
};

/// Blanks around the text do not count. Counts (parameters, tokens, batches, lengths, FLOP, iterations) may end in k,
/// M, B or G, or T, in any case, 1.5B is 1.5e9, and may have commas or '_' between groups of three digits.
[[nodiscard]] RunCell run_cell(std::string_view text, RunColumn column);

}  // namespace dfsweep::fit
