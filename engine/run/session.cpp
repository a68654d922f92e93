/// Steps of a session, and the progress line and log of rank 0.
#include "engine/run/session.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <exception>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include <fmt/format.h>

#include "engine/console/build_info.hpp"
#include "engine/console/output.hpp"
#include "engine/parallel/agreement.hpp"
#include "engine/parallel/heartbeat.hpp"
#include "engine/run/block_order.hpp"
#include "engine/run/main_loop.hpp"
#include "engine/run/watchdog.hpp"
#include "engine/store/publication.hpp"
#include "engine/sweep/statuses.hpp"
#include "io/log.hpp"
#include "io/number_format.hpp"
#include "io/packing.hpp"
#include "io/terminal.hpp"

namespace dfsweep {
namespace {

constexpr double first_log_seconds = 2.0;
constexpr double log_interval = 10.0;
/// After this many rounds of repair the disk is considered broken.
constexpr int max_repairs = 3;

std::string host_name() {
  utsname names{};
  return uname(&names) == 0 ? names.nodename : "unknown";
}

/// Distinct names of the hosts of all ranks, on rank 0.
JsonArray host_names(Communicator& communicator) {
  Packer packer;
  packer.text(host_name());
  const std::vector<std::byte> own = packer.take();
  std::set<std::string> names;
  for (const auto& each : communicator.gather(own)) names.insert(Unpacker(each).text());
  return {names.begin(), names.end()};
}

std::vector<std::string> status_names(const LoadedSweep& sweep) {
  std::vector<std::string> names;
  for (const StatusInfo& status : statuses_of(sweep.spec)) names.emplace_back(status.name);
  return names;
}

Progress::Output progress_output() {
  return {.print =
              [](std::string_view text) {
                std::fwrite(text.data(), 1, text.size(), stderr);
                std::fflush(stderr);
              },
          .now = steady_seconds,
          .width = terminal_of(STDERR_FILENO).width};
}

class Session {
 public:
  Session(const LoadedSweep& sweep, const SessionSettings& settings, Communicator& communicator, Stop& stop)
      : sweep_(sweep), settings_(settings), communicator_(communicator), stop_(stop) {
    report_.directory = settings.directory;
    report_.rows = sweep.plan.row_count();
    report_.part = settings.part;
  }

  /// An error that ends the session is in the log, for who looks at it from another host.
  std::variant<SessionReport, ExitStatus> run() {
    try {
      const auto ended = run_to_the_end();
      if (const auto* failed = std::get_if<ExitStatus>(&ended))
        log("error", {{"message", fmt::format("status {} on a rank", static_cast<int>(*failed))}});
      return ended;
    } catch (const std::exception& error) {
      log("error", {{"message", error.what()}});
      throw;
    }
  }

 private:
  /// Repeats evaluation and publication while verification finds damaged blocks.
  std::variant<SessionReport, ExitStatus> run_to_the_end() {
    const Watchdog watchdog(stop_, communicator_, {}, [this] { return final_message(); });
    for (int round = 0; round < max_repairs; ++round) {
      const store::OpenMode mode = round == 0 ? settings_.mode : store::OpenMode::resume;
      if (const auto failed = open_store(mode)) return *failed;
      const bool was_published = is_published_;  // then nothing is evaluated, only verified
      const Outcome outcome = was_published ? Outcome::complete : evaluate_missing();
      store_.reset();
      if (outcome == Outcome::stopped) return end(SessionEnd::stopped);
      const store::PublishReport published =
          store::publish(*settings_.files, settings_.directory, communicator_, settings_.threads);
      if (published.outcome == store::PublishOutcome::unfinished) return end(SessionEnd::part_complete);
      report_.file = published.file;
      if (published.outcome == store::PublishOutcome::published)
        return end(was_published ? SessionEnd::found_published : SessionEnd::published);
      if (is_first() && !published.damaged.empty())
        warn(fmt::format("{} with a wrong checksum: evaluating again", counted(published.damaged.size(), "block")));
      else if (is_first())
        warn("the file is damaged outside its columns and is repaired");
      log("damaged", {{"blocks", published.damaged.size()}});
    }
    throw IoError("verify", settings_.directory, EIO, "the result does not verify even after repairs. Check the disk");
  }

  [[nodiscard]] bool is_first() const { return communicator_.rank() == 0; }

  void warn(const std::string& text) const {
    if (settings_.verbosity != Verbosity::quiet) write_message(text);
  }

  std::optional<ExitStatus> open_store(store::OpenMode mode) {
    FileSystem& files = *settings_.files;
    const auto create = [&] {
      store_.emplace(
          store::Store::create(files, settings_.directory, sweep_.plan, settings_.part, mode, settings_.succession));
    };
    if (const auto failed = agree_on_first(communicator_, create)) return failed;
    if (is_first())
      for (const std::string& note : store_->notes()) warn(note);
    Packer packer;
    packer.number<std::uint8_t>(is_first() && store_->published() ? 1 : 0);
    const std::vector<std::byte> published = communicator_.broadcast(packer.take());
    is_published_ = Unpacker(published).number<std::uint8_t>() != 0;
    if (is_first() && log_ == nullptr) log_ = std::make_unique<EventLog>(files, settings_.directory / "log.jsonl");
    const bool writes_blocks = sweep_.plan.kind() != BlockKind::small;
    return agree(communicator_, [&] {
      if (!is_first() && !is_published_ && writes_blocks)
        store_.emplace(
            store::Store::attach(files, settings_.directory, sweep_.plan, settings_.part, communicator_.rank()));
    });
  }

  /// On rank 0 all blocks of this part, complete ones included; elsewhere empty.
  std::vector<BlockId> blocks_of_part() const {
    std::vector<BlockId> blocks;
    if (!is_first()) return blocks;
    for (BlockId b = settings_.part.index; b < sweep_.plan.block_count(); b += settings_.part.count)
      blocks.push_back(b);
    return blocks;
  }

  std::uint64_t points_of(const std::vector<BlockId>& blocks) const {
    std::uint64_t points = 0;
    for (const BlockId b : blocks) points += sweep_.plan.block(b).kept_count;
    return points;
  }

  Outcome evaluate_missing() {
    std::vector<BlockId> todo = blocks_of_part();
    const std::uint64_t total = points_of(todo);
    report_.blocks = todo.size();
    std::erase_if(todo, [&](BlockId b) { return store_->complete()[b]; });
    const std::uint64_t left = points_of(todo);
    points_left_ = left;
    log_start(todo.size());
    Progress progress(progress_style(), total, total - left, status_names(sweep_), progress_output());
    const std::size_t asked = todo.size();
    asked_ = asked;
    const RunContext context{.plan = sweep_.plan,
                             .prepared = *sweep_.prepared,
                             .communicator = communicator_,
                             .store = store_ ? &*store_ : nullptr,
                             .threads = settings_.threads,
                             .allowed_failures = settings_.allowed_failures,
                             .stop = stop_,
                             .progress = progress,
                             .known = settings_.known};
    const Outcome outcome = [&] {
      const ProgressScope scope(*this, progress);
      const Heartbeat heartbeat([&] {
        progress.tick();
        log_progress(progress);
      });
      return run_blocks(context, in_order_of_evaluation(sweep_.plan, todo));
    }();
    progress.clear();
    note_evaluated(progress, asked, outcome);
    return outcome;
  }

  /// During its lifetime the final message of the watchdog includes the progress.
  class ProgressScope {
   public:
    ProgressScope(Session& session, const Progress& progress) : session_(session) { session_.set_progress(&progress); }
    ~ProgressScope() { session_.set_progress(nullptr); }
    ProgressScope(const ProgressScope&) = delete;
    ProgressScope& operator=(const ProgressScope&) = delete;

   private:
    Session& session_;
  };
  void set_progress(const Progress* progress) {
    const std::lock_guard lock(mutex_);
    progress_ = progress;
  }

  /// Text that the watchdog prints before it ends the process.
  std::string final_message() {
    const std::lock_guard lock(mutex_);
    const Tally tally = progress_ != nullptr ? progress_->total() : Tally{};
    const std::uint64_t left = asked_ - std::min(tally.blocks, asked_.load());
    const std::string blocks_text =
        fmt::format("{} of {} evaluated, {} left", report_.blocks - left, counted(report_.blocks, "block"), left);
    return fmt::format(
        "\ndfsweep: stopped early ({}) without waiting for the points in progress; {}{}\nTo resume: {}\n",
        to_string(stop_.reason()), is_first() && progress_ != nullptr ? blocks_text + "; " : "",
        "complete blocks are kept", settings_.resume);
  }

  void note_evaluated(const Progress& progress, std::size_t asked, Outcome outcome) {
    const Tally tally = progress.total();
    log_failures(tally.failures);
    report_.tally.add(tally);
    report_.seconds += progress.seconds();
    report_.blocks_left = asked - std::min<std::uint64_t>(tally.blocks, asked);
    const StopReason own_reason = stop_.reason();
    report_.reason = outcome == Outcome::complete     ? StopReason::none
                     : own_reason == StopReason::none ? StopReason::another_rank
                                                      : own_reason;
    log(outcome == Outcome::complete ? "evaluated" : "stopped", {{"points", tally.points},
                                                                 {"taken", tally.taken},
                                                                 {"blocks", tally.blocks},
                                                                 {"seconds", progress.seconds()},
                                                                 {"reason", to_string(report_.reason)}});
  }

  ProgressStyle progress_style() const {
    if (!is_first() || settings_.verbosity == Verbosity::quiet) return ProgressStyle::quiet;
    return terminal_of(STDERR_FILENO).rewrites_lines ? ProgressStyle::redrawn : ProgressStyle::lines;
  }

  void log_start(std::size_t blocks_missing) {
    const JsonArray hosts = host_names(communicator_);
    log("start", {{"version", std::string(program_version())},
                  {"sweep", sweep_.spec.name},
                  {"fingerprint", sweep_.plan.fingerprint()},
                  {"hosts", hosts},
                  {"ranks", communicator_.size()},
                  {"threads", settings_.threads},
                  {"pid", static_cast<std::int64_t>(getpid())},
                  {"blocks", sweep_.plan.block_count()},
                  {"blocks_missing", blocks_missing}});
  }

  /// Writes a line to the log after two seconds and then every ten, for runs without a terminal; failed points at once.
  void log_progress(const Progress& progress) {
    if (log_ == nullptr) return;
    const Tally tally = progress.total();
    log_failures(tally.failures);
    if (progress.seconds() < next_log_) return;
    next_log_ = progress.seconds() + log_interval;
    log("progress", {{"points", tally.points},
                     {"blocks", tally.blocks},
                     {"seconds", progress.seconds()},
                     {"points_left", points_left_ - std::min(tally.points, points_left_)}});
  }

  void log_failures(const FailureLog& failures) {
    if (failures.count() <= failures_logged_) return;
    failures_logged_ = failures.count();
    const Failure& last = failures.entries().back();
    log("failed_points", {{"count", failures_logged_}, {"point", last.first_point}, {"message", last.message}});
  }

  /// Each line names its writer, because several may share the log, see writers_of().
  void log(std::string_view event, JsonObject fields) {
    if (log_ == nullptr) return;
    JsonObject line = {{"part", fmt::format("{}/{}", settings_.part.index + 1, settings_.part.count)},
                       {"host", host_name()}};
    line.insert(line.end(), std::make_move_iterator(fields.begin()), std::make_move_iterator(fields.end()));
    log_->write(event, std::move(line));
  }

  SessionReport end(SessionEnd how) {
    report_.end = how;
    if (how == SessionEnd::found_published) report_.file = settings_.directory / "result.h5";
    const bool is_published = how == SessionEnd::published || how == SessionEnd::found_published;
    if (is_published) log("published", {{"file", report_.file.string()}, {"rows", report_.rows}});
    return std::move(report_);
  }

  const LoadedSweep& sweep_;
  const SessionSettings& settings_;
  Communicator& communicator_;
  Stop& stop_;
  std::optional<store::Store> store_;
  bool is_published_ = false;
  std::unique_ptr<EventLog> log_;        ///< on rank 0 only
  double next_log_ = first_log_seconds;  ///< used by the heartbeat thread only, as the next one
  std::uint64_t failures_logged_ = 0;
  std::uint64_t points_left_ = 0;  ///< of this part, at the start of the evaluation
  SessionReport report_;
  std::mutex mutex_;                     ///< guards progress_
  const Progress* progress_ = nullptr;   ///< null unless blocks are being evaluated
  std::atomic<std::uint64_t> asked_{0};  ///< number of blocks that were missing at the start
};

}  // namespace

std::variant<SessionReport, ExitStatus> run_session(const LoadedSweep& sweep, const SessionSettings& settings,
                                                    Communicator& communicator, Stop& stop) {
  return Session(sweep, settings, communicator, stop).run();
}

}  // namespace dfsweep
