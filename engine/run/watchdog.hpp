/// Watchdog: prints a message and ends the process if it does not obey a stop request in time.
#pragma once

#include <functional>
#include <string>

#include "engine/parallel/communicator.hpp"
#include "engine/parallel/heartbeat.hpp"
#include "engine/run/stop.hpp"

namespace dfsweep {

/// Needed because a thread that computes an expensive point, or waits for a slow disk, does not check Stop.
class Watchdog {
 public:
  struct Limits {
    Urgency least = Urgency::at_once;  ///< less urgent requests are left to the main loop
    Stop::Seconds timeout{0.7};        ///< time from the request to the end of the process
  };
  /// `final_message` is called by the watchdog's thread; its text goes to standard error. Exit status: stopped. With
  /// several ranks it aborts all of them. Pre: the arguments outlive the watchdog.
  Watchdog(const Stop& stop, Communicator& communicator, Limits limits, std::function<std::string()> final_message);

 private:
  void check();

  const Stop& stop_;
  Communicator& communicator_;
  Limits limits_;
  std::function<std::string()> final_message_;
  double requested_at_ = -1.0;  ///< used by the heartbeat thread only; negative: no request
  Heartbeat heartbeat_;         ///< last member, so that it is destroyed first
};

/// Final message of a run that is stopped before it evaluates a block.
[[nodiscard]] std::string stopped_while_preparing(StopReason reason, const std::string& resume);

}  // namespace dfsweep
