/// Files of the Calculon tool as catalogue entries and points: models, systems, executions.
#pragma once

#include <string>
#include <vector>

#include "io/toml.hpp"

namespace dfsweep::foreign {

enum class DocumentKind : std::uint8_t { model, system, execution };

/// What a document describes, by its fields. Throws UserError where it is none of them.
[[nodiscard]] DocumentKind kind_of(const Document& document, const std::string& shown);

/// The text of a catalogue entry. `source` names the file as the source of all numbers. Throws UserError with all
/// fields that are missing or malformed.
[[nodiscard]] std::string model_entry(const Document& document, const std::string& name, const std::string& shown);
[[nodiscard]] std::string system_entry(const Document& document, const std::string& name, const std::string& shown);

/// The 23 inputs in our spelling, in the order of execution_inputs(). Throws UserError.
[[nodiscard]] std::vector<std::string> execution_values(const Document& document, const std::string& shown);

}  // namespace dfsweep::foreign
