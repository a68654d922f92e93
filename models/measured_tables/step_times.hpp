/// StepTimes: times of uniform batches from measured tables, for estimators that model batching.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "models/estimator.hpp"
#include "models/measured_tables/batch.hpp"
#include "models/units.hpp"

namespace dfsweep {

/// Time of one batch.
struct StepTime {
  Seconds through;  ///< sum over all stages
  Seconds slowest;  ///< slowest stage
};

class StepTimes {
 public:
  StepTimes() = default;
  StepTimes(const StepTimes&) = delete;
  StepTimes& operator=(const StepTimes&) = delete;
  virtual ~StepTimes() = default;
  /// Time of `batch` at point `i` of a sweep with the same code columns; empty where an operator has no table, or the
  /// degrees do not divide the model. Thread-safe.
  [[nodiscard]] virtual std::optional<StepTime> step(const PointColumns& points, std::size_t i,
                                                     const RequestBatch& batch) const = 0;
  [[nodiscard]] virtual std::span<const DataProblem> warnings() const = 0;
};

/// The parameters of a sweep that select tables.
struct TableChoice {
  const SweepValues::Parameter& model;
  const SweepValues::Parameter& device;
  const SweepValues::Parameter& network;
  const SweepValues::Parameter& tensor_parallel;
  const SweepValues::Parameter& pipeline_parallel;
};

/// Builds step times for a sweep of another estimator; parameters not in `choice` have their defaults. Pre: `values`
/// has data "profiles" and a device at every point, and outlives the result. Throws InvalidValues.
using MakeStepTimes = std::unique_ptr<StepTimes> (*)(const SweepValues& values, const TableChoice& choice);

}  // namespace dfsweep
