/// Stop: combines signals, the time limit and the limit of failures into two answers: whether a block may start, and
/// how urgently the run has to end.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace dfsweep {

/// How soon a run has to end.
enum class Urgency : std::uint8_t {
  none,
  polite,   ///< start nothing new, finish the blocks in progress
  at_once,  ///< abandon the blocks in progress; the process must end within a second
};

enum class StopReason : std::uint8_t { none, signal, time_limit, failures, another_rank };
[[nodiscard]] std::string_view to_string(StopReason reason);

/// "90" and "90s" are seconds; also "30m", "2h", "1d", "5:00", "1:30:00" and "1-02:00:00". "0:00" is zero and
/// "unlimited" is infinite, because batch systems print both. Nothing if malformed or negative.
[[nodiscard]] std::optional<std::chrono::duration<double>> parse_time_limit(std::string_view text);

/// Installs signal handlers: SIGUSR1 and SIGUSR2 request Urgency::polite; SIGTERM, SIGINT and SIGHUP request
/// Urgency::at_once. A repeated signal raises the urgency by one step; the third step ends the process in the handler
/// with status 75 and a line that prints `resume`, the command that resumes the run. Pending blocked signals are
/// delivered now.
void listen_for_signals(std::string_view resume);
/// The urgency that received signals request, and the latest signal (0: none).
struct SignalState {
  Urgency urgency = Urgency::none;
  int signal = 0;
};
[[nodiscard]] SignalState received_signals();

/// Thread-safe.
class Stop {
 public:
  using Seconds = std::chrono::duration<double>;
  struct Sources {
    std::function<Seconds()> now;  ///< time since the start of the run, monotonic
    std::function<SignalState()> signals;
  };
  /// Time for blocks in progress after a polite request; then the urgency becomes at_once.
  static constexpr Seconds grace{30.0};

  Stop(std::optional<Seconds> time_limit, Sources sources);
  /// Uses the steady clock and received_signals().
  explicit Stop(std::optional<Seconds> time_limit);

  /// Whether a block with this expected time may start.
  [[nodiscard]] bool may_start(Seconds expected) const;
  [[nodiscard]] Urgency urgency() const;
  /// Why the run stops; StopReason::none while it continues.
  [[nodiscard]] StopReason reason() const;
  /// Requests a polite stop from inside the program. The first reason is kept.
  void request(StopReason reason);

 private:
  /// Time before the limit that is reserved for commits.
  [[nodiscard]] Seconds reserve() const;
  void note(StopReason reason) const;

  std::optional<Seconds> time_limit_;
  Sources sources_;
  mutable std::atomic<StopReason> reason_{StopReason::none};
  mutable std::atomic<double> stopping_since_{-1.0};  ///< seconds; negative while the run continues
};

}  // namespace dfsweep
