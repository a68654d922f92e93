/// The clients of a simulation: sessions that send, the way to the engine and back, and the record of each request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/queueing/deployment.hpp"
#include "models/queueing/simulation/event_queue.hpp"
#include "models/queueing/simulation/request_feed.hpp"
#include "models/queueing/simulation/requests.hpp"
#include "models/queueing/simulation/tallies.hpp"

namespace dfsweep::queueing {

class Clients {
 public:
  /// `fronts`: of the replicas that read prompts; requests take turns.
  Clients(RequestFeed& feed, const ClientTimes& times, std::size_t fronts)
      : feed_(feed), times_(times), front_free_(fronts, 0.0) {
    open_next();
  }

  [[nodiscard]] EventQueue& events() { return events_; }
  [[nodiscard]] Slots<ActiveRequest>& requests() { return requests_; }
  [[nodiscard]] Slots<Session>& sessions() { return sessions_; }
  [[nodiscard]] Tallies& tallies() { return tallies_; }

  /// A new session sends, and the one after it is put among the events.
  void open(std::uint32_t session, double now);
  /// Sends the next request of the session; it becomes an event when it reaches the engine.
  void send(std::uint32_t session, double now);
  /// The first token of the request leaves the engine. `lag`: s more until it does.
  void first_token(std::uint32_t slot, double now, double lag);
  /// The last token leaves the engine at `now`.
  [[nodiscard]] RequestRecord finish(std::uint32_t slot, double now);
  /// Goes on after a request that finished or was refused: its slot is free, its session sends again at its time.
  /// Whether the session keeps tokens for its next turn, in `context`.
  bool go_on(std::uint32_t slot, double at_client);

 private:
  void open_next();

  RequestFeed& feed_;
  ClientTimes times_;
  EventQueue events_;
  Slots<ActiveRequest> requests_;
  Slots<Session> sessions_;
  Tallies tallies_;
  std::uint64_t sent_ = 0;
  std::vector<double> front_free_;  ///< when each front is free
};

}  // namespace dfsweep::queueing
