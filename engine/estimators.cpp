/// The estimators of the program.
#include "engine/estimators.hpp"

#include <array>
#include <memory>

#if __has_include("models/dataflow/estimator.hpp")
#include "models/dataflow/estimator.hpp"
#define DFSWEEP_HAS_DATAFLOW 1
#endif

namespace dfsweep {

std::span<const Estimator* const> estimators() {
#ifdef DFSWEEP_HAS_DATAFLOW
  static const std::unique_ptr<const Estimator> dataflow = make_dataflow_estimator();
  static const std::array<const Estimator*, 1> all{dataflow.get()};
#else
  static const std::array<const Estimator*, 0> all{};
#endif
  return all;
}

const Estimator* find_estimator(std::string_view name, std::span<const Estimator* const> known) {
  for (const Estimator* estimator : known)
    if (estimator->name() == name) return estimator;
  return nullptr;
}

}  // namespace dfsweep
