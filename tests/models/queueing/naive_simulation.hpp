/// The rules of docs/models/queueing.md step by step, with whole lists walked at every step: slow, simple, and written
/// apart from the simulation that it checks. Closed users without turns.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "models/queueing/deployment.hpp"
#include "models/queueing/lengths.hpp"
#include "models/queueing/simulation/tallies.hpp"
#include "models/queueing/step_load.hpp"
#include "models/queueing/workload.hpp"
#include "tests/models/queueing/naive_state.hpp"

namespace dfsweep::testing {

template <queueing::Steps S>
class NaiveSimulation {
 public:
  NaiveSimulation(const queueing::Deployment& deployment, const queueing::Workload& workload, const S& steps)
      : deployment_(deployment),
        rules_(deployment.rules),
        workload_(workload),
        steps_(steps),
        ranks_(deployment.replicas * deployment.attention_ranks),
        replicas_(deployment.replicas) {}

  std::vector<queueing::RequestRecord> run() {
    const auto users = static_cast<std::size_t>(workload_.arrivals.users);
    for (std::size_t user = 0; user < users; ++user) sends_.push_back({0.0, user});
    left_.assign(users, static_cast<int>(workload_.arrivals.requests_per_user));
    while (true) {
      const double now = next_time();
      if (now == infinity) return records_;
      // Until nothing more happens at this time.
      while (send(now) || receive(now) || end_steps(now)) {
      }
      for (std::size_t r = 0; r < replicas_.size(); ++r) begin_step(r, now);
    }
  }
  [[nodiscard]] int preemptions() const { return preemptions_; }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  double next_time() const {
    double next = infinity;
    for (const NaiveSend& s : sends_) next = std::min(next, s.time);
    for (const NaiveRequest& q : requests_) next = q.arrived ? next : std::min(next, q.arrives);
    for (const NaiveReplica& r : replicas_) next = std::min(next, r.end);
    return next;
  }

  bool send(double now) {
    const auto first = std::min_element(sends_.begin(), sends_.end(),
                                        [](const NaiveSend& a, const NaiveSend& b) { return a.time < b.time; });
    if (first == sends_.end() || first->time > now) return false;
    const std::uint64_t id = requests_.size();
    double& front = fronts_[id % deployment_.replicas];
    front = std::max(front, now) + deployment_.client.serial.value();
    requests_.push_back(naive_request(workload_, deployment_.client, id, first->user, now, front));
    sends_.erase(first);
    --left_[requests_.back().user];
    return true;
  }

  std::size_t load_of(std::size_t rank) const {
    return ranks_[rank].inbox.size() + ranks_[rank].waiting.size() + ranks_[rank].running.size();
  }

  bool receive(double now) {
    std::size_t next = requests_.size();
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      const NaiveRequest& q = requests_[i];
      if (!q.arrived && q.arrives <= now && (next == requests_.size() || q.arrives < requests_[next].arrives)) next = i;
    }
    if (next == requests_.size()) return false;
    const std::size_t width = deployment_.attention_ranks;
    std::size_t best = 0;
    std::size_t fewest = SIZE_MAX;
    for (std::size_t r = 0; r < replicas_.size(); ++r) {
      std::size_t all = 0;
      for (std::size_t a = 0; a < width; ++a) all += load_of(r * width + a);
      if (all < fewest) best = r, fewest = all;
    }
    std::size_t rank = best * width;
    for (std::size_t a = 1; a < width; ++a) {
      if (load_of(best * width + a) < load_of(rank)) rank = best * width + a;
    }
    requests_[next].arrived = true;
    requests_[next].rank = rank;
    requests_[next].record.replica = static_cast<std::uint32_t>(best);
    requests_[next].record.rank = static_cast<std::uint32_t>(rank - best * width);
    ranks_[rank].inbox.push_back(next);
    return true;
  }

  double decode_time(std::size_t r) const {
    bool any = false;
    queueing::StepLoad all;
    Seconds slowest;
    for (std::size_t a = 0; a < deployment_.attention_ranks; ++a) {
      const queueing::StepLoad load = decode_load(ranks_[r * deployment_.attention_ranks + a]);
      any = any || load.sequences > 0.0;
      slowest = std::max(slowest, steps_.rank_time(load));
      all = all + load;
    }
    return any ? steps_.step_time(slowest, all).value() : 0.0;
  }

  queueing::StepLoad decode_load(const NaiveRank& rank) const {
    queueing::StepLoad load;
    for (const std::size_t i : rank.running)
      if (requests_[i].decodes) load = load + queueing::StepLoad{0.0, 0.0, 0.0, 1.0, requests_[i].to_read()};
    return load;
  }

  void finish(std::size_t i, double now) {
    NaiveRequest& q = requests_[i];
    std::erase(ranks_[q.rank].running, i);
    q.record.finished = now + 0.5 * deployment_.client.fixed.value();
    q.record.first_token += queueing::kept_lag(q.lag, q.record.finished - q.record.first_token, q.record.output_tokens);
    records_.push_back(q.record);
    if (left_[q.user] > 0) sends_.push_back({q.record.finished + workload_.think.value(), q.user});
  }

  bool end_steps(double now) {
    for (std::size_t r = 0; r < replicas_.size(); ++r) {
      if (replicas_[r].end <= now) {
        end_step(r, now);
        return true;
      }
    }
    return false;
  }

  void end_step(std::size_t r, double now) {
    NaiveReplica& replica = replicas_[r];
    replica.steps = false;
    replica.end = infinity;
    bool reads = false;
    std::vector<std::size_t> first, done;
    for (std::size_t a = 0; a < deployment_.attention_ranks; ++a) {
      NaiveRank& rank = ranks_[r * deployment_.attention_ranks + a];
      if (replica.decodes) {
        for (const std::size_t i : rank.running) {
          NaiveRequest& q = requests_[i];
          if (q.decodes) q.generated += deployment_.tokens_per_step;
          if (q.decodes && q.generated >= q.record.output_tokens - 1e-9) done.push_back(i);
        }
      }
      for (const NaivePart& part : rank.parts) {
        reads = true;
        NaiveRequest& q = requests_[part.request];
        q.read += part.tokens;
        if (q.read < q.to_read()) continue;
        q.generated += 1.0;
        q.decodes = true;
        first.push_back(part.request);
        std::erase(rank.running, part.request);
        rank.running.push_back(part.request);
        if (q.generated == q.record.output_tokens) done.push_back(part.request);
      }
      rank.parts.clear();
    }
    for (const std::size_t i : done) requests_[i].decodes = false;
    const double lag = rules_.lag_steps * decode_time(r);
    for (const std::size_t i : first) {
      double& token = requests_[i].record.first_token;
      if (token >= 0.0) continue;
      token = now + 0.5 * deployment_.client.fixed.value();
      requests_[i].lag = lag;
    }
    std::sort(done.begin(), done.end());
    for (const std::size_t i : done) finish(i, now);
    const int interval = static_cast<int>(rules_.receive_interval_steps);
    replica.since_look = reads ? 0 : (replica.since_look + 1) % interval;
    if (replica.holds) ++replica.held;
  }

  /// Tokens that count, of what runs; a request that runs counts the tokens that it started with.
  double used(const NaiveRank& rank) const {
    double tokens = 0.0;
    for (const std::size_t i : rank.running) {
      const NaiveRequest& q = requests_[i];
      if (rules_.cache == queueing::CacheRule::recompute) {
        // The token of the prompt's step is written with the first decode step.
        tokens += q.to_read() - (q.decodes ? 1.0 : 0.0);
      } else {
        const NaiveRequest fresh{.record = q.record};
        tokens += q.record.prompt_tokens + naive_promise(rules_, workload_, fresh);
      }
    }
    return tokens;
  }

  bool make_room(NaiveRank& rank) {
    if (rules_.cache != queueing::CacheRule::recompute) return true;
    bool enough = true;
    while (true) {
      double sequences = 0.0;
      for (const std::size_t i : rank.running) sequences += requests_[i].decodes ? 1.0 : 0.0;
      if (sequences == 0.0 || rank.running.size() < 2 || used(rank) + sequences <= deployment_.cache_tokens)
        return enough;
      enough = false;
      ++preemptions_;
      // A prompt that is being read, else the sequence that began to decode last.
      auto youngest =
          std::find_if(rank.running.begin(), rank.running.end(), [&](std::size_t i) { return !requests_[i].decodes; });
      if (youngest == rank.running.end()) --youngest;
      const std::size_t i = *youngest;
      rank.running.erase(youngest);
      NaiveRequest& q = requests_[i];
      q.read = 0.0;
      q.decodes = false;
      rank.waiting.insert(rank.waiting.begin(), i);
    }
  }

  bool hold_back(std::size_t r) const {
    const std::size_t width = deployment_.attention_ranks;
    const bool for_ranks = width > 1 && rules_.rank_wait_steps > 0.0;
    if (replicas_[r].held >= (for_ranks ? rules_.rank_wait_steps : rules_.batch_wait_steps)) return false;
    std::size_t with_prompts = 0;
    double sequences = 0.0;
    double most = 0.0;
    for (std::size_t a = 0; a < width; ++a) {
      const NaiveRank& rank = ranks_[r * width + a];
      sequences += decode_load(rank).sequences;
      with_prompts += rank.waiting.empty() ? 0 : 1;
      double tokens = 0.0;
      for (const std::size_t i : rank.waiting) tokens += requests_[i].record.prompt_tokens;
      most = std::max(most, tokens);
    }
    if (sequences == 0.0 || with_prompts == 0) return false;
    return for_ranks ? with_prompts < width : most < rules_.batch_wait_share * rules_.chunk_tokens;
  }

  void take_prompts(NaiveRank& rank, double now) {
    const bool alone = rules_.prompts == queueing::PromptRule::alone;
    const bool whole = rules_.prompts == queueing::PromptRule::whole;
    double budget = std::max(1.0, rules_.chunk_tokens - (alone ? 0.0 : decode_load(rank).sequences));
    const auto read = [&](std::size_t i) {
      const double rest = requests_[i].to_read() - requests_[i].read;
      const double tokens = whole ? rest : std::min(rest, budget);
      rank.parts.push_back({i, tokens});
      budget -= tokens;
    };
    for (const std::size_t i : rank.running) {
      if (!requests_[i].decodes) read(i);
    }
    while (!rank.waiting.empty() && budget >= 1.0) {
      const std::size_t i = rank.waiting.front();
      NaiveRequest& q = requests_[i];
      if (whole && !rank.parts.empty() && q.to_read() > budget) return;
      if (static_cast<double>(rank.running.size()) >= rules_.running_limit) return;
      if (!rank.running.empty() &&
          used(rank) + q.to_read() + naive_promise(rules_, workload_, q) > deployment_.cache_tokens)
        return;
      rank.waiting.erase(rank.waiting.begin());
      rank.running.push_back(i);
      if (q.record.started < 0.0) q.record.started = now;
      read(i);
    }
  }

  void begin_step(std::size_t r, double now) {
    NaiveReplica& replica = replicas_[r];
    if (replica.steps) return;
    const std::size_t width = deployment_.attention_ranks;
    bool idle = true;
    for (std::size_t a = 0; a < width; ++a) idle = idle && ranks_[r * width + a].running.empty();
    if (idle) replica.since_look = 0;
    if (replica.since_look == 0) {
      for (std::size_t a = 0; a < width; ++a) {
        NaiveRank& rank = ranks_[r * width + a];
        rank.waiting.insert(rank.waiting.end(), rank.inbox.begin(), rank.inbox.end());
        rank.inbox.clear();
      }
    }
    replica.holds = hold_back(r);
    bool reads = false;
    for (std::size_t a = 0; a < width; ++a) {
      NaiveRank& rank = ranks_[r * width + a];
      if (make_room(rank) && !replica.holds) take_prompts(rank, now);
      reads = reads || !rank.parts.empty();
    }
    bool waits = false;
    for (std::size_t a = 0; a < width; ++a) waits = waits || !ranks_[r * width + a].waiting.empty();
    if (reads || !waits) replica.held = 0;
    replica.decodes = !(reads && rules_.prompts == queueing::PromptRule::alone);
    queueing::StepLoad all;
    Seconds slowest;
    for (std::size_t a = 0; a < width; ++a) {
      const NaiveRank& rank = ranks_[r * width + a];
      queueing::StepLoad load = replica.decodes ? decode_load(rank) : queueing::StepLoad{};
      for (const NaivePart& part : rank.parts) {
        load = load + naive_load(requests_[part.request], part.tokens);
      }
      slowest = std::max(slowest, steps_.rank_time(load));
      all = all + load;
    }
    if (!reads && all.sequences == 0.0) return;
    replica.steps = true;
    replica.end = now + steps_.step_time(slowest, all).value();
  }

  const queueing::Deployment& deployment_;
  const queueing::EngineRules& rules_;
  const queueing::Workload& workload_;
  const S& steps_;
  std::vector<NaiveRank> ranks_;
  std::vector<NaiveReplica> replicas_;
  std::vector<NaiveRequest> requests_;
  std::vector<NaiveSend> sends_;
  std::vector<int> left_;
  std::vector<queueing::RequestRecord> records_;
  std::vector<double> fronts_ = std::vector<double>(deployment_.replicas, 0.0);
  int preemptions_ = 0;
};

}  // namespace dfsweep::testing
