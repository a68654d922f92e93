#include "engine/commands/report_live.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <ctime>
#include <optional>
#include <string>

#include "engine/console/foreign_run.hpp"
#include "engine/run/waiting_line.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

namespace {

using Duration = std::chrono::duration<double>;
constexpr Duration interval{0.5};

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

}  // namespace

ExitStatus follow_run(const std::filesystem::path& directory, const std::function<void(const OpenedResult&)>& write,
                      Verbosity verbosity) {
  const std::string name = printable(directory.string());
  const HeldSignals signals;
  WaitingLine line(verbosity == Verbosity::quiet ? "" : fmt::format("following {}", name));
  std::optional<std::uint64_t> written;  ///< number of finished blocks in the last page
  for (;;) {
    const auto start = std::chrono::steady_clock::now();
    if (const std::optional<OpenedResult> result = result_if_ready(directory)) {
      if (!result->progress || result->progress->done != written) write(*result);
      if (!result->progress) return ExitStatus::complete;
      written = result->progress->done;
      if (verbosity != Verbosity::quiet)
        line.set_text(fmt::format("following {}: {}", name, progress_text(*result->progress, result->file)));
    }
    const Duration spent = std::chrono::steady_clock::now() - start;
    if (signals.received_within(std::max(interval, spent))) return ExitStatus::stopped;
  }
}

}  // namespace dfsweep
