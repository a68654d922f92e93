/// Files config.json of Hugging Face models as catalogue entries.
#pragma once

#include <string>
#include <string_view>

#include "io/toml.hpp"

namespace dfsweep::foreign {

/// Name that the document gives the model: the last part of `_name_or_path` in small letters; "" if it has none.
[[nodiscard]] std::string huggingface_name(const Document& document);

/// The text of a catalogue entry of a decoder. Sizes are those of the document; whether the feed-forward network has a
/// gate, the embeddings are tied or layers have windows also follows from `model_type`. `source` names the file as the
/// source of all numbers. Throws UserError with all that is missing, malformed or of an unknown type.
[[nodiscard]] std::string huggingface_entry(const Document& document, const std::string& name,
                                            const std::string& shown);

}  // namespace dfsweep::foreign
