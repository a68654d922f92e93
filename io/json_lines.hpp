/// JSON lines as CSV: one object a line, as loggers write them.
#pragma once

#include <string>
#include <string_view>

namespace dfsweep {

/// Whether the first character that is not blank opens an object.
[[nodiscard]] bool is_json_lines(std::string_view text);

/// A header with all names in the order of their first appearance, and a line for each line of the text. Members of
/// objects within objects are named "outer.inner"; lists are left out; null and absent members are empty cells. NaN and
/// infinities are taken as Python writes them.
/// Throws UserError naming `name` and the line where a line is no object.
[[nodiscard]] std::string csv_of_json_lines(std::string_view text, const std::string& name);

}  // namespace dfsweep
