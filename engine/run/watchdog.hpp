/// Watchdog: ends the process, with a word about it, where a request to stop cannot be obeyed in time.
#pragma once

#include <functional>
#include <string>

#include "engine/parallel/communicator.hpp"
#include "engine/parallel/heartbeat.hpp"
#include "engine/run/stop.hpp"

namespace dfsweep {

/// A thread that computes one expensive point, or that waits for a slow disk, does not look at Stop.
class Watchdog {
 public:
  struct Limits {
    Urgency least = Urgency::at_once;  ///< requests that are less urgent are left to the main loop
    Stop::Seconds patience{0.7};       ///< from the request to the end of the process
  };
  /// `last_words` is called by a thread of its own and printed on standard error. Exit status: stopped. As one of many
  /// ranks it ends all of them. Pre: the arguments outlive the watchdog.
  Watchdog(const Stop& stop, Communicator& communicator, Limits limits, std::function<std::string()> last_words);

 private:
  void look();

  const Stop& stop_;
  Communicator& communicator_;
  Limits limits_;
  std::function<std::string()> last_words_;
  double requested_at_ = -1.0;  ///< of the heartbeat alone; negative: no request
  Heartbeat heartbeat_;         ///< last, so that it ends first
};

/// The last words before any block was evaluated.
[[nodiscard]] std::string stopped_while_preparing(StopReason reason, const std::string& resume);

}  // namespace dfsweep
