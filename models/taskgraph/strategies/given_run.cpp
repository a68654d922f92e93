#include "models/taskgraph/strategies/given_run.hpp"

#include <algorithm>

namespace dfsweep::taskgraph {

GivenRun::GivenRun(const GivenGraph& graph)
    : graph_(graph),
      scheduler_(graph.dependences),
      rates_(graph.groups.size()),
      times_(graph.tasks.size()),
      durations_(graph.tasks.size()),
      free_ends_(graph.tasks.size()),
      chain_(graph.tasks.size()) {}

void GivenRun::set_rates(const Setting& s) {
  for (std::size_t g = 0; g < rates_.size(); ++g) {
    const GivenGroup& group = graph_.groups[g];
    GroupRates& rates = rates_[g];
    rates = {s.device, group.is_link ? s.outer_link : s.link};
    if (is_given(group.peak_flops)) rates.device.per_flop = 1.0 / (s.utilization * group.peak_flops);
    if (is_given(group.memory_bandwidth)) rates.device.per_byte = 1.0 / group.memory_bandwidth;
    if (is_given(group.link_bandwidth)) rates.link.per_byte = 1.0 / group.link_bandwidth;
    if (is_given(group.link_latency)) rates.link.latency = group.link_latency;
  }
}

PartTimes GivenRun::times_of(const GivenTask& task) const {
  const GroupRates& rates = rates_[task.group];
  PartTimes times;
  for (const Product& product : task.products) times.of[task.part] += product_time(product, rates.device);
  times.of[Part::communication] = task.sent * rates.link.per_byte + task.latencies * rates.link.latency;
  return times;
}

BusyFractions GivenRun::busy(Seconds whole) const {
  BusyFractions busy;
  double devices = 0.0;
  for (std::size_t g = 0; g < graph_.groups.size(); ++g) {
    const GivenGroup& group = graph_.groups[g];
    const double share = scheduler_.busy()[g] / whole;
    if (group.is_link) {
      busy.link = std::max(busy.link, share);
      continue;
    }
    busy.least = devices == 0.0 ? share : std::min(busy.least, share);
    busy.most = std::max(busy.most, share);
    busy.mean += group.devices * share;
    devices += group.devices;
  }
  busy.mean /= devices;
  return busy;
}

StepEstimate GivenRun::estimate(const Setting& setting) {
  set_rates(setting);
  StepEstimate estimate;
  PartTimes all;
  for (std::size_t t = 0; t < times_.size(); ++t) {
    times_[t] = times_of(graph_.tasks[t]);
    durations_[t] = times_[t].total();
    all = all + times_[t];
  }
  for (const GivenGroup& group : graph_.groups) estimate.devices += group.is_link ? 0.0 : group.devices;
  if (!is_given(all.total())) {
    estimate.obstacle = Obstacle::no_profile;
    return estimate;
  }
  estimate.step = scheduler_.run(durations_);
  chain_length_ = scheduler_.critical_chain(chain_).size();
  for (const TaskIndex task : chain()) estimate.times = estimate.times + times_[task];
  estimate.critical_path = longest_path(graph_.dependences, durations_, free_ends_);
  estimate.busy = busy(estimate.step);
  return estimate;
}

}  // namespace dfsweep::taskgraph
