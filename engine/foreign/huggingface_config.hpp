/// Converts config.json of Hugging Face models to catalogue entries.
#pragma once

#include <string>
#include <string_view>

#include "io/toml.hpp"

namespace dfsweep::foreign {

/// The name of the model: the last part of `_name_or_path` in lower case; "" if it is missing.
[[nodiscard]] std::string huggingface_name(const Document& document);

/// The text of a catalogue entry of a decoder. Sizes come from the document; gated feed-forward networks, tied
/// embeddings and windowed layers also depend on `model_type`. `source` of all numbers is the file. Throws UserError
/// with all missing or malformed fields, or for an unknown model type.
[[nodiscard]] std::string huggingface_entry(const Document& document, const std::string& name,
                                            const std::string& shown);

}  // namespace dfsweep::foreign
