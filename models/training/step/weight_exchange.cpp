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

/// Share of the computing that can hide the exchange of gradients: a share of one micro-batch; with v chunks on each of
/// p stages, the chunks of the last min(m, p) micro-batches after the first one that is done.
double window(const Execution& e, const LinkEfficiency& links) {
  const double m = micro_batches(e);
  const double of_one = links.gradient_hidden / m;
  if (e.parallel.pipeline <= 1) return of_one;
  const double of_chunks = std::min(1.0, e.parallel.pipeline / m) * (1 - 1 / e.parallel.chunks_per_stage);
  return std::max(of_one, std::min(links.gradient_hidden, of_chunks));
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
  const auto visible = [&](Seconds exchanged, double share) {
    return std::max(links.gradient_exposed * exchanged, exchanged - share * (both - beside));
  };
  const double of_one = links.gradient_hidden / m;
  const bool scatters_each = e.sharding == Sharding::gradients;  // no chunk waits for the others
  const Seconds last = visible(dense.per_step + experts.per_step, scatters_each ? of_one : window(e, links));
  const Seconds before = (m - 1) * visible(dense.per_backward + experts.per_backward, of_one);
  return both - computing + (gathering - beside) + before + last;
}

}  // namespace dfsweep::training
