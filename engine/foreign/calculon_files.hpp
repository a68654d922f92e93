/// Files of the Calculon tool as catalogue entries and points: models, systems, executions, and tables of them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "io/toml.hpp"

namespace dfsweep::foreign {

enum class DocumentKind : std::uint8_t { model, system, execution };

/// Detects the kind of a document by its fields. Throws UserError if it has none of these kinds.
[[nodiscard]] DocumentKind kind_of(const Document& document, const std::string& shown);

/// The text of a catalogue entry; `source` of all numbers is the file `shown`. Throws UserError with all missing or
/// malformed fields.
[[nodiscard]] std::string model_entry(const Document& document, const std::string& name, const std::string& shown);
[[nodiscard]] std::string system_entry(const Document& document, const std::string& name, const std::string& shown);

/// The 23 inputs as values of parameters, in the order of execution_inputs(). Throws UserError.
[[nodiscard]] std::vector<std::string> execution_values(const Document& document, const std::string& shown);

enum class TableKind : std::uint8_t { models, systems };

/// A document for each name of a table with columns `model`, `hidden`, ... or `system`, `field`, `value`. Fields are
/// paths such as "matrix.float16.efficiency.0.min_gflop". Throws UserError.
struct NamedDocument {
  std::string name;
  Document document;
};
[[nodiscard]] std::pair<TableKind, std::vector<NamedDocument>> documents_of_table(std::string table,
                                                                                  const std::string& shown);

struct PointList {
  std::string text;  ///< CSV, one line per row, in order
  std::size_t points = 0;
};

/// The table needs columns `model`, `system` and the 23 inputs of an execution; it may have others. `shown` names the
/// file in messages. Throws UserError with all problems.
[[nodiscard]] PointList points_of_rows(std::string table, const std::string& shown);

}  // namespace dfsweep::foreign
