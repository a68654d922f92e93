#include "engine/run/watchdog.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "engine/console/exit_status.hpp"
#include "engine/parallel/heartbeat.hpp"

namespace dfsweep {
namespace {

/// Launchers send a signal to all ranks: rank 0 speaks first, and its words are the only ones.
constexpr double head_start_of_rank_0 = 0.2;

}  // namespace

Watchdog::Watchdog(const Stop& stop, Communicator& communicator, Limits limits, std::function<std::string()> last_words)
    : stop_(stop), communicator_(communicator), limits_(limits), last_words_(std::move(last_words)), heartbeat_([this] {
        look();
      }) {}

void Watchdog::look() {
  if (stop_.urgency() < limits_.least) return;
  if (requested_at_ < 0.0) requested_at_ = steady_seconds();
  const double patience = limits_.patience.count() + (communicator_.rank() == 0 ? 0.0 : head_start_of_rank_0);
  if (steady_seconds() - requested_at_ < patience) return;
  std::fputs(last_words_().c_str(), stderr);
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
