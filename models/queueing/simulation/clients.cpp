#include "models/queueing/simulation/clients.hpp"

#include <algorithm>
#include <optional>

#include "models/queueing/engine_rules.hpp"

namespace dfsweep::queueing {

void Clients::open_next() {
  const std::optional<NewSession> next = feed_.next();
  if (!next) return;
  const std::uint32_t session = sessions_.take();
  sessions_[session] = {.left = next->requests, .prompt = next->prompt, .output = next->output};
  events_.add(next->time, EventKind::open, session);
}

void Clients::open(std::uint32_t session, double now) {
  send(session, now);
  open_next();
}

void Clients::send(std::uint32_t session, double now) {
  Session& sender = sessions_[session];
  --sender.left;
  const RequestLengths lengths =
      sender.prompt > 0 ? RequestLengths{sender.prompt, sender.output} : feed_.lengths(sent_);
  const std::uint32_t slot = requests_.take();
  ActiveRequest& request = requests_[slot];
  request = {.request = sent_++,
             .sent = now,
             .session = session,
             .prompt = lengths.prompt,
             .carried = sender.context,
             .output = lengths.output,
             .version = request.version};
  double& front_free = front_free_[request.request % front_free_.size()];
  front_free = std::max(front_free, now) + times_.serial.value();
  const double tokens = static_cast<double>(lengths.prompt) + sender.context;
  request.received = front_free + 0.5 * times_.fixed.value() + times_.per_token.value() * tokens;
  events_.add(request.received, EventKind::receive, slot);
}

void Clients::first_token(std::uint32_t slot, double now, double lag) {
  ActiveRequest& request = requests_[slot];
  if (request.first_token >= 0.0) return;
  request.first_token = now + 0.5 * times_.fixed.value();
  request.lag = lag;
}

RequestRecord Clients::finish(std::uint32_t slot, double now) {
  const ActiveRequest& request = requests_[slot];
  const double at_client = now + 0.5 * times_.fixed.value();
  const double lag = kept_lag(request.lag, at_client - request.first_token, request.output);
  const RequestRecord record{.request = request.request,
                             .sent = request.sent,
                             .received = request.received,
                             .started = request.started,
                             .first_token = request.first_token + lag,
                             .finished = at_client,
                             .prompt_tokens = request.prompt,
                             .output_tokens = request.output,
                             .rank = request.rank};
  tallies_.add(record);
  return record;
}

bool Clients::go_on(std::uint32_t slot, double at_client) {
  const ActiveRequest& request = requests_[slot];
  const std::uint32_t session = request.session;
  Session& sender = sessions_[session];
  sender.context = request.carried + request.prompt + request.output;
  sender.rank = request.rank;
  if (++sender.turn == feed_.turns()) {
    sender.turn = 0;
    sender.context = 0;
  }
  requests_.give_back(slot);
  if (sender.left == 0) {
    sessions_.give_back(session);
    return false;
  }
  events_.add(at_client + feed_.think(), EventKind::send, session);
  return sender.turn > 0;
}

}  // namespace dfsweep::queueing
