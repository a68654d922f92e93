#include "models/queueing/simulation/tallies.hpp"

#include <algorithm>

namespace dfsweep::queueing {

void Tallies::add(const RequestRecord& record) {
  first_token_.add(record.first_token - record.sent);
  latency_.add(record.finished - record.sent);
  waiting_.add(record.started - record.received);
  if (record.output_tokens > 1) token_time_.add((record.finished - record.first_token) / (record.output_tokens - 1.0));
  makespan_ = std::max(makespan_, record.finished);
  prompt_tokens_ += record.prompt_tokens;
  output_tokens_ += record.output_tokens;
}

SimulatedLoad Tallies::summary() {
  SimulatedLoad load;
  load.first_token = first_token_.summary();
  load.token_time = token_time_.summary();
  load.latency = latency_.summary();
  load.waiting_time = waiting_.summary();
  load.requests = latency_.count();
  load.refused = refused_;
  load.makespan = makespan_;
  if (makespan_ <= 0.0) return load;
  load.request_rate = static_cast<double>(load.requests) / makespan_;
  load.prompt_token_rate = prompt_tokens_ / makespan_;
  load.output_token_rate = output_tokens_ / makespan_;
  load.users = latency_.sum() / makespan_;
  return load;
}

}  // namespace dfsweep::queueing
