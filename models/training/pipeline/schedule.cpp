#include "models/training/pipeline/schedule.hpp"

#include <algorithm>
#include <cmath>

namespace dfsweep::training {

namespace {

bool is_odd(double number) {
  return std::fmod(number, 2.0) != 0.0;
}

/// The path that ends with the gradients which stage `s` still has to compute after those of the heaviest stage.
Seconds drain_path(double s, const PipelineShape& shape, const PipelineWork& work) {
  const double p = shape.stages;
  const double m = shape.micro_batches;
  const StageWork& h = work.heaviest;
  const StageWork& o = work.other;
  return (p - 1) * o.forward + m * (h.forward + h.backward_input) + std::max(0.0, m - p) * h.backward_weight +
         (p - 1 - s) * o.backward_input + (s + 1) * o.backward_weight;
}

Seconds zero_bubble_time(const PipelineShape& shape, const PipelineWork& work) {
  const double p = shape.stages;
  const double m = shape.micro_batches;
  const StageWork& h = work.heaviest;
  const StageWork& o = work.other;
  const Seconds heaviest_stage = (p - 1) * o.forward + m * h.total();
  const Seconds first_stage = (p - 1) * (o.forward + o.backward_input) + h.forward + h.backward_input +
                              (m - 1) * o.backward_input + m * o.backward_weight + std::max(0.0, m - p) * o.forward;
  return std::max(
      {heaviest_stage, first_stage, drain_path(0, shape, work), drain_path(std::min(p - 2, m - 1), shape, work)});
}

}  // namespace

StageWork operator*(double factor, const StageWork& work) {
  return {factor * work.forward, factor * work.backward_input, factor * work.backward_weight, work.hidden_in_pair};
}

ScheduleFit schedule_fit(const PipelineShape& shape) {
  const double whole = std::ceil(shape.micro_batches);
  if (shape.stages <= 1) return ScheduleFit::runs;
  if (shape.schedule != Schedule::one_forward_one_backward && shape.chunks > 1) return ScheduleFit::not_interleaved;
  if (shape.chunks > 1 && shape.micro_batches < shape.stages) return ScheduleFit::too_few_micro_batches;
  if (shape.schedule != Schedule::dual_pipe) return ScheduleFit::runs;
  if (is_odd(shape.stages)) return ScheduleFit::odd_number;
  if (shape.micro_batches < 2 * shape.stages) return ScheduleFit::too_few_micro_batches;
  return is_odd(whole) ? ScheduleFit::odd_number : ScheduleFit::runs;
}

Seconds bubble_time(const PipelineShape& shape, const PipelineWork& work) {
  const double p = shape.stages;
  if (p <= 1) return Seconds{};
  const StageWork& h = work.heaviest;
  switch (shape.schedule) {
    case Schedule::one_forward_one_backward:
      return (p - 1) / shape.chunks * work.other.total();
    case Schedule::zero_bubble:
      return zero_bubble_time(shape, work) - shape.micro_batches * h.total();
    case Schedule::dual_pipe:
      const double q = p / 2 - 1;
      return q * std::max(Seconds{}, h.backward_input - h.backward_weight) +
             std::max(2 * q * h.forward, (q - 1) * h.forward + q * h.backward_input);
  }
  return Seconds{};
}

double paired_micro_batches(const PipelineShape& shape) {
  if (shape.schedule != Schedule::dual_pipe || shape.stages <= 1) return 0.0;
  return std::max(0.0, shape.micro_batches - shape.stages / 2 - 2);
}

Seconds pipeline_time(const PipelineShape& shape, const PipelineWork& work) {
  return shape.micro_batches * work.heaviest.total() + bubble_time(shape, work) -
         paired_micro_batches(shape) * work.heaviest.hidden_in_pair;
}

double interleaved_group(const PipelineShape& shape) {
  const double p = shape.stages;
  const double m = std::ceil(shape.micro_batches);
  double group = p;
  for (double rest = std::fmod(m, group); group < m && rest > 0 && rest < p; rest = std::fmod(m, group)) ++group;
  return group;
}

InFlight micro_batches_in_flight(const PipelineShape& shape) {
  const double p = shape.stages;
  const double m = shape.micro_batches;
  if (p <= 1) return {};
  switch (shape.schedule) {
    case Schedule::zero_bubble:
      return {std::min(m, p), std::min(m, p)};
    case Schedule::dual_pipe:
      return {std::min(m, p + 1), std::min(m, p + 1)};
    case Schedule::one_forward_one_backward:
      if (shape.chunks <= 1) return {std::min(m, p), 1};
      const double group = interleaved_group(shape);
      return {std::min(m, group + (2 * p - 1 - group) / shape.chunks), std::min(m, group - (group - 1) / shape.chunks)};
  }
  return {};
}

double weight_copies(const PipelineShape& shape) {
  return shape.schedule == Schedule::dual_pipe && shape.stages > 1 ? 2.0 : 1.0;
}

}  // namespace dfsweep::training
