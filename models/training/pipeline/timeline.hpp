/// Timeline: a pipeline run event by event; every device works off its list in order and waits for what it needs.
#pragma once

#include <vector>

#include "models/training/pipeline/orders.hpp"

namespace dfsweep::training {

/// Operations that ran together on a device.
struct TimedOperations {
  OperationGroup operations;
  Seconds begin;
  Seconds end;
};

/// [device][in order of time]. `work` is that of all chunks of a device; the last one is the heaviest.
/// Pre: the orders do not make devices wait for each other.
[[nodiscard]] std::vector<std::vector<TimedOperations>> pipeline_timeline(const PipelineOrders& orders,
                                                                          const PipelineWork& work);

/// Time when the last device ends.
[[nodiscard]] Seconds end_of(const std::vector<std::vector<TimedOperations>>& timeline);

}  // namespace dfsweep::training
