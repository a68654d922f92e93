/// What the naive simulation keeps of requests, ranks and replicas.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "models/queueing/engine_rules.hpp"
#include "models/queueing/lengths.hpp"
#include "models/queueing/simulation/tallies.hpp"
#include "models/queueing/step_load.hpp"
#include "models/queueing/workload.hpp"
#include "models/statistics/random.hpp"

namespace dfsweep::testing {

struct NaiveRequest {
  double lag = 0.0;  ///< of the first token, at most
  queueing::RequestRecord record;
  std::size_t user = 0;
  double arrives = 0.0;
  bool arrived = false;
  std::size_t rank = 0;
  double read = 0.0;
  double generated = 0.0;
  bool decodes = false;
  [[nodiscard]] double to_read() const { return record.prompt_tokens + generated; }
};
struct NaiveSend {
  double time;
  std::size_t user;
};
struct NaivePart {
  std::size_t request;
  double tokens;
};
struct NaiveRank {
  std::vector<std::size_t> inbox, waiting, running;  // running: in the order of starting to read or decode
  std::vector<NaivePart> parts;
};
struct NaiveReplica {
  bool steps = false;
  bool decodes = false;
  bool holds = false;
  double end = std::numeric_limits<double>::infinity();
  int since_look = 0;
  int held = 0;
};

/// Request `id` of a workload, sent at `now`, which leaves the serial front at `front`.
inline NaiveRequest naive_request(const queueing::Workload& workload, const queueing::ClientTimes& client,
                                  std::uint64_t id, std::size_t user, double now, double front) {
  const CounterRandom random(random_bits(workload.seed, 0));
  NaiveRequest q;
  q.user = user;
  q.record.request = id;
  q.record.sent = now;
  q.record.started = -1.0;
  q.record.first_token = -1.0;
  q.record.prompt_tokens = queueing::LengthSampler(workload.prompt).at(random, 2 * id);
  q.record.output_tokens = queueing::LengthSampler(workload.output).at(random, 2 * id + 1);
  q.arrives = front + 0.5 * client.fixed.value() + client.per_token.value() * q.record.prompt_tokens;
  q.record.received = q.arrives;
  return q;
}

/// What a step has to do to read the next tokens of a prompt.
inline queueing::StepLoad naive_load(const NaiveRequest& q, double tokens) {
  queueing::StepLoad load{.prompt_tokens = tokens};
  for (double k = 1.0; k <= tokens; k += 1.0) load.prompt_pairs += q.read + k;
  load.prompts = q.read + tokens >= q.to_read() ? 1.0 : 0.0;
  return load;
}

/// Tokens that an engine keeps free for what is left of the answer.
inline double naive_promise(const queueing::EngineRules& rules, const queueing::Workload& workload,
                            const NaiveRequest& q) {
  const double largest = std::floor(queueing::moments_of(workload.output).largest + 0.5);
  const double left = q.record.output_tokens - q.generated;
  return std::ceil(rules.answers == queueing::AnswerRule::share
                       ? rules.answer_share * left
                       : std::max(rules.answer_share * largest - q.generated, left));
}

}  // namespace dfsweep::testing
