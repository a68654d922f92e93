/// Tables of models (a line each) and of systems (a line per field) as documents of the Calculon tool.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "io/toml.hpp"

namespace dfsweep::foreign {

enum class TableKind : std::uint8_t { models, systems };

/// A document for each name of a table with columns `model`, `hidden`, ... or `system`, `field`, `value`. Fields are
/// paths such as "matrix.float16.efficiency.0.min_gflop". Throws UserError.
struct NamedDocument {
  std::string name;
  Document document;
};
[[nodiscard]] std::pair<TableKind, std::vector<NamedDocument>> documents_of_table(std::string table,
                                                                                  const std::string& shown);

}  // namespace dfsweep::foreign
