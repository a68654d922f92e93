#include "models/training/step/weight_exchange.hpp"

#include <algorithm>

#include "models/kernels/smooth_maximum.hpp"
#include "models/training/communication/data_exchange.hpp"
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

}  // namespace

Seconds visible_weight_exchange(const TrainingPoint& point, Seconds computing) {
  const Execution& e = point.execution;
  const bool has_gradients = e.task == Task::full && e.phase == Phase::train;
  if (!has_gradients && e.sharding != Sharding::parameters) return Seconds{};
  const Parallelism& p = e.parallel;
  const LinkEfficiency& links = point.software.links;
  const LocalParameters n = local_parameters(point.architecture, p);
  const double replicas = p.data * p.context;
  const DataExchange dense = exchange(n.dense + n.vocabulary, replicas, p.tensor, point);
  const DataExchange experts = exchange(n.experts, expert_replicas(p), expert_ranks(p), point);

  const double m = micro_batches(e);
  const Seconds gathering = m * (dense.per_micro_batch + experts.per_micro_batch);
  const Seconds beside = links.gather_hidden * gathering;
  const Seconds both = smooth_maximum(computing, beside);

  // Gradients hide behind what gathers leave of the pass of their micro-batch: those of the last one with what is
  // exchanged once a step.
  const Seconds room = links.gradient_hidden / m * (both - beside);
  const auto visible = [&](Seconds exchanged) {
    return std::max(links.gradient_exposed * exchanged, exchanged - room);
  };
  const Seconds last = visible(dense.per_step + experts.per_step);
  const Seconds before = (m - 1) * visible(dense.per_backward + experts.per_backward);
  return both - computing + (gathering - beside) + before + last;
}

}  // namespace dfsweep::training
