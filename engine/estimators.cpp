/// The estimators of the program.
#include "engine/estimators.hpp"

#include <array>
#include <memory>

#include "models/dataflow/estimator.hpp"
#include "models/hyperparameters/estimator.hpp"
#include "models/inference/profiled_estimator.hpp"

namespace dfsweep {

std::span<const Estimator* const> estimators() {
  static const std::unique_ptr<const Estimator> dataflow = make_dataflow_estimator();
  static const std::unique_ptr<const Estimator> hyperparameters = make_hyperparameters_estimator();
  static const std::unique_ptr<const Estimator> profiled = make_profiled_estimator();
  static const std::array<const Estimator*, 3> all{dataflow.get(), hyperparameters.get(), profiled.get()};
  return all;
}

const Estimator* find_estimator(std::string_view name, std::span<const Estimator* const> known) {
  for (const Estimator* estimator : known)
    if (estimator->name() == name) return estimator;
  return nullptr;
}

}  // namespace dfsweep
