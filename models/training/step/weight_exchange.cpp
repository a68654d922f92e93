#include "models/training/step/weight_exchange.hpp"

#include <algorithm>

#include "models/kernels/smooth_maximum.hpp"
#include "models/training/memory/footprint.hpp"

namespace dfsweep::training {

namespace {

DataExchange exchange(double parameters, double replicas, double stride, const TrainingPoint& point) {
  const Execution& e = point.execution;
  const ReplicaGroups groups = replica_groups(replicas, stride, e.sharding_group, point.network.enclosures);
  const Software& s = point.software;
  if (e.phase == Phase::forward)
    return {Seconds{}, weight_gather_time(parameters, groups, s.wire, point.network, s.links), Seconds{}};
  return data_exchange(parameters, e.sharding, groups, s.wire, point.network, s.links);
}

bool is_exchanged(const Execution& e) {
  return (e.task == Task::full && e.phase == Phase::train) || e.sharding == Sharding::parameters;
}

}  // namespace

WeightExchange weight_exchange(const TrainingPoint& point) {
  if (!is_exchanged(point.execution)) return {};
  const Parallelism& p = point.execution.parallel;
  const LocalParameters n = local_parameters(point.architecture, p);
  return {exchange(n.dense + n.vocabulary, p.data * p.context, p.tensor, point),
          exchange(n.experts, expert_replicas(p), expert_ranks(p), point)};
}

GradientWindow gradient_window(const TrainingPoint& point) {
  const Parallelism& p = point.execution.parallel;
  const double hidden = point.software.links.gradient_hidden;
  const double m = micro_batches(point.execution);
  const double of_one = hidden / m;
  if (p.pipeline <= 1) return {m, of_one, of_one};
  const double of_chunks = std::min(1.0, p.pipeline / m) * (1 - 1 / p.chunks_per_stage);
  return {m, of_one, std::max(of_one, std::min(hidden, of_chunks))};
}

Seconds visible_weight_exchange(const TrainingPoint& point, const WeightExchange& exchanged,
                                const GradientWindow& window, Seconds computing) {
  const Execution& e = point.execution;
  if (!is_exchanged(e)) return Seconds{};
  const LinkEfficiency& links = point.software.links;
  const auto& [dense, experts] = exchanged;
  const double m = window.micro_batches;
  const Seconds gathering = m * (dense.per_micro_batch + experts.per_micro_batch);
  const Seconds beside = links.gather_hidden * gathering;
  const Seconds both = smooth_maximum(computing, beside);

  // Gradients hide behind what gathers leave of the pass of their micro-batch: those of the last one with what is
  // exchanged once a step.
  const auto visible = [&](Seconds gradients, double share) {
    return std::max(links.gradient_exposed * gradients, gradients - share * (both - beside));
  };
  const bool scatters_each = e.sharding == Sharding::gradients;  // no chunk waits for the others
  const Seconds last = visible(dense.per_step + experts.per_step, scatters_each ? window.of_one : window.last);
  const Seconds before = (m - 1) * visible(dense.per_backward + experts.per_backward, window.of_one);
  return both - computing + (gathering - beside) + before + last;
}

Seconds visible_weight_exchange(const TrainingPoint& point, Seconds computing) {
  return visible_weight_exchange(point, weight_exchange(point), gradient_window(point), computing);
}

}  // namespace dfsweep::training
