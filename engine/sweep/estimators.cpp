/// The estimators of the program.
#include "engine/sweep/estimators.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include "io/suggestion.hpp"
#include "models/calculon/estimator.hpp"
#include "models/dataflow/estimator.hpp"
#include "models/hyperparameters/estimator.hpp"
#include "models/place_of_name.hpp"
#include "models/profiled/estimator.hpp"
#include "models/serving/estimator.hpp"
#include "models/serving_study/estimator.hpp"
#include "models/taskgraph/estimator.hpp"
#include "models/training/estimator.hpp"

namespace dfsweep {

std::span<const Estimator* const> estimators() {
  static const auto owned = std::to_array<std::unique_ptr<const Estimator>>(
      {calculon::make_calculon_estimator(), dataflow::make_dataflow_estimator(),
       hyperparameters::make_hyperparameters_estimator(), profiled::make_profiled_estimator(),
       serving::make_serving_estimator(profiled::make_step_times), serving_study::make_serving_study_estimator(),
       taskgraph::make_taskgraph_estimator(), training::make_training_estimator()});
  static const auto all = [] {
    std::array<const Estimator*, owned.size()> pointers{};
    std::transform(owned.begin(), owned.end(), pointers.begin(), [](const auto& one) { return one.get(); });
    return pointers;
  }();
  return all;
}

const Estimator* find_estimator(std::string_view name, std::span<const Estimator* const> known) {
  for (const Estimator* estimator : known)
    if (estimator->name() == name) return estimator;
  return nullptr;
}

std::string parameter_hint(std::string_view parameter, std::span<const Estimator* const> known, std::string otherwise) {
  std::vector<std::string> names;
  for (const Estimator* estimator : known)
    if (place_of_name(estimator->parameters(), parameter)) names.push_back("'" + std::string(estimator->name()) + "'");
  if (names.empty()) return otherwise;
  return names.size() == 1 ? "Estimator " + names.front() + " has it" : "Estimators " + listed(names) + " have it";
}

std::vector<std::string> correctable_estimators() {
  std::vector<std::string> names;
  for (const Estimator* estimator : estimators())
    if (!estimator->calibration().empty()) names.emplace_back(estimator->name());
  return names;
}

}  // namespace dfsweep
