/// Converts config.json of Hugging Face models to catalogue entries.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "io/toml.hpp"

namespace dfsweep::foreign {

/// The name of the model: the last part of `_name_or_path` in lower case; "" if it is missing.
[[nodiscard]] std::string huggingface_name(const Document& document);

/// The part of a config.json that describes the decoder of text: `text_config` of models that read images too, else
/// all.
[[nodiscard]] const Document& text_part(const Document& document);

/// The longest sequence that the model takes, in tokens; nothing where the file does not say it.
[[nodiscard]] std::optional<double> huggingface_positions(const Document& document);

/// The text of a catalogue entry of a decoder. Sizes come from the document; gated feed-forward networks, tied
/// embeddings and windowed layers also depend on `model_type`. The entry has no sequence_length: the file says what the
/// model takes at most, not what it is trained with. `source` of all numbers is the file. Throws UserError
/// with all missing or malformed fields, or for an unknown model type.
[[nodiscard]] std::string huggingface_entry(const Document& document, const std::string& name,
                                            const std::string& shown);

}  // namespace dfsweep::foreign
