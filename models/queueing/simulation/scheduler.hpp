/// The scheduler of an engine: which requests start, which prompts a step reads, and what a step leaves behind. It
/// knows no times of steps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/queueing/deployment.hpp"
#include "models/queueing/simulation/rank.hpp"
#include "models/queueing/simulation/requests.hpp"
#include "models/queueing/step_load.hpp"

namespace dfsweep::queueing {

/// What a pool of servers does to a request.
enum class Stage {
  both,     ///< reads the prompt and decodes the answer
  prompts,  ///< reads the prompt and hands it over
  answers,  ///< decodes the whole answer of a prompt that was read elsewhere
};

/// What the last step brought.
struct StepOutcome {
  std::vector<std::uint32_t> first_tokens;  ///< requests whose prompt ended, or whose first decode step did
  std::vector<std::uint32_t> finished;      ///< requests that leave, in the order in which they were sent
};

class Scheduler {
 public:
  Scheduler(const Deployment& deployment, Stage stage, double largest_output, std::uint32_t shared_tokens,
            Slots<ActiveRequest>& requests, Slots<Session>& sessions);

  [[nodiscard]] std::uint64_t receive_interval() const { return receive_interval_; }
  [[nodiscard]] std::uint32_t replica_of(std::uint32_t rank) const { return rank / width_; }
  [[nodiscard]] std::span<const Rank> ranks_of(std::uint32_t replica) const;
  [[nodiscard]] const Replica& replica(std::uint32_t index) const { return replicas_[index]; }
  /// Whether the request fits the cache of a rank that is empty.
  [[nodiscard]] bool fits_alone(std::uint32_t slot) const;
  /// The rank for a request of this session: the one that keeps its tokens, else the one with the fewest requests in
  /// the replica with the fewest.
  [[nodiscard]] std::uint32_t route(std::uint32_t session) const;
  /// Puts the request into the inbox of its rank. Pre: its rank is set.
  void receive(std::uint32_t slot);
  /// Starts what the rules let start before the next step of the replica, at the time `now`.
  void prepare_step(std::uint32_t replica, double now);
  /// Whether the next step has something to do.
  [[nodiscard]] bool has_work(std::uint32_t replica) const;
  /// How many steps like the next one follow each other at most.
  [[nodiscard]] std::uint64_t equal_steps(std::uint32_t replica);
  /// Whether a request that was just received changes what the replica does where it next looks for requests.
  [[nodiscard]] bool may_start(std::uint32_t slot) const;
  /// What rank `rank` of the replica decodes and reads in the next step, or in a step `ahead` of it.
  [[nodiscard]] StepLoad decode_load(const Replica& replica, const Rank& rank, double ahead) const;
  [[nodiscard]] StepLoad prompt_load(const Rank& rank) const;
  [[nodiscard]] bool decodes(const Replica& replica) const { return !(replica.reads && prompts_alone_); }
  /// Books `steps` steps of the replica.
  void finish_steps(std::uint32_t replica, std::uint64_t steps, StepOutcome& outcome);
  /// Keeps the tokens of a session on the rank of its last request.
  void keep(std::uint32_t session);
  /// Drops them, wherever they are.
  void forget(std::uint32_t session);
  /// Tokens in use by running requests of a rank, shared ones not counted.
  [[nodiscard]] double tokens_in_use(const Replica& replica, const Rank& rank) const;
  [[nodiscard]] std::uint64_t preemptions() const { return preemptions_; }
  [[nodiscard]] std::uint64_t reused_tokens() const { return reused_tokens_; }

 private:
  [[nodiscard]] std::span<Rank> ranks(std::uint32_t replica);
  [[nodiscard]] std::uint32_t shared_of(const ActiveRequest& request) const;
  [[nodiscard]] std::uint32_t kept_by(const Session& session) const;
  [[nodiscard]] std::uint32_t own_tokens(const ActiveRequest& request) const;
  [[nodiscard]] std::uint32_t answer_room(const ActiveRequest& request) const;
  [[nodiscard]] double grown_tokens(const Replica& replica, const Rank& rank) const;
  [[nodiscard]] double used_tokens(const Replica& replica, const Rank& rank) const;
  void wait(Rank& rank, std::uint32_t slot);
  void look(Replica& replica, std::span<Rank> ranks);
  [[nodiscard]] std::uint64_t longest_hold() const;
  [[nodiscard]] bool holds_back(const Replica& replica, std::span<const Rank> ranks) const;
  [[nodiscard]] bool make_room(Replica& replica, Rank& rank);
  void put_back(Replica& replica, Rank& rank, std::uint32_t slot);
  void drop_kept(Rank& rank, double room);
  [[nodiscard]] bool start(const Replica& replica, Rank& rank, double now);
  void take_prompts(Replica& replica, Rank& rank, double now);
  void join(const Replica& replica, Rank& rank, std::uint32_t slot);
  void leave(Replica& replica, Rank& rank, std::uint32_t slot, StepOutcome& outcome);
  void release(Rank& rank, const ActiveRequest& request);
  void stop_decoding(Rank& rank, std::uint32_t slot);
  void finish_decodes(Replica& replica, Rank& rank, StepOutcome& outcome);
  void finish_parts(Replica& replica, Rank& rank, StepOutcome& outcome);

  EngineRules rules_;
  Stage stage_;
  bool prompts_alone_;
  double tokens_per_step_;
  double largest_output_;
  double room_;       ///< tokens of a rank for requests
  double host_room_;  ///< of its second tier
  std::uint32_t shared_tokens_;
  std::uint64_t receive_interval_;  ///< prompts that are handed over do not pass the front: 1
  std::uint32_t width_;
  Slots<ActiveRequest>& slots_;
  Slots<Session>& sessions_;
  std::vector<Rank> ranks_;
  std::vector<Replica> replicas_;
  std::uint64_t preemptions_ = 0;
  std::uint64_t reused_tokens_ = 0;
};

}  // namespace dfsweep::queueing
