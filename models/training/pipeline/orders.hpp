/// Orders: in which order the devices of a pipeline work off the passes of their micro-batches.
#pragma once

#include <cstdint>
#include <vector>

#include "models/training/pipeline/schedule.hpp"

namespace dfsweep::training {

enum class Pass : std::uint8_t { forward, backward_input, backward_weight };

/// One pass of one micro-batch on one (virtual) stage.
struct Operation {
  Pass pass;
  int end;  ///< 0: stages count from the first device; 1: from the last, for micro-batches that enter there
  int stage;
  int micro;
  auto operator<=>(const Operation&) const = default;
};

/// Operations that run together, and the lists of all devices.
using OperationGroup = std::vector<Operation>;
struct PipelineOrders {
  std::vector<std::vector<OperationGroup>> devices;
  int stages = 1;  ///< virtual ones
  int chunks = 1;  ///< of a device
};

/// Most micro-batches whose activations a device holds from the forward pass to the gradients of weights; a chunk is
/// its share.
[[nodiscard]] double most_held(const PipelineOrders& orders, std::size_t device);

/// [megatron] section 2.2
[[nodiscard]] PipelineOrders one_forward_one_backward(int stages, int micro_batches);
/// Each chunk works off `group` micro-batches before the next one begins. Pre: group >= stages; the last group has at
/// least as many as there are stages.
[[nodiscard]] PipelineOrders interleaved(int stages, int chunks, int micro_batches, int group);
/// ZB-H1: the gradients of weights lag behind by the place of the stage. [zerobubble] section 3
[[nodiscard]] PipelineOrders zero_bubble(int stages, int micro_batches);
/// The order of the published implementation. Pre: both are even, micro_batches >= 2 stages. [deepseekv3] section 3.2.1
[[nodiscard]] PipelineOrders dual_pipe(int stages, int micro_batches);

/// Those of a schedule. Pre: schedule_fit is `runs`; stages, chunks and micro-batches are whole.
[[nodiscard]] PipelineOrders orders_of(const PipelineShape& shape);

}  // namespace dfsweep::training
