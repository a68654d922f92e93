/// StepOperations: the operations of a step by the keys of measured tables.
/// Source: docs/models/serving.md, measured operators.
#pragma once

#include <string_view>
#include <vector>

#include "models/operators/operator_tables.hpp"
#include "models/serving/step/costs.hpp"
#include "models/serving/step/step_prices.hpp"
#include "models/transformer/architecture.hpp"

namespace dfsweep::serving {

struct StepOperation {
  StepPart part = StepPart::attention_products;
  std::string_view name;  ///< "gate and up"
  operators::TableQuery query{};
  operators::Keys keys{};      ///< of the shape; sizes that vary are 0
  double count = 1.0;          ///< in a pass through all layers
  double token_bytes = 0.0;    ///< of an exchange: that a token adds to the buffer
  bool is_of_library = false;  ///< an exchange of NCCL instead of the engine's own
};

/// All operations that tables can have, on one device of the replica. Left out are attention whose layers differ
/// (linear attention, indexers), and all-reduces of more devices than a node has.
[[nodiscard]] std::vector<StepOperation> step_operations(const Architecture& a, const Replica& r);

/// Sizes that vary from step to step: `first` is tokens of products, experts and exchanges, or requests of attention.
struct StepSizes {
  double first = 1.0;
  double tokens = 1.0;   ///< of each prompt
  double context = 0.0;  ///< before these, or of a sequence that decodes
};
[[nodiscard]] operators::Keys keys_of(const StepOperation& operation, const StepSizes& sizes);

}  // namespace dfsweep::serving
