/// A cluster in virtual time: ranks that evaluate blocks, messages, commits and deaths, around the queue of the engine.
///
/// A rank asks, prefetches, reports and commits as `dispatcher`, `main_loop` and `block_writer` do, and rank 0 decides
/// by `BlockQueue`. Everything else is a delay: of the network, of a message at rank 0, of a metadata operation of the
/// file system, and of syncing. When a rank dies, all end, as MPI does; the next run asks for what no journal records.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "engine/run/block_order.hpp"
#include "engine/run/block_queue.hpp"
#include "engine/run/block_writer.hpp"
#include "models/statistics/random.hpp"
#include "tests/scale/rehearsal.hpp"

namespace dfsweep {

class VirtualRun {
 public:
  VirtualRun(const VirtualCluster& cluster, const VirtualSweep& sweep)
      : cluster_(cluster), sweep_(sweep), recorded_(sweep.blocks), assigned_(sweep.blocks) {}

  /// `deaths`: times since the start of each run at which it dies.
  Rehearsal run(std::vector<double> deaths = {}) {
    deaths.push_back(std::numeric_limits<double>::infinity());
    for (const double death : deaths) {
      evaluate(death);
      if (recorded_count_ == sweep_.blocks) break;
      now_ += cluster_.restart;
    }
    double work = 0.0;
    for (BlockId b = 0; b < sweep_.blocks; ++b) {
      work += sweep_.seconds(b);
      if (!recorded_[b]) ++result_.lost_blocks;
    }
    double speed = 0.0;
    for (std::uint32_t r = 0; r < cluster_.ranks; ++r) speed += 1.0 / slowness(r);
    result_.elapsed = last_recorded_;
    result_.efficiency = work / speed / result_.elapsed;
    result_.server_busy /= result_.elapsed;
    result_.metadata_busy /= result_.elapsed;
    return result_;
  }

 private:
  enum class Kind : std::uint8_t { request, reply, block_end, report, commit_begin, commit_end };
  struct Event {
    double time;
    std::uint64_t number;  ///< events of one time happen in the order in which they were foreseen
    Kind kind;
    std::uint32_t rank;
    std::size_t lane;  ///< of a commit
    bool operator>(const Event& other) const { return time != other.time ? time > other.time : number > other.number; }
  };
  struct Rank {
    std::vector<BlockId> granted;  ///< in reverse order
    BlockId current = 0;
    bool is_busy = false;
    bool is_waiting = false;  ///< for a reply
    bool may_prefetch = false;
    bool is_exhausted = false;
    double started = 0.0;
    double requested = 0.0;
    BlockQueue::Grant reply;
    std::vector<MeasuredBlock> measured;
    std::vector<BlockId> written;  ///< not being committed yet
    std::array<std::vector<BlockId>, store::Store::concurrent_commits> committing;
    bool is_commit_due = false;
    bool has_journal = false;
    std::array<double, store::Store::concurrent_commits> commit_begun{};
    double next_commit = 0.0;  ///< not before this time
    double writer_free = 0.0;
  };

  void foresee(double time, Kind kind, std::uint32_t rank, std::size_t lane = 0) {
    events_.push({time, number_++, kind, rank, lane});
  }

  [[nodiscard]] double slowness(std::uint32_t rank) const {
    const bool is_slow = rank != 0 && CounterRandom(17).uniform(rank) < cluster_.straggler_share;
    return is_slow ? cluster_.straggler_factor : 1.0;
  }

  void evaluate(double death) {
    std::vector<BlockId> missing;
    for (BlockId b = 0; b < sweep_.blocks; ++b)
      if (!recorded_[b]) missing.push_back(b);
    queue_.emplace(spread_evenly(missing), cluster_.ranks);
    std::fill(assigned_.begin(), assigned_.end(), false);
    ranks_.assign(cluster_.ranks, {});
    events_ = {};
    const double start = now_;
    server_free_ = metadata_free_ = start;
    for (std::uint32_t r = 0; r < cluster_.ranks; ++r) {
      ask(r);
      foresee(now_ + report_interval_seconds(cluster_.ranks), Kind::report, r);
    }
    while (!events_.empty()) {
      const Event event = events_.top();
      if (event.time > start + death) {
        now_ = start + death;
        return;
      }
      events_.pop();
      if (event.kind == Kind::report && is_over(event.rank)) continue;
      now_ = event.time;
      handle(event);
    }
  }

  void handle(const Event& event) {
    switch (event.kind) {
      case Kind::request:
        return serve(event.rank);
      case Kind::reply:
        return receive(event.rank);
      case Kind::block_end:
        return end_block(event.rank);
      case Kind::report:
        serve_message();
        return foresee(now_ + report_interval_seconds(cluster_.ranks), Kind::report, event.rank);
      case Kind::commit_begin:
        return begin_commit(event.rank);
      case Kind::commit_end:
        return end_commit(event.rank, event.lane);
    }
  }

  [[nodiscard]] bool is_over(std::uint32_t r) const {
    const Rank& rank = ranks_[r];
    const bool has_commits =
        std::any_of(rank.committing.begin(), rank.committing.end(), [](const auto& group) { return !group.empty(); });
    return rank.is_exhausted && !rank.is_busy && rank.written.empty() && !has_commits;
  }

  // The client side of `dispatcher`.

  void ask(std::uint32_t r) {
    Rank& rank = ranks_[r];
    rank.is_waiting = true;
    foresee(now_ + (r == 0 ? 0.0 : cluster_.latency), Kind::request, r);
  }

  void receive(std::uint32_t r) {
    Rank& rank = ranks_[r];
    rank.is_waiting = false;
    rank.granted = std::move(rank.reply.blocks);
    std::reverse(rank.granted.begin(), rank.granted.end());
    rank.may_prefetch = rank.reply.may_prefetch && r != 0;
    rank.is_exhausted = rank.granted.empty();
    if (!rank.is_busy) begin_block(r);
  }

  void begin_block(std::uint32_t r) {
    Rank& rank = ranks_[r];
    if (rank.granted.empty()) {
      if (rank.is_exhausted) return finish(r);
      if (!rank.is_waiting) ask(r);
      return;
    }
    rank.current = rank.granted.back();
    rank.granted.pop_back();
    rank.is_busy = true;
    rank.started = now_;
    const double share = cluster_.bytes_per_second / cluster_.ranks;
    const double stall = rank.writer_free - now_ - static_cast<double>(BlockWriter::queue_bytes) / share;
    foresee(now_ + std::max(stall, 0.0) + sweep_.seconds(rank.current) * slowness(r), Kind::block_end, r);
    if (rank.granted.empty() && rank.may_prefetch) ask(r);
  }

  void end_block(std::uint32_t r) {
    Rank& rank = ranks_[r];
    rank.is_busy = false;
    rank.measured.push_back({rank.current, now_ - rank.started});
    rank.writer_free =
        std::max(rank.writer_free, now_) + sweep_.block_bytes * cluster_.ranks / cluster_.bytes_per_second;
    rank.written.push_back(rank.current);
    if (!rank.is_commit_due) {
      rank.is_commit_due = true;
      foresee(std::max(now_, rank.next_commit), Kind::commit_begin, r);
    }
    begin_block(r);
  }

  /// A rank that gets no more blocks commits at once, in the order of its writer.
  void finish(std::uint32_t r) {
    Rank& rank = ranks_[r];
    if (!rank.written.empty()) foresee(now_, Kind::commit_begin, r);
  }

  // Rank 0.

  void serve_message() {
    ++result_.messages;
    result_.server_busy += cluster_.message;
    server_free_ = std::max(server_free_, now_) + cluster_.message;
  }

  void serve(std::uint32_t r) {
    Rank& rank = ranks_[r];
    if (r != 0) serve_message();
    const std::size_t wanted = wanted_blocks(now_ - rank.requested, rank.measured.size(), cluster_.ranks);
    rank.requested = now_;
    queue_->note(r, rank.measured);
    rank.measured.clear();
    rank.reply = queue_->take(r, r == 0 ? 1 : wanted);
    for (const BlockId block : rank.reply.blocks) {
      if (recorded_[block] || assigned_[block]) ++result_.needless;
      if (was_assigned(block)) ++result_.repeated;
      assigned_[block] = true;
    }
    foresee(r == 0 ? now_ : server_free_ + cluster_.latency, Kind::reply, r);
  }

  bool was_assigned(BlockId block) {
    if (ever_assigned_.empty()) ever_assigned_.resize(sweep_.blocks);
    const bool was = ever_assigned_[block];
    ever_assigned_[block] = true;
    return was;
  }

  // The writer of a rank.

  static double in_seconds(std::chrono::steady_clock::duration pause) {
    return std::chrono::duration<double>(pause).count();
  }

  static double pause_after(double commit) {
    using Clock = std::chrono::steady_clock;
    const std::chrono::duration<double> seconds(commit);
    return in_seconds(commit_pause(std::chrono::duration_cast<Clock::duration>(seconds)));
  }

  void use_metadata(std::uint32_t operations) {
    const double time = cluster_.metadata * operations;
    metadata_free_ = std::max(metadata_free_, now_) + time;
    result_.metadata_busy += time;
  }

  void begin_commit(std::uint32_t r) {
    Rank& rank = ranks_[r];
    rank.is_commit_due = false;
    const auto free = std::find(rank.committing.begin(), rank.committing.end(), std::vector<BlockId>());
    if (rank.written.empty() || free == rank.committing.end()) return;
    *free = std::exchange(rank.written, {});
    const auto lane = static_cast<std::size_t>(free - rank.committing.begin());
    rank.commit_begun[lane] = now_;
    rank.next_commit = now_ + in_seconds(longest_commit_pause);
    use_metadata(rank.has_journal ? 1 : 3);  // look for damage; at first also the journal and its folder
    rank.has_journal = true;
    const bool is_slow = CounterRandom(29).uniform(number_) < cluster_.slow_sync_share;
    const double synced = std::max(metadata_free_, rank.writer_free) + (is_slow ? cluster_.slow_sync : cluster_.sync);
    foresee(synced, Kind::commit_end, r, lane);
  }

  void end_commit(std::uint32_t r, std::size_t lane) {
    Rank& rank = ranks_[r];
    for (const BlockId block : std::exchange(rank.committing[lane], {})) {
      if (!recorded_[block]) ++recorded_count_;
      recorded_[block] = true;
    }
    rank.next_commit = std::min(rank.next_commit, now_ + pause_after(now_ - rank.commit_begun[lane]));
    last_recorded_ = now_;
    if (rank.written.empty()) return;
    const bool is_last = rank.is_exhausted && !rank.is_busy;
    rank.is_commit_due = true;
    foresee(is_last ? now_ : rank.next_commit, Kind::commit_begin, r);
  }

  VirtualCluster cluster_;
  VirtualSweep sweep_;
  std::vector<bool> recorded_;       ///< [block] in a journal
  std::vector<bool> assigned_;       ///< [block] by the current run
  std::vector<bool> ever_assigned_;  ///< [block] by any run
  std::uint32_t recorded_count_ = 0;
  std::optional<BlockQueue> queue_;
  std::vector<Rank> ranks_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::uint64_t number_ = 0;
  double now_ = 0.0;
  double last_recorded_ = 0.0;
  double server_free_ = 0.0;
  double metadata_free_ = 0.0;
  Rehearsal result_;
};

}  // namespace dfsweep
