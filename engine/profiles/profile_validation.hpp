/// Cross-validation of all tables of a folder: how far predictions are off where nothing was measured.
#pragma once

#include <string>
#include <vector>

#include "models/measured_tables/predictors/cross_validation.hpp"
#include "models/measured_tables/profiles.hpp"

namespace dfsweep {

/// Samples of one operator that are predicted from each other.
struct ValidatedTable {
  inference::Operator op = inference::Operator::add;
  std::string place;  ///< "a100 meta-llama/Llama-2-7b-hf degree 1", "a100_dgx 8 workers, 8 on a node"
  inference::ValidationErrors errors;
};

/// Tables of every operator, those of one operator together. Work of single folds is shared out over `threads`; the
/// result does not depend on their number.
[[nodiscard]] std::vector<ValidatedTable> validate_profiles(const inference::ProfileSet& set, unsigned threads);

/// The error of an operator is the mean over its tables.
struct OperatorErrors {
  inference::Operator op = inference::Operator::add;
  std::size_t tables = 0;
  double rows = 0.0;
  double fitted = 0.0;  ///< relative
  double forest = 0.0;
};
/// Operators with tables, in their order. Pre: `tables` as from validate_profiles.
[[nodiscard]] std::vector<OperatorErrors> errors_by_operator(const std::vector<ValidatedTable>& tables);

}  // namespace dfsweep
