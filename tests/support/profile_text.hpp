/// Small measured tables as texts, and texts as tables.
#pragma once

#include <string>

#include "models/table.hpp"

namespace dfsweep {

/// Pre: `text` is a well-formed CSV file.
[[nodiscard]] Table profile_table(std::string path, std::string text);

/// mlp.csv of a model with 1024 numbers per token at degrees 1 (three rows, one of them twice) and 2.
[[nodiscard]] std::string small_layer_text();

/// attention.csv of the same at degree 1: line 2 decodes 8 requests of 512 tokens, line 3 is a chunk of 128 after 256.
[[nodiscard]] std::string small_attention_text();

/// all_reduce.csv: two equal measurements of 2048 bytes among 2 workers, one of 1 MiB among 4, and another collective.
[[nodiscard]] std::string small_network_text();

/// cpu_overheads.csv: 8 requests at degree 2.
[[nodiscard]] std::string small_processor_text();

}  // namespace dfsweep
