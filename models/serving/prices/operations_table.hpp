/// OperationsTable: what the operations of a step are priced by, for explanations.
#pragma once

#include "models/explanation.hpp"
#include "models/serving/prices/step_operations.hpp"

namespace dfsweep::serving {

/// Sizes that the operations of a part have: those of a decode step, and of attention of prompts those of a prompt
/// step.
struct ExplainedSizes {
  double tokens = 1.0;      ///< of a rank
  double all_tokens = 1.0;  ///< of all ranks
  double sampled = 1.0;
  StepSizes decoding;
  StepSizes prompts;
};

/// For each operation: its table or the closed form, with the rows of the table, the distance of the nearest key, the
/// time of one and its expected error.
[[nodiscard]] Explanation operations_table(const std::vector<StepOperation>& operations,
                                           const operators::OperatorTables& tables, const operators::TableStack& stack,
                                           const ExplainedSizes& sizes);

}  // namespace dfsweep::serving
