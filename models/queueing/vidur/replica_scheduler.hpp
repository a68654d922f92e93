/// ReplicaScheduler: the waiting and the running requests of one replica, and the rules by which it forms batches.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "models/queueing/vidur/batch.hpp"
#include "models/queueing/vidur/block_pool.hpp"
#include "models/queueing/vidur/waiting_line.hpp"

namespace dfsweep::vidur {

/// Forms batches by the rules of one scheduler. A batch is a list of requests; how many tokens each of them has in it
/// is RequestState::batch_tokens. Source: [vidur] replica_scheduler/
class ReplicaScheduler {
 public:
  /// Pre: `requests` and `times`, one of each per request, outlive the object.
  ReplicaScheduler(const Rules& rules, std::span<RequestState> requests, std::span<RequestTimes> times);

  void arrive(RequestIndex request) {
    if (waiting_.empty()) is_steady_ = is_steady_ && arrivals_wait_;
    waiting_.push_back(request);
  }
  /// The next batch into `batch`, which is empty where none can be formed; returns its sums.
  BatchSums form(std::vector<RequestIndex>& batch, double now);
  /// Ends a batch: its requests receive their tokens.
  void finish(const std::vector<RequestIndex>& batch, double now);

  [[nodiscard]] std::uint32_t waiting() const { return waiting_.size(); }
  [[nodiscard]] const BlockPool& pool() const { return pool_; }
  [[nodiscard]] std::uint64_t restarts() const { return restarts_; }
  /// Whether nothing waits and no memory is held.
  [[nodiscard]] bool is_empty() const { return waiting_.empty() && pool_.entries() == 0; }
  /// Whether a step needed more blocks than there are (Ending::out_of_blocks).
  [[nodiscard]] bool is_out_of_blocks() const { return is_out_of_blocks_; }

  /// The number of next calls of finish() and form() which only give every request of the last batch one more token, as
  /// long as nothing arrives and free_for() holds. 0: unknown. Pre: this batch is in flight and the only one.
  [[nodiscard]] std::uint32_t steady_steps() const;
  /// Whether form() can give `more` blocks in a steady step with `used` blocks in use.
  [[nodiscard]] bool free_for(std::uint64_t used, std::uint32_t more) const {
    return !grows_ || used + more < pool_.blocks();
  }
  /// Whether requests receive blocks while they decode.
  [[nodiscard]] bool grows() const { return grows_; }
  /// The effect of `steps` steady steps.
  void advance(const std::vector<RequestIndex>& batch, std::uint32_t steps);

 private:
  void finish_static(const std::vector<RequestIndex>& batch, double now);
  void form_vllm(std::vector<RequestIndex>& batch);
  void form_sarathi(std::vector<RequestIndex>& batch);
  void form_orca(std::vector<RequestIndex>& batch);
  void form_fastertransformer(std::vector<RequestIndex>& batch);
  void form_lightllm(std::vector<RequestIndex>& batch);

  void add(std::vector<RequestIndex>& batch, RequestIndex request, std::uint32_t tokens) {
    RequestState& r = requests_[request];
    r.batch_tokens = tokens;
    batch.push_back(request);
    sums_.add(r);
    fewest_left_ = std::min(fewest_left_, r.total - r.processed);
  }
  /// Adds running requests from idle_[first] on with one token each, up to the limit and to the first one within its
  /// prompt; none where memory could run out on the way. Returns the place of the next one.
  std::size_t take_decodes(std::vector<RequestIndex>& batch, std::size_t first);
  /// Adds the first waiting request, which receives `blocks`.
  void admit(std::vector<RequestIndex>& batch, std::uint32_t blocks, std::uint32_t tokens);
  /// Restarts a request: its blocks become free, and it waits before all others.
  void preempt(RequestIndex request);
  /// Frees a block for a running request by restarting others, last first; the running requests from `taken` on are
  /// the candidates. False where the request had to be restarted itself.
  bool make_room(RequestIndex request, std::size_t taken);
  void sort_idle_by_arrival();
  /// Adds waiting requests with their whole prompts while memory for requests of the longest length is free.
  void reserve_and_add(std::vector<RequestIndex>& batch);
  void add_prompts_that_fit(std::vector<RequestIndex>& batch);
  [[nodiscard]] bool fits_to_the_end(const RequestState& request);

  Rules rules_;
  std::span<RequestState> requests_;
  std::span<RequestTimes> times_;
  BlockPool pool_;
  WaitingLine waiting_;
  std::vector<RequestIndex> idle_;  ///< running requests that are in no batch
  std::uint32_t most_requests_;     ///< requests in one batch
  bool grows_;
  bool arrivals_wait_;      ///< an arrival in an empty queue cannot change the next batch by itself
  bool is_steady_ = false;  ///< the last form() met nothing that another one would decide in another way
  bool is_out_of_blocks_ = false;
  std::uint64_t restarts_ = 0;
  BatchSums sums_;                 ///< of the last batch
  std::uint32_t fewest_left_ = 0;  ///< tokens until the first completion in the last batch
  double now_ = 0.0;               ///< during form()

  std::vector<RequestIndex> chunked_;  ///< sarathi: requests within their prompts, during form()

  std::vector<std::vector<RequestIndex>> unfinished_;  ///< fastertransformer: batches to go on with, a ring
  std::size_t first_unfinished_ = 0;
  std::size_t unfinished_count_ = 0;

  struct Need {
    std::uint64_t now = 0;    ///< tokens in the cache
    std::uint64_t later = 0;  ///< tokens still to come
  };
  void add_need(const Need& need);
  std::vector<Need> needs_;      ///< lightllm: of running and added requests, during form()
  std::uint64_t all_needs_ = 0;  ///< tokens of them all, now and later
  std::uint32_t steps_ = 0;      ///< lightllm: since the last batch of prompts
};

}  // namespace dfsweep::vidur
