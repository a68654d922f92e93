/// Models, systems and executions of the Calculon reference tables, for golden tests of the training model.
#pragma once

#include <map>
#include <string>

#include "models/calculon/formulas/execution.hpp"
#include "tests/support/golden_table.hpp"

namespace dfsweep::testing {

struct CalculonReference {
  std::map<std::string, calculon::ModelShape> models;
  std::map<std::string, calculon::System> systems;
};
/// models.csv and systems.csv of reference/calculon. Throws where they cannot be read or are malformed.
[[nodiscard]] CalculonReference calculon_reference(const std::string& reference_folder);

/// The execution of a golden row; words that the model does not know become `unknown`.
[[nodiscard]] calculon::Execution execution_of(const GoldenTable& table, std::size_t row);

}  // namespace dfsweep::testing
