/// Reason: why a point has no estimate, as one sentence with the limit, the required and the available amount.
#pragma once

#include <string>

#include "models/dataflow/points/point_model.hpp"

namespace dfsweep::dataflow {

/// Empty where the status of the point is ok. Where no mapping exists, it searches for the binding constraint, which
/// takes tens of partition searches.
[[nodiscard]] std::string reason_of(const PointModel& model, const Codes& codes);

/// A point with its layout and the resulting step.
struct MappedPoint {
  const Workload& workload;
  const Layout& layout;
  const Convention& convention;
  const StepInputs& inputs;
  const Device& device;
  const PartitionRules& rules;
  const MappedWorkload& mapped;
  const Step& step;
};
/// Empty where the step is ok.
[[nodiscard]] std::string reason_of(const MappedPoint& point);

}  // namespace dfsweep::dataflow
