/// MeasuredSteps: times of uniform batches from measured tables, for estimators that know what is served together.
#pragma once

#include <optional>

#include "models/profiled/points/replica.hpp"

namespace dfsweep::inference {

class MeasuredSteps {
 public:
  /// The parameters of another estimator's sweep that choose tables.
  struct Choice {
    const SweepValues::Parameter& model;
    const SweepValues::Parameter& device;
    const SweepValues::Parameter& network;
    const SweepValues::Parameter& tensor_parallel;
    const SweepValues::Parameter& pipeline_parallel;
  };
  /// Everything else has its default. Pre: `other` has data "profiles" and a device at every point. Throws
  /// InvalidValues.
  MeasuredSteps(const SweepValues& other, const Choice& choice);

  struct Step {
    Seconds through;  ///< all stages, one after the other
    Seconds slowest;  ///< stage
  };
  /// Of `batch` at point `i` of a sweep with the same code columns; nothing where an operator has no table, or the
  /// degrees do not divide the model.
  [[nodiscard]] std::optional<Step> step(const PointColumns& points, std::size_t i, const Batch& batch) const;
  [[nodiscard]] std::span<const DataProblem> warnings() const { return reading_.warnings; }

 private:
  SweepValues values_;
  ProfileReading reading_;
  ProfiledValues decoded_;
  Batches batches_;
  Replicas replicas_;
};

}  // namespace dfsweep::inference
