/// Ties: best rows that lie closer together than the error to expect of them.
#pragma once

#include <string>

#include "engine/commands/show_text.hpp"

namespace dfsweep {

/// "a tie: the first 3 rows lie within 4.2 %, the expected error"; empty where the best row stands alone, where one row
/// is shown for each group, or where the result does not tell expected errors. Pre: the answer is that of a question.
[[nodiscard]] std::string tie_note(const ShownResult& shown);

}  // namespace dfsweep
