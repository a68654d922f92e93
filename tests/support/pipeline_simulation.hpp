/// A pipeline simulated by a clock: devices start the next pass of their list as soon as what it needs has ended.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/training/pipeline/orders.hpp"

namespace dfsweep::testing {

/// A group of passes that ran on a device.
struct SimulatedGroup {
  training::OperationGroup operations;
  double begin = 0.0;
  double end = 0.0;
};

/// [device][in order of time]
using SimulatedPipeline = std::vector<std::vector<SimulatedGroup>>;

/// `duration`: of a group. Nothing where devices wait for each other for ever.
[[nodiscard]] std::optional<SimulatedPipeline> simulate_pipeline(
    const training::PipelineOrders& orders, const std::function<double(const training::OperationGroup&)>& duration);

[[nodiscard]] double end_of(const SimulatedPipeline& pipeline);

/// What the run does that no pipeline can: a pass that is missing or runs twice, on a device that does not have its
/// stage, before something that it needs, or beside another one. Empty where there is nothing.
[[nodiscard]] std::string impossible_in(const SimulatedPipeline& pipeline, int stages, int micro_batches, int ends);

}  // namespace dfsweep::testing
