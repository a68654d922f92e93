/// A run from the sweep file to the published result, on one rank or on many.
#include "engine/commands/run.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <memory>
#include <set>
#include <string>

#include <fmt/format.h>

#include "engine/commands/run_summary.hpp"
#include "engine/console/build_info.hpp"
#include "engine/console/error_report.hpp"
#include "engine/console/output.hpp"
#include "engine/console/output_form.hpp"
#include "engine/console/usage_error.hpp"
#include "engine/parallel/agreement.hpp"
#include "engine/parallel/heartbeat.hpp"
#include "engine/parallel/threads.hpp"
#include "engine/plan/loaded_sweep.hpp"
#include "engine/run/main_loop.hpp"
#include "engine/store/part.hpp"
#include "engine/store/publication.hpp"
#include "engine/sweep/preparation.hpp"
#include "io/log.hpp"
#include "io/packing.hpp"
#include "io/terminal.hpp"

namespace dfsweep {
namespace {

/// After an urgent request the process is gone within a second, whatever it is computing.
constexpr Stop::Seconds hard_exit_after{0.7};
/// A result that fails its verification so often in a row is not going to be whole on this disk.
constexpr int most_repairs = 3;

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

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

class SweepRun {
 public:
  SweepRun(const RunOptions& options, Communicator& communicator, Stop& stop)
      : options_(options), communicator_(communicator), stop_(stop) {}

  ExitStatus execute() {
    const ThreadChoice choice = choose_threads(options_.threads, communicator_);
    threads_ = choice.threads;
    if (is_first() && !choice.warning.empty()) warn(choice.warning);
    if (const auto failed =
            agree(communicator_, [&] { sweep_ = load_sweep(options_.sweep, options_.reading, communicator_); }))
      return *failed;
    if (const auto failed = agree(communicator_, [&] { expect_same_plan(communicator_, sweep_->plan); }))
      return *failed;
    if (is_first() && options_.verbosity != Verbosity::quiet)
      write_warnings(warnings_text(sweep_->spec, *sweep_->prepared));
    summary_.directory =
        options_.directory.empty() ? std::filesystem::path("runs") / sweep_->spec.name : options_.directory;
    summary_.rows = sweep_->plan.row_count();
    summary_.part = options_.part;
    return evaluate_and_publish();
  }

 private:
  [[nodiscard]] bool is_first() const { return communicator_.rank() == 0; }

  void warn(const std::string& text) const {
    if (options_.verbosity != Verbosity::quiet) std::fputs(("dfsweep: " + text + '\n').c_str(), stderr);
  }

  /// Blocks that verification finds damaged are evaluated again.
  ExitStatus evaluate_and_publish() {
    for (int round = 0; round < most_repairs; ++round) {
      const store::OpenMode mode = round == 0 ? options_.mode : store::OpenMode::resume;
      if (const auto failed = open_store(mode)) return *failed;
      const bool was_published = is_published_;  // then only its bytes remain to be verified
      const Outcome outcome = was_published ? Outcome::complete : evaluate_missing();
      store_.reset();
      if (outcome == Outcome::stopped) return end(RunEnd::stopped);
      const store::PublishReport report =
          store::publish(real_file_system(), summary_.directory, communicator_, threads_);
      if (report.outcome == store::PublishOutcome::unfinished) return end(RunEnd::part_complete);
      summary_.file = report.file;
      if (report.outcome == store::PublishOutcome::published)
        return end(was_published ? RunEnd::found_published : RunEnd::published);
      if (is_first() && !report.damaged.empty())
        warn(fmt::format("{} blocks do not have their checksum and are evaluated again", report.damaged.size()));
      else if (is_first())
        warn("the file is damaged outside its columns and is repaired");
      log("damaged", {{"blocks", report.damaged.size()}});
    }
    throw IoError("verify", summary_.directory, EIO,
                  "the result does not verify even after repairs: is the disk sound?");
  }

  std::optional<ExitStatus> open_store(store::OpenMode mode) {
    FileSystem& files = real_file_system();
    const auto create = [&] {
      store_.emplace(store::Store::create(files, summary_.directory, sweep_->plan, options_.part, mode));
    };
    if (const auto failed = agree_on_first(communicator_, create)) return failed;
    if (is_first())
      for (const std::string& note : store_->notes()) warn(note);
    Packer packer;
    packer.number<std::uint8_t>(is_first() && store_->published() ? 1 : 0);
    const std::vector<std::byte> published = communicator_.broadcast(packer.take());
    is_published_ = Unpacker(published).number<std::uint8_t>() != 0;
    if (is_first() && log_ == nullptr) log_ = std::make_unique<EventLog>(files, summary_.directory / "log.jsonl");
    const bool writes_blocks = sweep_->plan.kind() != BlockKind::small;
    return agree(communicator_, [&] {
      if (!is_first() && !is_published_ && writes_blocks)
        store_.emplace(
            store::Store::attach(files, summary_.directory, sweep_->plan, options_.part, communicator_.rank()));
    });
  }

  /// Blocks of this part that are not complete, on rank 0.
  std::vector<BlockId> missing_blocks() const {
    std::vector<BlockId> missing;
    if (!is_first()) return missing;
    for (BlockId b = options_.part.index; b < sweep_->plan.block_count(); b += options_.part.count)
      if (!store_->complete()[b]) missing.push_back(b);
    return missing;
  }

  Outcome evaluate_missing() {
    std::vector<BlockId> todo = missing_blocks();
    std::uint64_t total = 0;
    std::uint64_t left = 0;
    for (BlockId b = options_.part.index; is_first() && b < sweep_->plan.block_count(); b += options_.part.count)
      total += sweep_->plan.block(b).kept_count;
    for (const BlockId b : todo) left += sweep_->plan.block(b).kept_count;
    const JsonArray hosts = host_names(communicator_);
    log("start", {{"version", std::string(program_version())},
                  {"sweep", sweep_->spec.name},
                  {"fingerprint", sweep_->plan.fingerprint()},
                  {"hosts", hosts},
                  {"ranks", communicator_.size()},
                  {"threads", threads_},
                  {"pid", static_cast<std::int64_t>(getpid())},
                  {"part", fmt::format("{}/{}", options_.part.index + 1, options_.part.count)},
                  {"blocks", sweep_->plan.block_count()},
                  {"blocks_missing", todo.size()}});
    Progress progress(progress_style(), total, total - left, status_names(), progress_output());
    const std::size_t asked = todo.size();
    const RunContext context{.plan = sweep_->plan,
                             .prepared = *sweep_->prepared,
                             .communicator = communicator_,
                             .store = store_ ? &*store_ : nullptr,
                             .threads = threads_,
                             .allowed_failures = options_.allowed_failures,
                             .stop = stop_,
                             .progress = progress};
    const Outcome outcome = [&] {
      const Heartbeat heartbeat([&] {
        progress.tick();
        log_now_and_then(progress);
      });
      return run_blocks(context, std::move(todo));
    }();
    progress.clear();
    const Tally tally = progress.total();
    summary_.tally.add(tally);
    summary_.seconds += progress.seconds();
    summary_.blocks_left = asked - std::min<std::uint64_t>(tally.blocks, asked);
    const StopReason own_reason = stop_.reason();
    summary_.reason = outcome == Outcome::complete     ? StopReason::none
                      : own_reason == StopReason::none ? StopReason::another_rank
                                                       : own_reason;
    log(outcome == Outcome::complete ? "evaluated" : "stopped", {{"points", tally.points},
                                                                 {"blocks", tally.blocks},
                                                                 {"seconds", progress.seconds()},
                                                                 {"reason", to_string(summary_.reason)}});
    return outcome;
  }

  ProgressStyle progress_style() const {
    if (!is_first() || options_.verbosity == Verbosity::quiet) return ProgressStyle::quiet;
    return terminal_of(STDERR_FILENO).rewrites_lines ? ProgressStyle::redrawn : ProgressStyle::lines;
  }
  static Progress::Output progress_output() {
    return {.print =
                [](std::string_view text) {
                  std::fwrite(text.data(), 1, text.size(), stderr);
                  std::fflush(stderr);
                },
            .now = steady_seconds,
            .width = terminal_of(STDERR_FILENO).width};
  }
  std::vector<std::string> status_names() const {
    std::vector<std::string> names;
    for (const StatusInfo& status : sweep_->spec.estimator->statuses()) names.emplace_back(status.name);
    return names;
  }

  /// A line of the log every ten seconds: what a run did that nobody watched.
  void log_now_and_then(const Progress& progress) {
    constexpr double interval = 10.0;
    if (log_ == nullptr || progress.seconds() < logged_at_ + interval) return;
    logged_at_ = progress.seconds();
    const Tally tally = progress.total();
    log("progress", {{"points", tally.points}, {"blocks", tally.blocks}, {"seconds", logged_at_}});
  }

  void log(std::string_view event, JsonObject fields) {
    if (log_ != nullptr) log_->write(event, std::move(fields));
  }

  /// Rank 0 says how it ended; every rank knows the status.
  ExitStatus end(RunEnd how) {
    summary_.end = how;
    if (how == RunEnd::found_published) summary_.file = summary_.directory / "result.h5";
    const auto status = static_cast<std::uint8_t>(is_first() ? say_end() : ExitStatus::complete);
    const std::vector<std::byte> agreed = communicator_.broadcast({static_cast<std::byte>(status)});
    return static_cast<ExitStatus>(agreed.front());
  }

  ExitStatus say_end() {
    const bool is_published = summary_.end == RunEnd::published || summary_.end == RunEnd::found_published;
    if (is_published) summary_.statuses = status_histogram(summary_.file, sweep_->spec.estimator->statuses().size());
    if (is_published) log("published", {{"file", summary_.file.string()}, {"rows", summary_.rows}});
    std::fputs(failures_text(summary_.tally.failures, sweep_->spec).c_str(), stderr);
    const std::string text = options_.form == OutputForm::json        ? to_text(summary_json(summary_, sweep_->spec))
                             : options_.verbosity == Verbosity::quiet ? std::string()
                                                                      : summary_text(summary_, sweep_->spec);
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
    if (summary_.end == RunEnd::stopped && summary_.reason != StopReason::failures) return ExitStatus::stopped;
    return failed_points(summary_) > 0 ? ExitStatus::failed_points : ExitStatus::complete;
  }

  const RunOptions& options_;
  Communicator& communicator_;
  Stop& stop_;
  unsigned threads_ = 1;
  std::unique_ptr<LoadedSweep> sweep_;
  std::optional<store::Store> store_;
  bool is_published_ = false;
  std::unique_ptr<EventLog> log_;  ///< on rank 0
  double logged_at_ = 0.0;         ///< of the heartbeat alone
  RunSummary summary_;
};

/// Ends the process where an urgent request could not be obeyed in time, because a dear point or a slow disk holds it
/// up.
class Guard {
 public:
  Guard(Stop& stop, Communicator& communicator)
      : heartbeat_([this, &stop, &communicator] {
          if (stop.urgency() != Urgency::at_once) return;
          if (urgent_since_ == 0.0) urgent_since_ = steady_seconds();
          if (steady_seconds() - urgent_since_ < hard_exit_after.count()) return;
          if (communicator.size() == 1) std::_Exit(static_cast<int>(ExitStatus::stopped));
          communicator.abort(static_cast<int>(ExitStatus::stopped));
        }) {}

 private:
  double urgent_since_ = 0.0;
  Heartbeat heartbeat_;
};

}  // namespace

std::optional<store::Part> parse_part(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto number = [](std::string_view digits) -> std::uint32_t {
    std::uint32_t value = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc{} && stop == digits.data() + digits.size() ? value : 0;
  };
  const std::uint32_t index = number(text.substr(0, slash));
  const std::uint32_t count = number(text.substr(slash + 1));
  if (index == 0 || index > count) return std::nullopt;
  return store::Part{.index = index - 1, .count = count};
}

ExitStatus run_sweep(const RunOptions& options) {
  listen_for_signals();
  Stop stop(options.time_limit);
  if (detect_launch() == Launch::copies)
    throw UsageError("srun started several copies that cannot talk to each other; use srun --mpi=pmix, or mpirun");
  const std::unique_ptr<Communicator> communicator = make_communicator();
  const Guard guard(stop, *communicator);
  if (communicator->size() == 1) return SweepRun(options, *communicator, stop).execute();
  try {
    return SweepRun(options, *communicator, stop).execute();
  } catch (...) {
    const ErrorReport report = report_of(std::current_exception());
    std::fputs(report.text.c_str(), stderr);
    communicator->abort(static_cast<int>(report.status));
    return report.status;
  }
}

}  // namespace dfsweep
