#include "engine/commands/report_live.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <ctime>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "engine/console/foreign_run.hpp"
#include "engine/run/waiting_line.hpp"
#include "engine/store/run_directory.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

namespace {

using Duration = std::chrono::duration<double>;
constexpr Duration interval{0.1};          ///< between looks at the journals
constexpr Duration waiting_interval{0.5};  ///< between tries to open a result that is not ready

/// Holds the signals that end a program back, so that each is received where the program waits.
class HeldSignals {
 public:
  HeldSignals() {
    sigemptyset(&held_);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&held_, signal);
    sigprocmask(SIG_BLOCK, &held_, &former_);
  }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  ~HeldSignals() { sigprocmask(SIG_SETMASK, &former_, nullptr); }

  /// Waits for one of the signals, at most this time; whether there was one.
  [[nodiscard]] bool received_within(Duration duration) const {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(duration);
    const auto rest = std::chrono::duration_cast<std::chrono::nanoseconds>(duration - seconds);
    const timespec timeout{.tv_sec = static_cast<std::time_t>(seconds.count()),
                           .tv_nsec = static_cast<long>(rest.count())};
    return sigtimedwait(&held_, nullptr, &timeout) > 0;
  }

 private:
  sigset_t held_{};
  sigset_t former_{};
};

/// The result if there is one already.
std::optional<OpenedResult> result_if_ready(const std::filesystem::path& directory) {
  try {
    return open_with_progress(directory);
  } catch (const NotReady&) {
    return std::nullopt;
  }
}

/// Names of what is in a run directory, and sizes of its journals: they change whenever its result does. Empty where
/// they cannot be read.
std::string state_of(const std::filesystem::path& directory) {
  std::string state;
  std::error_code error;
  const auto add = [&](const std::filesystem::path& folder, const auto& size_of) {
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
      state += fmt::format("{} {}\n", entry->path().native(), size_of(*entry));
  };
  add(directory, [](const auto&) { return 0; });
  if (!error) {
    add(store::RunDirectory{directory}.journals(), [&](const std::filesystem::directory_entry& journal) {
      std::error_code gone;  // a lock that was released meanwhile
      return journal.file_size(gone);
    });
  }
  return error ? "" : state;
}

}  // namespace

ExitStatus follow_run(const std::filesystem::path& directory, const std::function<void(const OpenedResult&)>& write,
                      Verbosity verbosity) {
  const std::string name = printable(directory.string());
  const HeldSignals signals;
  WaitingLine line(verbosity == Verbosity::quiet ? "" : fmt::format("following {}", name));
  std::optional<std::uint64_t> written;  ///< number of finished blocks in the last page
  std::string seen;                      ///< state of the directory before its result was opened
  for (Duration wait = interval;; wait = interval) {
    const auto start = std::chrono::steady_clock::now();
    if (std::string state = state_of(directory); state.empty() || state != seen) {
      seen = std::move(state);
      if (const std::optional<OpenedResult> result = result_if_ready(directory)) {
        if (!result->progress || result->progress->done != written) write(*result);
        if (!result->progress) return ExitStatus::complete;
        written = result->progress->done;
        if (verbosity != Verbosity::quiet)
          line.set_text(fmt::format("following {}: {}", name, progress_text(*result->progress, result->file)));
        wait = std::max<Duration>(interval, std::chrono::steady_clock::now() - start);
      } else {
        seen.clear();
        wait = waiting_interval;
      }
    }
    if (signals.received_within(wait)) return ExitStatus::stopped;
  }
}

}  // namespace dfsweep
