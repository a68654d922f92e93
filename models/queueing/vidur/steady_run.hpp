/// Steady runs: steps in which a batch of decodes continues unchanged, computed without looking at its requests.
#pragma once

#include <algorithm>
#include <cmath>

#include "models/queueing/vidur/deployment_state.hpp"

namespace dfsweep::vidur {

/// Counts, for the next steps of a batch of decodes, how many of its requests receive a block.
class GrowthCounts {
 public:
  explicit GrowthCounts(std::uint32_t block_tokens) : counts_(block_tokens) {}
  void add(const BlockPool& pool, std::span<const RequestIndex> members, const RequestState* requests) {
    change(pool, members, requests, 1);
  }
  /// Takes back add(). Pre: the requests have not changed in between.
  void remove(const BlockPool& pool, std::span<const RequestIndex> members, const RequestState* requests) {
    constexpr std::size_t quick = 32;  // counts that are cleared faster than requests are looked at
    if (counts_.size() <= quick) return std::fill(counts_.begin(), counts_.end(), 0);
    change(pool, members, requests, static_cast<std::uint32_t>(-1));
  }
  /// Counts of one step after the other; `place` is 0 before the first.
  [[nodiscard]] std::uint32_t next(std::uint32_t& place) const {
    if (++place >= counts_.size()) place = 0;
    return counts_[place];
  }

 private:
  void change(const BlockPool& pool, std::span<const RequestIndex> members, const RequestState* requests,
              std::uint32_t by) {
    for (const RequestIndex m : members) {
      const std::uint32_t step = pool.steps_to_growth(requests[m]);  // at most a block
      counts_[step == counts_.size() ? 0 : step] += by;
    }
  }
  std::vector<std::uint32_t> counts_;
};

/// Goes on with a batch of decodes that fills its replica, step by step, while every step only gives each request one
/// more token: nothing arrives, nothing completes, and no block is missing. The states of the requests change once, at
/// the end. All results have the same bits as without this short cut.
template <class BatchClock>
class SteadyRun {
 public:
  SteadyRun(DeploymentState& state, const BatchClock& clock)
      : state_(state), clock_(clock), growth_(state.rules().block_tokens) {}

  /// Ends batches before `horizon` and begins the next ones; returns the number of them. Pre: one stage; the batch of
  /// `flight` is in flight and none else of its replica.
  std::uint32_t advance(std::uint32_t replica, Flight& flight, double horizon) {
    if (flight.was_advanced || !(flight.times.end < horizon)) return 0;
    ReplicaScheduler& scheduler = state_.scheduler(replica);
    const std::uint32_t most = scheduler.steady_steps();
    flight.was_advanced = most == 0;
    if (most == 0) return 0;
    const RequestState* requests = state_.record().requests.data();
    if (scheduler.grows()) growth_.add(scheduler.pool(), flight.members, requests);
    stage_times_.clear();
    const double after_limit =
        std::nextafter(state_.rules().time_limit.value(), std::numeric_limits<double>::infinity());
    const std::uint32_t steps = take_steps(replica, flight, std::min(horizon, after_limit), most);
    if (scheduler.grows()) growth_.remove(scheduler.pool(), flight.members, requests);
    if (steps == 0) return 0;
    settle(flight);
    scheduler.advance(flight.members, steps);
    return steps;
  }

 private:
  /// Everything that a step changes is in local variables until the last one.
  std::uint32_t take_steps(std::uint32_t replica, Flight& flight, double horizon, std::uint32_t most) {
    const ReplicaScheduler& scheduler = state_.scheduler(replica);
    const RequestState* requests = state_.record().requests.data();
    const Recording recording = state_.recording();
    StageRecord stage = state_.stage_record(replica, 0);
    CacheRecord cache = state_.record().caches[replica];
    Flight::Times times = flight.times;
    BatchSums sums = flight.sums;
    std::uint64_t used = scheduler.pool().used();
    const bool grows = scheduler.grows();
    std::uint32_t growth = 0;
    std::uint32_t steps = 0;
    while (steps < most && times.end < horizon) {
      const std::uint32_t more = grows ? growth_.next(growth) : 0;
      if (!scheduler.free_for(used, more)) break;
      const double now = times.end;
      if (steps == 0) first_end_ = now;
      if (recording.request_parts) stage_times_.push_back(times.stage_time);
      if (recording.samples) record_samples(steps, now - times.scheduled_at, sums.requests);
      stage.count(times, sums);
      cache.see(used);
      used += more;
      ++steps;
      sums.advance();
      const Seconds time = clock_(BatchView(sums, flight.members, requests, steps), 0);
      times = {now, now, time.value(), now + time.value()};
      stage.busy.sample(now, 1.0);
      cache.sample(now, used);
      if (recording.batches) record_next(replica, flight, times);
      if (!(times.end > now)) break;
    }
    flight.times = times;
    flight.sums = sums;
    flight.was_advanced = times.end < horizon;
    state_.stage_record(replica, 0) = stage;
    state_.record().caches[replica] = cache;
    state_.count_batches(steps, sums.requests, sums.requests);
    return steps;
  }

  void record_samples(std::uint32_t steps, double time, std::uint32_t requests) {
    state_.record().batch_times.push_back(time);
    if (steps > 0) state_.record().token_intervals.push_back({time, requests});
  }
  void record_next(std::uint32_t replica, Flight& flight, const Flight::Times& times) {
    state_.record().batches[flight.record].completed_at = times.stage_start;
    flight.times = times;
    flight.record = state_.record_batch(replica, flight);
  }

  /// Brings the requests to the state at the start of the batch that is in flight now.
  void settle(const Flight& flight) {
    RunRecord& record = state_.record();
    const double now = flight.times.stage_start;
    if (state_.recording().samples) state_.sample_skipped(flight, first_end_, now);
    if (!state_.recording().request_parts) return;
    for (const RequestIndex m : flight.members) {
      RequestParts& parts = record.parts[m];
      for (const double time : stage_times_) parts.execution += time;
      parts.last_stage_end = now;
    }
  }

  DeploymentState& state_;
  const BatchClock& clock_;
  GrowthCounts growth_;
  double first_end_ = 0.0;
  std::vector<double> stage_times_;
};

}  // namespace dfsweep::vidur
