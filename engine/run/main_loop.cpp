/// The main loop of a rank: get a block, evaluate it, write its result or send it to rank 0, report.
#include "engine/run/main_loop.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>

#include "engine/dataset/block_encoding.hpp"
#include "engine/parallel/heartbeat.hpp"
#include "engine/run/block_writer.hpp"
#include "engine/run/dispatcher.hpp"
#include "engine/run/evaluator.hpp"

namespace dfsweep {
namespace {

using Clock = std::chrono::steady_clock;

/// Counts what this rank has evaluated and reports to rank 0 in intervals. Thread-safe.
class Reporter {
 public:
  Reporter(Dispatcher& dispatcher, std::uint32_t ranks)
      : dispatcher_(dispatcher),
        interval_(std::chrono::duration_cast<Clock::duration>(
            std::chrono::duration<double>(report_interval_seconds(ranks)))) {}
  /// Adds points of a block in progress.
  void advance(std::uint64_t points) {
    const std::lock_guard lock(mutex_);
    pending_.in_progress += static_cast<std::int64_t>(points);
    if (Clock::now() - last_report_ >= interval_) report();
  }
  /// Adds a complete block.
  void add(const Tally& tally, double block_seconds) {
    const std::lock_guard lock(mutex_);
    pending_.add(tally);
    pending_.in_progress -= static_cast<std::int64_t>(tally.points);
    blocks_ += tally.blocks;
    // Decaying maximum: after a slow block the next one may be slow, too.
    expected_seconds_ = std::max(block_seconds, 0.9 * expected_seconds_);
    // Failures can stop the run, so report them at once.
    if (tally.failures.count() > 0 || Clock::now() - last_report_ >= interval_) report();
  }
  void flush() {
    const std::lock_guard lock(mutex_);
    report();
  }
  [[nodiscard]] Stop::Seconds expected() const {
    const std::lock_guard lock(mutex_);
    return Stop::Seconds(expected_seconds_);
  }
  [[nodiscard]] std::uint64_t blocks() const {
    const std::lock_guard lock(mutex_);
    return blocks_;
  }

 private:
  void report() {
    if (pending_.blocks > 0 || pending_.in_progress != 0) dispatcher_.report(pending_);
    pending_ = {};
    last_report_ = Clock::now();
  }
  Dispatcher& dispatcher_;
  Clock::duration interval_;
  mutable std::mutex mutex_;
  Tally pending_;
  std::uint64_t blocks_ = 0;
  double expected_seconds_ = 0.0;
  Clock::time_point last_report_{};
  /// Reports while all threads compute expensive points. Last member, so that it is destroyed first.
  Heartbeat heartbeat_{[this] {
    const std::lock_guard lock(mutex_);
    if (Clock::now() - last_report_ >= interval_) report();
  }};
};

Dispatch handle_tally(const RunContext& context, const Tally& tally) {
  context.progress.add(tally);
  if (context.progress.total().failures.count() <= context.allowed_failures) return Dispatch::proceed;
  context.stop.request(StopReason::failures);
  return Dispatch::stop;
}

/// Collective: complete if all ranks together evaluated all blocks of `todo`.
Outcome agree_on_outcome(Communicator& communicator, std::uint64_t asked, std::uint64_t evaluated) {
  // May wrap around on one rank; the sum over ranks is exact modulo 2^64.
  std::uint64_t missing[] = {asked - evaluated};
  communicator.sum(missing);
  return missing[0] == 0 ? Outcome::complete : Outcome::stopped;
}

}  // namespace

Outcome run_blocks(const RunContext& context, std::vector<BlockId> todo) {
  const bool is_first_rank = context.communicator.rank() == 0;
  const std::uint64_t asked = is_first_rank ? todo.size() : 0;
  Evaluator evaluator(context.plan, context.prepared, context.threads, context.communicator.size(), context.known);
  std::optional<BlockWriter> writer;
  if (context.store != nullptr)
    writer.emplace(*context.store, [&](BlockBytes bytes) { evaluator.recycle(std::move(bytes)); });
  Dispatcher dispatcher(context.communicator, std::move(todo),
                        {.tally = [&](const Tally& tally) { return handle_tally(context, tally); },
                         .result = [&](const auto& bytes) { writer->push(unpack_block(bytes, context.plan)); }});
  Reporter reporter(dispatcher, context.communicator.size());

  evaluator.run({
      .next = [&]() -> std::optional<Block> {
        if (!context.stop.may_start(reporter.expected())) return std::nullopt;
        const auto id = dispatcher.next([&] { return context.stop.urgency() != Urgency::none; });
        return id ? std::optional(context.plan.block(*id)) : std::nullopt;
      },
      .done =
          [&](EvaluatedBlock block) {
            const Tally tally = block.tally;
            const double seconds = block.seconds;
            dispatcher.note({block.block.id, seconds});
            if (writer) {
              writer->push(std::move(block));  // aligned blocks and candidates: every rank writes its own
            } else {
              dispatcher.deliver(pack(block));  // small blocks share pages: rank 0 alone writes them
            }
            reporter.add(tally, seconds);
          },
      .abandon = [&] { return context.stop.urgency() == Urgency::at_once; },
      .advanced = [&](std::uint64_t points) { reporter.advance(points); },
  });

  if (context.stop.reason() == StopReason::signal) dispatcher.close();  // the signal may have reached only this rank
  reporter.flush();
  if (writer && !is_first_rank) writer->finish();
  dispatcher.finish();
  if (writer && is_first_rank) writer->finish();  // after the others' small blocks have arrived
  return agree_on_outcome(context.communicator, asked, reporter.blocks());
}

}  // namespace dfsweep
