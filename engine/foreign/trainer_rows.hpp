/// Rows of the tables of a trainer (an entry of "trainers"): when they hold, and their texts with values.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/foreign/launch_command.hpp"
#include "models/entry.hpp"

namespace dfsweep::foreign {

[[nodiscard]] std::optional<double> as_number(std::string_view text);

/// Numbers by value, words without regard to case.
[[nodiscard]] bool is_same_value(std::string_view a, std::string_view b);

/// "flag", "default" or "lack"; empty where the trainer has no such table.
[[nodiscard]] std::span<const Entry> rows_of(const Entry& trainer, std::string_view table);

/// The name in "{name}"; nothing for other words. The one without a name is the parameter of the row.
[[nodiscard]] std::optional<std::string> placeholder(std::string_view word, const Entry& row);

/// Replaces each "{name}" by its value; nothing where one has none.
[[nodiscard]] std::optional<std::string> filled(std::string text, const Entry& row, const ParameterText& value_of);

/// Whether what the row needs is there, and what excludes it is not.
[[nodiscard]] bool holds(const Entry& row, const ParameterText& value_of);

/// Whether the row is for the value that the parameter has, or for no parameter.
[[nodiscard]] bool is_for(const Entry& row, const ParameterText& value_of);

}  // namespace dfsweep::foreign
