/// Logged rows of DFModel as golden tests read them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/entry.hpp"

namespace dfsweep::testing {

using DfmodelRow = std::map<std::string, std::string>;  ///< cells by column name

/// The rows of reference/dfmodel/`file`. Throws where it cannot be read or is malformed.
[[nodiscard]] std::vector<DfmodelRow> dfmodel_rows(const std::string& reference_folder, const std::string& file);
/// The number in a cell; 0 where it is empty.
[[nodiscard]] double number(const DfmodelRow& row, const std::string& column);
/// Letters of topology_entry() for a topology as the logs name it.
[[nodiscard]] std::string topology_letters(const std::string& logged_name);
/// A mapping entry from partition numbers with blanks between.
[[nodiscard]] Entry assignment_entry(const std::string& partitions);

}  // namespace dfsweep::testing
