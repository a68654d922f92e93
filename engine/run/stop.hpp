/// Stop: signals, the time limit and the limit of failures become one question: may this be started, must that be
/// dropped?
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
  at_once,  ///< drop the blocks in progress; within a second the process must be gone
};

enum class StopReason : std::uint8_t { none, signal, time_limit, failures, another_rank };
[[nodiscard]] std::string_view to_string(StopReason reason);

/// "90" and "90s" are seconds; also "30m", "2h", "1d", "5:00", "1:30:00" and "1-02:00:00". "0:00" is no time at all and
/// "unlimited" is infinite, because queues print both. Nothing where malformed or negative.
[[nodiscard]] std::optional<std::chrono::duration<double>> parse_time_limit(std::string_view text);

/// From here on SIGUSR1 and SIGUSR2 ask politely, SIGTERM, SIGINT and SIGHUP ask at once. A repeated signal is one step
/// more urgent, and the third step ends the process in the handler with status 75 and a line that names `resume`, the
/// command that continues the run. Signals that were blocked and wait are answered at once.
void listen_for_signals(std::string_view resume);
/// What the signals received so far ask for, and the latest of them (0: none).
struct SignalState {
  Urgency urgency = Urgency::none;
  int signal = 0;
};
[[nodiscard]] SignalState received_signals();

/// Safe to use from any thread.
class Stop {
 public:
  using Seconds = std::chrono::duration<double>;
  struct Sources {
    std::function<Seconds()> now;  ///< time since the start of the run, never going back
    std::function<SignalState()> signals;
  };
  /// How long blocks in progress may still take after a polite request.
  static constexpr Seconds grace{30.0};

  Stop(std::optional<Seconds> time_limit, Sources sources);
  /// With the steady clock and received_signals().
  explicit Stop(std::optional<Seconds> time_limit);

  /// May a block be started that is expected to take so long?
  [[nodiscard]] bool may_start(Seconds expected) const;
  [[nodiscard]] Urgency urgency() const;
  /// Why the run stops; none while it goes on.
  [[nodiscard]] StopReason reason() const;
  /// A polite request from inside the program. The first reason stays.
  void request(StopReason reason);

 private:
  /// Time that is kept free before the limit for making results durable.
  [[nodiscard]] Seconds reserve() const;
  void note(StopReason reason) const;

  std::optional<Seconds> time_limit_;
  Sources sources_;
  mutable std::atomic<StopReason> reason_{StopReason::none};
  mutable std::atomic<double> stopping_since_{-1.0};  ///< seconds; negative while going on
};

}  // namespace dfsweep
