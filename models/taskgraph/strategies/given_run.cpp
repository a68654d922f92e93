#include "models/taskgraph/strategies/given_run.hpp"

#include <algorithm>

namespace dfsweep::taskgraph {

namespace {

/// No device does anything in so short a time; rates over it could exceed the range of numbers.
constexpr Seconds least_step{1e-30};

}  // namespace

GivenRun::GivenRun(const GivenGraph& graph)
    : graph_(graph),
      scheduler_(graph.dependences),
      rates_(graph.groups.size()),
      first_product_{0},
      transfers_(graph.tasks.size()),
      durations_(graph.tasks.size()),
      free_ends_(graph.tasks.size()),
      chain_(graph.tasks.size()) {
  for (const GivenTask& task : graph.tasks) {
    products_.insert(products_.end(), task.products.begin(), task.products.end());
    first_product_.push_back(static_cast<std::uint32_t>(products_.size()));
  }
}

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

Seconds GivenRun::set_times() {
  Seconds all{};
  for (std::size_t t = 0; t < durations_.size(); ++t) {
    const GivenTask& task = graph_.tasks[t];
    const GroupRates& rates = rates_[task.group];
    transfers_[t] = task.sent * rates.link.per_byte + task.latencies * rates.link.latency;
    Seconds time = transfers_[t];
    for (std::uint32_t p = first_product_[t]; p < first_product_[t + 1]; ++p)
      time += product_time(products_[p], rates.device);
    durations_[t] = time;
    all += time;
  }
  return all;
}

PartTimes GivenRun::chain_times() const {
  PartTimes times;
  for (const TaskIndex task : chain()) {
    times.of[Part::communication] += transfers_[task];
    times.of[graph_.tasks[task].part] += durations_[task] - transfers_[task];
  }
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
  for (const GivenGroup& group : graph_.groups) estimate.devices += group.is_link ? 0.0 : group.devices;
  if (!is_given(set_times())) {
    estimate.obstacle = Obstacle::no_profile;
    return estimate;
  }
  estimate.step = scheduler_.run(durations_);
  if (!(estimate.step > least_step)) {
    estimate.obstacle = Obstacle::no_work;
    return estimate;
  }
  chain_length_ = scheduler_.critical_chain(chain_).size();
  estimate.times = chain_times();
  estimate.critical_path = longest_path(graph_.dependences, durations_, free_ends_);
  estimate.busy = busy(estimate.step);
  return estimate;
}

}  // namespace dfsweep::taskgraph
