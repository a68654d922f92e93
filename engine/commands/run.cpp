/// Loading the sweep for a session, and what is printed when it ends.
#include "engine/commands/run.hpp"

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "engine/commands/collective.hpp"
#include "engine/commands/run_summary.hpp"
#include "engine/console/output.hpp"
#include "engine/console/shell_word.hpp"
#include "engine/console/usage_error.hpp"
#include "engine/growth/growth.hpp"
#include "engine/parallel/agreement.hpp"
#include "engine/parallel/threads.hpp"
#include "engine/plan/loaded_sweep.hpp"
#include "engine/run/session.hpp"
#include "engine/run/waiting_line.hpp"
#include "engine/run/watchdog.hpp"
#include "engine/sweep/preparation.hpp"
#include "engine/sweep/statuses.hpp"
#include "io/hdf5/dataset_reader.hpp"
#include "io/packing.hpp"
#include "io/terminal.hpp"

namespace dfsweep {
namespace {

/// Throws UsageError where a path cannot be a run directory.
void expect_folder(const std::filesystem::path& directory) {
  std::error_code ignored;
  const std::string shown = "--out: " + printable(directory.string());
  const std::filesystem::path whole =
      std::filesystem::weakly_canonical(std::filesystem::absolute(directory, ignored), ignored);
  if (!whole.empty() && whole == whole.root_path())
    throw UsageError(shown + " is the root of the file system. Give a folder for this run, as in --out runs/first");
  const std::filesystem::file_status status = std::filesystem::status(directory, ignored);
  if (std::filesystem::exists(status) && !std::filesystem::is_directory(status))
    throw UsageError(shown + " is a file, not a folder. Choose another --out");
  if (!std::filesystem::exists(status) && std::filesystem::is_symlink(directory, ignored))
    throw UsageError(
        fmt::format("{} is a symbolic link to {}, which does not exist. Create it, or choose another --out", shown,
                    printable(std::filesystem::read_symlink(directory, ignored).string())));
}

class RunCommand {
 public:
  RunCommand(const RunOptions& options, Communicator& communicator, Stop& stop)
      : options_(options), communicator_(communicator), stop_(stop) {}

  ExitStatus execute() {
    const ThreadChoice choice = choose_threads(options_.threads, communicator_);
    if (is_first() && !is_quiet() && !choice.warning.empty()) write_message(choice.warning);
    if (const auto failed = load()) return *failed;
    if (is_first() && !is_quiet())
      write_warnings(notes_text(sweep_->spec) + warnings_text(sweep_->spec, *sweep_->prepared));
    SessionSettings settings{.directory = options_.directory.empty() ? std::filesystem::path("runs") / sweep_->spec.name
                                                                     : options_.directory,
                             .threads = choice.threads,
                             .part = options_.part,
                             .mode = options_.mode,
                             .allowed_failures = options_.allowed_failures,
                             .verbosity = options_.verbosity,
                             .resume = options_.resume};
    if (const auto failed = agree(communicator_, [&] { expect_folder(settings.directory); })) return *failed;
    if (const auto failed = find_growth(settings)) return *failed;
    auto ended = run_session(*sweep_, settings, communicator_, stop_);
    if (const auto* failed = std::get_if<ExitStatus>(&ended)) return *failed;
    const auto status =
        static_cast<std::byte>(is_first() ? report(std::get<SessionReport>(std::move(ended))) : ExitStatus::complete);
    return static_cast<ExitStatus>(communicator_.broadcast({status}).front());
  }

 private:
  [[nodiscard]] bool is_first() const { return communicator_.rank() == 0; }
  [[nodiscard]] bool is_quiet() const { return options_.verbosity == Verbosity::quiet; }

  /// Nothing is written before the sweep is known, so any request to stop ends the process at once.
  std::optional<ExitStatus> load() {
    const Watchdog watchdog(stop_, communicator_, {.least = Urgency::polite, .timeout = Stop::Seconds(0.0)},
                            [&] { return stopped_while_preparing(stop_.reason(), options_.resume); });
    const WaitingLine line(is_first() && !is_quiet() ? "preparing the sweep" : "");
    if (const auto failed =
            agree(communicator_, [&] { sweep_ = load_sweep(options_.sweep, options_.reading, communicator_); }))
      return failed;
    return agree(communicator_, [&] { expect_same_plan(communicator_, sweep_->plan); });
  }

  /// Rank 0 looks for a former result, and every rank opens it.
  std::optional<ExitStatus> find_growth(SessionSettings& settings) {
    Packer packer;
    if (is_first() && options_.from.empty() && options_.mode == store::OpenMode::resume)
      packer.text(former_result(settings.directory, sweep_->plan).value_or("").string());
    else
      packer.text("");
    const std::vector<std::byte> bytes = communicator_.broadcast(packer.take());
    const std::string former = Unpacker(bytes).text();
    if (options_.from.empty() && former.empty()) return std::nullopt;
    const auto open = [&] {
      growth_ = former.empty() ? growth_from(options_.from, sweep_->plan, options_.reading.data)
                               : growth_in_place(former, sweep_->plan, options_.reading.data);
    };
    if (const auto failed = agree(communicator_, open)) return failed;
    settings.known = growth_->known();
    settings.succession = {.is_allowed = growth_->may_replace, .obstacle = growth_->obstacle};
    if (is_first() && !is_quiet())
      for (const TakenRows& taken : growth_->taken.results) write_message(taken_text(taken, sweep_->plan));
    return std::nullopt;
  }

  /// Rank 0 prints how it ended; every rank gets the status.
  ExitStatus report(SessionReport ended) const {
    RunSummary summary{.session = std::move(ended), .statuses = {}, .misses = {}, .resume = options_.resume};
    const SessionReport& session = summary.session;
    const bool is_published = session.end == SessionEnd::published || session.end == SessionEnd::found_published;
    summary.statuses =
        is_published ? status_histogram(session.file, statuses_of(sweep_->spec).size()) : session.tally.statuses;
    if (is_published) {
      summary.misses =
          nearest_misses(DatasetReader(session.file), RowFilter{}, shortfall_name(*sweep_->spec.estimator));
      add_reasons(summary.misses, sweep_->spec, *sweep_->prepared);
    }
    if (is_published && summary.statuses[status_ok] == 0)
      write_message("warning: no point has an estimate. Once the sweep is changed, run it with --fresh");
    std::fputs(failures_text(session.tally.failures, sweep_->spec).c_str(), stderr);
    const bool is_stopped = session.end == SessionEnd::stopped;
    if (is_stopped && (is_quiet() || options_.form == OutputForm::json))
      std::fputs(stopped_text(summary).c_str(), stderr);
    if (options_.form == OutputForm::json)
      write_results(to_text(summary_json(summary, sweep_->spec)));
    else if (!is_quiet())
      write_results(summary_text(summary, sweep_->spec));
    flush_results();
    if (is_stopped && session.reason != StopReason::failures) return ExitStatus::stopped;
    const bool some_failed = status_failed < summary.statuses.size() && summary.statuses[status_failed] > 0;
    return some_failed ? ExitStatus::failed_points : ExitStatus::complete;
  }

  const RunOptions& options_;
  Communicator& communicator_;
  Stop& stop_;
  std::unique_ptr<LoadedSweep> sweep_;
  std::unique_ptr<Growth> growth_;
};

}  // namespace

std::string resume_command(const std::vector<std::string>& arguments) {
  std::string command = "dfsweep";
  for (const std::string& word : arguments)
    if (word != "--fresh") command += ' ' + shell_word(printable(word));
  return command;
}

void listen_for_signals_of_run(std::string_view resume) {
  listen_for_signals(resume);
}

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
  listen_for_signals(options.resume);
  Stop stop(options.time_limit);
  return run_collectively(
      [&](Communicator& communicator) { return RunCommand(options, communicator, stop).execute(); });
}

}  // namespace dfsweep
