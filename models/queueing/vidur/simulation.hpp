/// simulate(): Vidur's discrete-event simulation of requests on the replicas of a model.
#pragma once

#include "models/queueing/vidur/event_queue.hpp"
#include "models/queueing/vidur/steady_run.hpp"

namespace dfsweep::vidur {

namespace detail {

/// The loop over events. Where replicas have one stage, the chain of events that follows the end of a batch at the same
/// time (end of the stage, end of the batch, scheduling, start of the next batch) is one step.
template <class BatchClock>
class Simulation {
 public:
  Simulation(const Rules& rules, std::span<const OfferedRequest> offered, const BatchClock& clock,
             const Recording& recording)
      : rules_(rules),
        clock_(clock),
        state_(rules, offered, recording),
        steady_(state_, clock),
        events_(std::size_t{rules.replicas} * rules.stages),
        flights_(std::size_t{rules.replicas} * rules.stages),
        in_flight_(rules.replicas) {
    if (rules.stages == 1) return;
    lines_.resize(flights_.size());
    is_busy_.resize(flights_.size());
    is_used_.resize(flights_.size());
  }

  RunRecord run() {
    RunRecord& record = state_.record();
    while (record.ending == Ending::complete) {
      const double now = std::min(state_.next_arrival(), events_.next_time());
      if (now == std::numeric_limits<double>::infinity()) break;
      record.end = now;
      if (now > rules_.time_limit.value()) {
        record.ending = Ending::time_limit;
        if (events_.next_time() < state_.next_arrival()) end_stage(events_.pop());
      } else if (rules_.stages == 1) {
        step(now);
      } else {
        pipeline_step(now);
      }
    }
    state_.close();
    return std::move(record);
  }

 private:
  Flight& end_stage(const StageEnd& event) {
    Flight& flight = flights_[event.batch];
    state_.end_stage(event.replica, event.stage, flight, event.time);
    return flight;
  }

  // ------------------------------------------------------------------------------------------ replicas of one stage

  /// Everything that happens at `now`: arrivals, ends of batches, and then the next batches, first those of replicas
  /// with arrivals.
  void step(double now) {
    const bool arrives = state_.next_arrival() == now;
    ended_.clear();
    if (!arrives) {
      const StageEnd first = events_.pop();
      Flight& flight = flights_[first.batch];
      if (steady_.advance(first.replica, flight, horizon()) > 0) return push(first.replica, flight);
      end_batch(first);
    }
    const std::span<const std::uint32_t> targets = arrives ? state_.route(now) : std::span<const std::uint32_t>{};
    while (events_.next_time() == now) end_batch(events_.pop());
    for (const std::uint32_t replica : targets) begin_batch(replica, now);
    for (const std::uint32_t replica : ended_) begin_batch(replica, now);
  }
  /// Time up to which the batches of one replica cannot meet another event.
  [[nodiscard]] double horizon() const {
    // Batches are numbered in the order of their creation on all replicas.
    if (state_.recording().batches) return std::min(state_.next_arrival(), events_.next_time());
    return state_.next_arrival();
  }
  void end_batch(const StageEnd& event) {
    const Flight& flight = end_stage(event);
    state_.complete(event.replica, flight, event.time);
    in_flight_[event.replica] = 0;
    ended_.push_back(event.replica);
  }
  void begin_batch(std::uint32_t replica, double now) {
    if (in_flight_[replica] != 0) return;
    Flight& flight = flights_[replica];
    if (!state_.form(replica, flight, now)) return note_failure(replica);
    state_.sample_cache(replica, now);
    in_flight_[replica] = 1;
    state_.begin_stage(replica, 0, flight, now, time_of(flight, 0));
    push(replica, flight);
  }
  void push(std::uint32_t replica, const Flight& flight) {
    if (flight.times.end > flight.times.stage_start)
      events_.push(flight.times.end, replica, 0, replica);
    else
      state_.record().ending = Ending::no_time;
  }

  // ------------------------------------------------------------------------------------- replicas of several stages

  enum class Kind : std::uint8_t { global_schedule, replica_schedule, stage_arrival, stage_schedule, batch_end };
  /// An event of the present time, which follows from another one.
  struct Consequence {
    Kind kind;
    std::uint32_t replica = 0;
    std::uint32_t stage = 0;
    std::uint32_t batch = 0;
  };

  /// Everything that happens at `now`, in the order in which the events were created. Arrivals were created first, then
  /// the ends of stages, because the time of a stage is positive.
  void pipeline_step(double now) {
    queue_.clear();
    if (state_.next_arrival() == now) queue_.push_back({Kind::global_schedule});
    while (events_.next_time() == now) {
      const StageEnd event = events_.pop();
      end_stage(event);
      is_busy_[place(event.replica, event.stage)] = 0;
      queue_.push_back({Kind::stage_schedule, event.replica, event.stage, 0});
      if (event.stage + 1 == rules_.stages)
        queue_.push_back({Kind::batch_end, event.replica, 0, event.batch});
      else
        queue_.push_back({Kind::stage_arrival, event.replica, event.stage + 1, event.batch});
    }
    for (std::size_t i = 0; i < queue_.size() && state_.record().ending == Ending::complete; ++i)
      follow(Consequence(queue_[i]), now);
  }
  void follow(const Consequence& event, double now) {
    switch (event.kind) {
      case Kind::global_schedule:
        for (const std::uint32_t replica : state_.route(now)) queue_.push_back({Kind::replica_schedule, replica});
        return;
      case Kind::replica_schedule:
        return schedule_replica(event.replica, now);
      case Kind::stage_arrival:
        lines_[place(event.replica, event.stage)].push_back(event.batch);
        queue_.push_back({Kind::stage_schedule, event.replica, event.stage});
        return;
      case Kind::stage_schedule:
        return schedule_stage(event.replica, event.stage, now);
      case Kind::batch_end:
        state_.complete(event.replica, flights_[event.batch], now);
        is_used_[event.batch] = 0;
        --in_flight_[event.replica];
        queue_.push_back({Kind::replica_schedule, event.replica});
        return;
    }
  }
  void schedule_replica(std::uint32_t replica, double now) {
    const std::size_t first = queue_.size();
    while (in_flight_[replica] < rules_.stages) {
      const std::uint32_t batch = unused_flight(replica);
      if (!state_.form(replica, flights_[batch], now)) {
        note_failure(replica);
        break;
      }
      is_used_[batch] = 1;
      ++in_flight_[replica];
      queue_.push_back({Kind::stage_arrival, replica, 0, batch});
    }
    if (queue_.size() > first) state_.sample_cache(replica, now);
  }
  void schedule_stage(std::uint32_t replica, std::uint32_t stage, double now) {
    const std::size_t here = place(replica, stage);
    if (is_busy_[here] != 0 || lines_[here].empty()) return;
    const std::uint32_t batch = lines_[here].front();
    lines_[here].pop_front();
    Flight& flight = flights_[batch];
    state_.begin_stage(replica, stage, flight, now, time_of(flight, stage));
    is_busy_[here] = 1;
    if (flight.times.end > now)
      events_.push(flight.times.end, replica, stage, batch);
    else
      state_.record().ending = Ending::no_time;
  }
  [[nodiscard]] std::size_t place(std::uint32_t replica, std::uint32_t stage) const {
    return std::size_t{replica} * rules_.stages + stage;
  }
  [[nodiscard]] std::uint32_t unused_flight(std::uint32_t replica) const {
    auto batch = static_cast<std::uint32_t>(place(replica, 0));
    while (is_used_[batch] != 0) ++batch;
    return batch;
  }

  // ---------------------------------------------------------------------------------------------------------- both

  Seconds time_of(const Flight& flight, std::uint32_t stage) {
    return clock_(BatchView(flight.sums, flight.members, state_.record().requests.data(), 0), stage);
  }
  void note_failure(std::uint32_t replica) {
    if (state_.scheduler(replica).is_out_of_blocks()) state_.record().ending = Ending::out_of_blocks;
  }

  const Rules& rules_;
  const BatchClock& clock_;
  DeploymentState state_;
  SteadyRun<BatchClock> steady_;
  EventQueue events_;
  std::vector<Flight> flights_;           ///< [replica * stages + place]
  std::vector<std::uint32_t> in_flight_;  ///< [replica] batches in flight
  std::vector<std::uint32_t> ended_;      ///< replicas whose batch ends now
  std::vector<WaitingLine> lines_;        ///< [replica * stages + stage] batches before a stage
  std::vector<std::uint8_t> is_busy_;     ///< [replica * stages + stage]
  std::vector<std::uint8_t> is_used_;     ///< [replica * stages + place]
  std::vector<Consequence> queue_;
};

}  // namespace detail

/// Runs `offered` to its end. `clock(batch, stage)` returns the time of a stage for a BatchView; a time that is not
/// positive ends the run. Source: [vidur]; the rules are in docs/models/profiled.md.
template <class BatchClock>
[[nodiscard]] RunRecord simulate(const Rules& rules, std::span<const OfferedRequest> offered, const BatchClock& clock,
                                 const Recording& recording = {}) {
  return detail::Simulation<BatchClock>(rules, offered, clock, recording).run();
}

}  // namespace dfsweep::vidur
