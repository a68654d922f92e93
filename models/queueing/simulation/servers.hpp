/// Servers of one engine in time: blocks of equal steps, each one event.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "models/queueing/simulation/event_queue.hpp"
#include "models/queueing/simulation/scheduler.hpp"
#include "models/queueing/step_load.hpp"

namespace dfsweep::queueing {

/// Equal steps of a replica; step j (from 0) takes first + j slope.
struct Block {
  double start = 0.0;
  double first = 0.0;
  double slope = 0.0;
  std::uint64_t steps = 0;
  bool running = false;
  [[nodiscard]] double end_of(std::uint64_t step) const {
    const auto j = static_cast<double>(step);
    return start + j * (first + 0.5 * slope * (j - 1.0));
  }
  [[nodiscard]] double end() const { return end_of(steps); }
  /// The first step, from 1, that ends at `time` or later. Pre: start <= time.
  [[nodiscard]] std::uint64_t step_at(double time) const {
    // Steps of the first one's length are a start; the slope shortens or lengthens them little.
    const double mean = (end() - start) / static_cast<double>(steps);
    auto step = static_cast<std::uint64_t>(std::clamp((time - start) / mean, 1.0, static_cast<double>(steps)));
    while (step > 1 && end_of(step - 1) >= time) --step;
    while (step < steps && end_of(step) < time) ++step;
    return step;
  }
};

/// Sums over all replicas and ranks.
struct ServerTotals {
  double sequence_time = 0.0;  ///< decoding sequences times seconds
  double token_time = 0.0;     ///< tokens of running requests times seconds
  double busy_time = 0.0;      ///< s
  std::uint64_t steps = 0;
};

template <Steps S>
class Servers {
 public:
  Servers(Scheduler& scheduler, std::uint32_t replicas, const S& steps)
      : scheduler_(scheduler), steps_(steps), blocks_(replicas), ends_(replicas) {}

  /// When the next block ends, and of which replica; infinite where all are idle.
  [[nodiscard]] double next_end() const { return ends_.time(); }
  [[nodiscard]] std::uint32_t next_replica() const { return ends_.replica(); }
  [[nodiscard]] const ServerTotals& totals() const { return totals_; }
  [[nodiscard]] bool running(std::uint32_t replica) const { return blocks_[replica].running; }

  /// Ends the running block where the scheduler can look at a request received now. Pre: `slot` is in its inbox.
  void shorten(std::uint32_t slot, std::uint32_t replica, double now) {
    Block& block = blocks_[replica];
    if (block.steps <= 1 || !scheduler_.may_start(slot)) return;
    // Looks come after steps since_look + step = 0, modulo the interval.
    std::uint64_t step = block.step_at(now);
    const std::uint64_t interval = scheduler_.receive_interval();
    const std::uint64_t since = (scheduler_.replica(replica).since_look + step) % interval;
    if (since != 0) step += interval - since;
    if (step >= block.steps) return;
    block.steps = step;
    ends_.set(replica, block.end());
  }

  /// Books the block of the replica, at its end.
  void finish(std::uint32_t replica, StepOutcome& outcome) {
    Block& block = blocks_[replica];
    const double duration = block.end() - block.start;
    const Replica& state = scheduler_.replica(replica);
    const double growth = scheduler_.decodes(state) ? 0.5 * static_cast<double>(block.steps) : 0.0;
    for (const Rank& rank : scheduler_.ranks_of(replica)) {
      totals_.sequence_time += duration * rank.sequences;
      totals_.token_time += duration * (scheduler_.tokens_in_use(state, rank) + growth * rank.sequences);
    }
    totals_.busy_time += duration;
    totals_.steps += block.steps;
    scheduler_.finish_steps(replica, block.steps, outcome);
    block.running = false;
    ends_.set(replica, std::numeric_limits<double>::infinity());
  }

  /// Starts the next block of an idle replica, if there is work.
  void begin(std::uint32_t replica, double now) {
    scheduler_.prepare_step(replica, now);
    if (!scheduler_.has_work(replica)) return;
    Block& block = blocks_[replica];
    block = {.start = now, .steps = scheduler_.equal_steps(replica), .running = true};
    const Replica& state = scheduler_.replica(replica);
    block.first = step_time(replica, scheduler_.decodes(state), 0.0);
    if (block.steps > 1) {
      const auto apart = static_cast<double>(block.steps - 1);
      block.slope = (step_time(replica, true, apart) - block.first) / apart;
    }
    ends_.set(replica, block.end());
  }

  /// Time of a step that only decodes what decodes now; 0 where nothing does. Pre: no block is running.
  [[nodiscard]] double decode_time(std::uint32_t replica) const {
    double sequences = 0.0;
    for (const Rank& rank : scheduler_.ranks_of(replica)) sequences += rank.sequences;
    return sequences > 0.0 ? step_time(replica, true, 0.0) : 0.0;
  }

 private:
  [[nodiscard]] double step_time(std::uint32_t replica, bool decodes, double ahead) const {
    const Replica& state = scheduler_.replica(replica);
    StepLoad all;
    Seconds slowest;
    for (const Rank& rank : scheduler_.ranks_of(replica)) {
      StepLoad load = rank.parts.empty() ? StepLoad{} : scheduler_.prompt_load(rank);
      if (decodes) load = load + scheduler_.decode_load(state, rank, ahead);
      slowest = std::max(slowest, Seconds{steps_.rank_time(load)});
      all = all + load;
    }
    return Seconds{steps_.step_time(slowest, all)}.value();
  }

  Scheduler& scheduler_;
  const S& steps_;
  std::vector<Block> blocks_;
  NextEnds ends_;
  ServerTotals totals_;
};

}  // namespace dfsweep::queueing
