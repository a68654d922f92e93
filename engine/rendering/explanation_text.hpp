/// An Explanation as text for people and as JSON for programs.
#pragma once

#include <string>

#include "io/json.hpp"
#include "io/terminal.hpp"
#include "models/explanation.hpp"

namespace dfsweep {

/// Sections are indented below their titles; numbers have engineering prefixes.
[[nodiscard]] std::string explanation_text(const Explanation& explanation, const Terminal& terminal);

/// {"title", "facts": [{"label", "value", "unit"}], "table": {"headings", "units", "rows"}, "sections": [...]}; empty
/// parts are omitted.
[[nodiscard]] Json explanation_json(const Explanation& explanation);

}  // namespace dfsweep
