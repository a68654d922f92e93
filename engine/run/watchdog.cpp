#include "engine/run/watchdog.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "engine/console/exit_status.hpp"
#include "engine/parallel/heartbeat.hpp"

namespace dfsweep {
namespace {

/// Launchers send signals to all ranks. Rank 0 prints and aborts all ranks before the others do, so only one message
/// appears.
constexpr double rank_0_head_start = 0.2;

}  // namespace

Watchdog::Watchdog(const Stop& stop, Communicator& communicator, Limits limits,
                   std::function<std::string()> final_message)
    : stop_(stop),
      communicator_(communicator),
      limits_(limits),
      final_message_(std::move(final_message)),
      heartbeat_([this] { check(); }) {}

void Watchdog::check() {
  if (stop_.urgency() < limits_.least) return;
  if (requested_at_ < 0.0) requested_at_ = steady_seconds();
  const double timeout = limits_.timeout.count() + (communicator_.rank() == 0 ? 0.0 : rank_0_head_start);
  if (steady_seconds() - requested_at_ < timeout) return;
  std::fputs(final_message_().c_str(), stderr);
  std::fflush(stderr);
  constexpr auto status = static_cast<int>(ExitStatus::stopped);
  if (communicator_.size() == 1) std::_Exit(status);
  communicator_.abort(status);
}

std::string stopped_while_preparing(StopReason reason, const std::string& resume) {
  return fmt::format(
      "dfsweep: stopped early ({}) while the sweep was prepared: no block was evaluated by this run\n"
      "{}To resume: {}\n",
      to_string(reason),
      reason == StopReason::time_limit ? "The time limit is shorter than the preparation: give more time\n" : "",
      resume);
}

}  // namespace dfsweep
