/// DeploymentState: requests, replicas and the record of a run, and what happens to them when batches begin and end.
#pragma once

#include <algorithm>
#include <numeric>

#include "models/queueing/vidur/router.hpp"
#include "models/queueing/vidur/run_record.hpp"

namespace dfsweep::vidur {

/// A batch in flight.
struct Flight {
  using Times = BatchTimes;
  std::vector<RequestIndex> members;
  BatchSums sums;
  BatchTimes times;
  std::uint64_t record = 0;   ///< index into RunRecord::batches
  bool was_advanced = false;  ///< its next end is not that of a steady step
};

class DeploymentState {
 public:
  DeploymentState(const Rules& rules, std::span<const OfferedRequest> offered, const Recording& recording)
      : rules_(rules), recording_(recording), router_(rules.routing, rules.replicas), order_(offered.size()) {
    record_.requests.reserve(offered.size());
    record_.times.reserve(offered.size());
    for (const OfferedRequest& request : offered) {
      record_.requests.push_back({.prompt = request.prompt, .total = request.prompt + request.output});
      record_.times.push_back({.arrival = request.arrival.value()});
    }
    if (recording.samples) {
      last_batch_ends_.assign(offered.size(), absent);
      reserve_samples(offered);
    }
    if (recording.request_parts) record_.parts.resize(offered.size());
    record_.stages.resize(std::size_t{rules.replicas} * rules.stages);
    record_.caches.resize(rules.replicas);
    for (std::uint32_t r = 0; r < rules.replicas; ++r) schedulers_.emplace_back(rules, record_.requests, record_.times);
    std::iota(order_.begin(), order_.end(), RequestIndex{0});
    std::stable_sort(order_.begin(), order_.end(), [&](RequestIndex a, RequestIndex b) {
      return record_.times[a].arrival < record_.times[b].arrival;
    });
    for (std::size_t i = 1; i < order_.size(); ++i) {
      const bool is_later = record_.times[order_[i - 1]].arrival < record_.times[order_[i]].arrival;
      record_.requests[order_[i]].arrival_rank = record_.requests[order_[i - 1]].arrival_rank + (is_later ? 1 : 0);
    }
  }

  [[nodiscard]] double next_arrival() const {
    return next_ < order_.size() ? record_.times[order_[next_]].arrival : std::numeric_limits<double>::infinity();
  }
  /// Assigns all requests that arrive at `now`; returns the replicas that received some, lowest first.
  std::span<const std::uint32_t> route(double now) {
    arriving_.clear();
    while (next_arrival() == now) arriving_.push_back(order_[next_++]);
    if (arriving_.empty()) return {};
    return router_.assign(arriving_, schedulers_, [&](RequestIndex request, std::uint32_t replica) {
      schedulers_[replica].arrive(request);
      if (recording_.request_parts) record_.parts[request].replica = replica;
    });
  }

  /// Forms the next batch of a replica; false if no request can run.
  bool form(std::uint32_t replica, Flight& flight, double now) {
    flight.sums = schedulers_[replica].form(flight.members, now);
    if (flight.members.empty()) return false;
    flight.times.scheduled_at = now;
    flight.was_advanced = false;
    if (recording_.batches) flight.record = record_batch(replica, flight);
    return true;
  }

  void begin_stage(std::uint32_t replica, std::uint32_t stage, Flight& flight, double now, Seconds time) {
    flight.times.stage_start = now;
    flight.times.stage_time = time.value();
    flight.times.end = now + time.value();
    stage_record(replica, stage).busy.sample(now, 1.0);
    if (!recording_.request_parts) return;
    for (const RequestIndex m : flight.members)
      if (RequestParts& parts = record_.parts[m]; is_given(parts.last_stage_end))
        parts.waiting += now - parts.last_stage_end;
  }

  void end_stage(std::uint32_t replica, std::uint32_t stage, const Flight& flight, double now) {
    StageRecord& record = stage_record(replica, stage);
    record.busy.sample(now, 0.0);
    record.count(flight.times, flight.sums);
    if (!recording_.request_parts) return;
    for (const RequestIndex m : flight.members) {
      record_.parts[m].execution += flight.times.stage_time;
      record_.parts[m].last_stage_end = now;
    }
  }

  void complete(std::uint32_t replica, const Flight& flight, double now) {
    schedulers_[replica].finish(flight.members, now);
    sample_cache(replica, now);
    count_batches(1, flight.sums.requests, flight.sums.tokens);
    if (recording_.samples) sample_times(flight, now);
    if (recording_.batches) record_.batches[flight.record].completed_at = now;
  }

  /// One time of the batch, and one for each output token after the first of a request.
  void sample_times(const Flight& flight, double now) {
    record_.batch_times.push_back(now - flight.times.scheduled_at);
    for (const RequestIndex m : flight.members) {
      const RequestState& r = record_.requests[m];
      if (r.processed > r.prompt + 1) add_interval(now - last_batch_ends_[m]);
      last_batch_ends_[m] = now;
    }
  }
  /// The same for a batch of decodes at `first_end` that has gone on to `last_end`.
  void sample_skipped(const Flight& flight, double first_end, double last_end) {
    for (const RequestIndex m : flight.members) {
      add_interval(first_end - last_batch_ends_[m]);
      last_batch_ends_[m] = last_end;
    }
  }
  void sample_cache(std::uint32_t replica, double now) {
    record_.caches[replica].sample(now, schedulers_[replica].pool().used());
  }
  /// Counts finished batches of equal size.
  void count_batches(std::uint64_t batches, std::uint64_t requests, std::uint64_t tokens) {
    record_.batch_count += batches;
    record_.batch_requests += batches * requests;
    record_.batch_tokens += batches * tokens;
  }
  std::uint64_t record_batch(std::uint32_t replica, const Flight& flight) {
    BatchRecord batch{.replica = replica,
                      .scheduled_at = flight.times.scheduled_at,
                      .tokens = flight.sums.tokens,
                      .prompt_tokens = flight.sums.tokens - flight.sums.decodes,
                      .requests = flight.sums.requests,
                      .first_member = record_.members.size()};
    for (const RequestIndex m : flight.members) record_.members.push_back({m, record_.requests[m].batch_tokens});
    record_.batches.push_back(batch);
    return record_.batches.size() - 1;
  }

  [[nodiscard]] StageRecord& stage_record(std::uint32_t replica, std::uint32_t stage) {
    return record_.stages[std::size_t{replica} * rules_.stages + stage];
  }
  [[nodiscard]] ReplicaScheduler& scheduler(std::uint32_t replica) { return schedulers_[replica]; }
  [[nodiscard]] RunRecord& record() { return record_; }
  [[nodiscard]] const Rules& rules() const { return rules_; }
  [[nodiscard]] const Recording& recording() const { return recording_; }

  /// Completes the record of a run in which nothing happens any more.
  void close() {
    for (const ReplicaScheduler& scheduler : schedulers_) {
      record_.restarts += scheduler.restarts();
      if (record_.ending == Ending::complete && !scheduler.is_empty()) record_.ending = Ending::not_empty;
    }
  }

 private:
  /// Room for samples, which then need not be moved while they become more; up to 100 MB are not used before they are
  /// needed.
  void reserve_samples(std::span<const OfferedRequest> offered) {
    constexpr std::uint64_t most = 1U << 22U;
    std::uint64_t tokens = 0;
    for (const OfferedRequest& request : offered) tokens += request.output;
    record_.token_intervals.reserve(std::min(tokens, most));
    record_.batch_times.reserve(std::min(tokens, most));
  }
  /// Requests of a batch mostly were in the same one before, so that their intervals are one sample.
  void add_interval(double interval) {
    std::vector<Sample>& all = record_.token_intervals;
    if (!all.empty() && all.back().value == interval)
      ++all.back().count;
    else
      all.push_back({interval, 1});
  }

  const Rules& rules_;
  Recording recording_;
  RunRecord record_;
  std::vector<ReplicaScheduler> schedulers_;
  Router router_;
  std::vector<RequestIndex> order_;  ///< by arrival
  std::size_t next_ = 0;             ///< index into order_
  std::vector<RequestIndex> arriving_;
  std::vector<double> last_batch_ends_;  ///< [request] with Recording::samples
};

}  // namespace dfsweep::vidur
