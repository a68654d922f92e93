/// The estimators of the program.
#include "engine/sweep/estimators.hpp"

#include <array>
#include <memory>

#include "models/dataflow/estimator.hpp"
#include "models/hyperparameters/estimator.hpp"
#include "models/inference/estimator.hpp"
#include "models/inference/serving/estimator.hpp"
#include "models/taskgraph/estimator.hpp"
#include "models/training/estimator.hpp"

namespace dfsweep {

std::span<const Estimator* const> estimators() {
  static const std::array<std::unique_ptr<const Estimator>, 6> owned{
      dataflow::make_dataflow_estimator(),   hyperparameters::make_hyperparameters_estimator(),
      inference::make_profiled_estimator(),  serving::make_serving_estimator(),
      taskgraph::make_taskgraph_estimator(), training::make_training_estimator()};
  static const std::array<const Estimator*, 6> all{owned[0].get(), owned[1].get(), owned[2].get(),
                                                   owned[3].get(), owned[4].get(), owned[5].get()};
  return all;
}

const Estimator* find_estimator(std::string_view name, std::span<const Estimator* const> known) {
  for (const Estimator* estimator : known)
    if (estimator->name() == name) return estimator;
  return nullptr;
}

}  // namespace dfsweep
