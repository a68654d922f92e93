/// Steady runs: steps in which a batch of decodes goes on unchanged, computed without looking at its requests.
#pragma once

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
    change(pool, members, requests, static_cast<std::uint32_t>(-1));
  }
  /// In step `step` from 1.
  [[nodiscard]] std::uint32_t at(std::uint64_t step) const { return counts_[step % counts_.size()]; }

 private:
  void change(const BlockPool& pool, std::span<const RequestIndex> members, const RequestState* requests,
              std::uint32_t by) {
    for (const RequestIndex m : members) counts_[pool.steps_to_growth(requests[m]) % counts_.size()] += by;
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
    if (flight.was_advanced || !(flight.end < horizon)) return 0;
    ReplicaScheduler& scheduler = state_.scheduler(replica);
    const std::uint32_t most = scheduler.steady_steps(flight.members);
    flight.was_advanced = most == 0;
    if (most == 0) return 0;
    const RequestState* requests = state_.record().requests.data();
    if (scheduler.grows()) growth_.add(scheduler.pool(), flight.members, requests);
    stage_times_.clear();
    const std::uint32_t steps = take_steps(replica, flight, horizon, most);
    if (scheduler.grows()) growth_.remove(scheduler.pool(), flight.members, requests);
    if (steps == 0) return 0;
    settle(flight);
    scheduler.advance(flight.members, steps);
    return steps;
  }

 private:
  std::uint32_t take_steps(std::uint32_t replica, Flight& flight, double horizon, std::uint32_t most) {
    const ReplicaScheduler& scheduler = state_.scheduler(replica);
    const RequestState* requests = state_.record().requests.data();
    RunRecord& record = state_.record();
    const Recording& recording = state_.recording();
    StageRecord& stage = state_.stage_record(replica, 0);
    TimeWeightedMean& memory = record.memory[replica];
    const double limit = state_.rules().time_limit.value();
    const std::uint64_t members = flight.members.size();
    std::uint64_t used = scheduler.pool().used();
    std::uint32_t steps = 0;
    while (steps < most && flight.end < horizon && flight.end <= limit) {
      const std::uint32_t more = scheduler.grows() ? growth_.at(steps + 1) : 0;
      if (!scheduler.free_for(used, more)) break;
      const double now = flight.end;
      if (recording.request_parts) stage_times_.push_back(flight.stage_time);
      if (steps == 0) first_end_ = now;
      stage.busy.sample(now, 0.0);
      state_.count_work(stage, flight);
      memory.hold(now);
      state_.count_batch(flight, now);
      if (steps > 0 && recording.samples) record.token_intervals.push_back({now - flight.stage_start, members});
      ++steps;
      used += more;
      flight.sums.advance();
      flight.scheduled_at = now;
      if (recording.batches) flight.record = state_.record_batch(replica, flight);
      const Seconds time = clock_(BatchView(flight.sums, flight.members, requests, steps), 0);
      flight.stage_start = now;
      flight.stage_time = time.value();
      flight.end = now + time.value();
      stage.busy.sample(now, 1.0);
      memory.sample(now, state_.share_of(replica, used));
      if (!(flight.end > now)) break;
    }
    flight.was_advanced = flight.end < horizon;
    return steps;
  }

  /// Brings the requests to the state at the start of the batch that is in flight now.
  void settle(const Flight& flight) {
    RunRecord& record = state_.record();
    const double now = flight.stage_start;
    for (const RequestIndex m : flight.members) {
      RequestState& r = record.requests[m];
      if (state_.recording().samples) record.token_intervals.push_back({first_end_ - r.last_batch_end, 1});
      r.last_batch_end = now;
    }
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
