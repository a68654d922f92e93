/// Cross-validation of all tables of a folder: prediction errors at sizes without measurements.
#pragma once

#include <string>
#include <vector>

#include "models/measured_tables/predictors/cross_validation.hpp"
#include "models/measured_tables/profiles.hpp"

namespace dfsweep {

/// Samples of one operator, cross-validated together.
struct ValidatedTable {
  Operator op = Operator::add;
  std::string place;  ///< "a100 meta-llama/Llama-2-7b-hf degree 1", "a100_dgx 8 workers, 8 on a node"
  ValidationErrors errors;
};

/// All tables, grouped by operator. Folds run in parallel on `threads` threads; the result does not depend on their
/// number.
[[nodiscard]] std::vector<ValidatedTable> validate_profiles(const ProfileSet& set, unsigned threads);

/// Errors of an operator: mean over its tables.
struct OperatorErrors {
  Operator op = Operator::add;
  std::size_t tables = 0;
  double rows = 0.0;
  double fitted = 0.0;  ///< relative
  double forest = 0.0;
};
/// Errors of the operators in `tables`. Pre: `tables` are grouped by operator, as validate_profiles() returns them.
[[nodiscard]] std::vector<OperatorErrors> errors_by_operator(const std::vector<ValidatedTable>& tables);

}  // namespace dfsweep
