#include "models/training/pipeline/schedule.hpp"

#include <algorithm>

namespace dfsweep::training {

Seconds bubble_time(const PipelineShape& shape, const StageWork& mean) {
  const double p = shape.stages;
  switch (shape.schedule) {
    case Schedule::one_forward_one_backward:
      return (p - 1) / shape.chunks * mean.total();
    case Schedule::zero_bubble:
      return (p - 1) * (mean.backward_input + std::max(Seconds{}, mean.forward - mean.backward_weight));
    case Schedule::dual_pipe:
      return std::max(0.0, p / 2 - 1) *
             (mean.forward + 2 * mean.backward_input - std::min(mean.forward, mean.backward_weight));
  }
  return Seconds{};
}

double paired_micro_batches(const PipelineShape& shape) {
  if (shape.schedule != Schedule::dual_pipe || shape.stages <= 1) return 0.0;
  return std::max(0.0, shape.micro_batches - shape.stages / 2 - 2);
}

double micro_batches_in_flight(const PipelineShape& shape) {
  const double p = shape.stages;
  const double held =
      shape.schedule == Schedule::dual_pipe ? p + 1 : p + (shape.chunks > 1 ? (p - 1) / shape.chunks : 0);
  return std::min(shape.micro_batches, p > 1 ? held : 1.0);
}

double weight_copies(Schedule schedule) {
  return schedule == Schedule::dual_pipe ? 2.0 : 1.0;
}

}  // namespace dfsweep::training
