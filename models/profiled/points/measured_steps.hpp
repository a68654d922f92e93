/// MeasuredSteps: step times of uniform batches by the replicas of the estimator `profiled`.
#pragma once

#include <optional>

#include "models/measured_tables/step_times.hpp"
#include "models/profiled/points/replica.hpp"

namespace dfsweep::profiled {

class MeasuredSteps final : public StepTimes {
 public:
  /// Arguments as for MakeStepTimes.
  MeasuredSteps(const SweepValues& other, const TableChoice& choice);

  [[nodiscard]] std::optional<StepTime> step(const PointColumns& points, std::size_t i,
                                             const RequestBatch& batch) const override;
  [[nodiscard]] std::span<const DataProblem> warnings() const override { return findings_.warnings; }

 private:
  SweepValues values_;
  TableFindings findings_;
  ProfiledValues decoded_;
  Batches batches_;
  Replicas replicas_;
};

}  // namespace dfsweep::profiled
