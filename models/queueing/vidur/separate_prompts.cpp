/// The schedulers whose batches hold either whole prompts or decodes: vllm and lightllm.
#include <algorithm>

#include "models/queueing/vidur/replica_scheduler.hpp"

namespace dfsweep::vidur {

/// Prompts while they fit, where a batch is charged as if all its prompts had the longest length; otherwise decodes in
/// the order of arrival. Source: [vidur] vllm_replica_scheduler.py
void ReplicaScheduler::form_vllm(std::vector<RequestIndex>& batch) {
  std::uint64_t longest = 0;
  while (!waiting_.empty()) {
    const RequestState& r = requests_[waiting_.front()];
    const std::uint64_t padded = std::max<std::uint64_t>(longest, r.prompt);
    if (!pool_.admits(r) || (batch.size() + 1) * padded > rules_.prompt_tokens) break;
    if (pool_.entries() >= rules_.batch_limit || batch.size() == most_requests_) break;
    admit(batch, pool_.blocks_of(r.prompt), r.prompt);
    longest = padded;
  }
  if (!batch.empty()) return;
  sort_idle_by_arrival();
  std::size_t taken = take_decodes(batch, 0);
  while (taken < idle_.size() && batch.size() < most_requests_) {
    const RequestIndex next = idle_[taken++];
    if (!make_room(next, taken)) continue;
    pool_.grow(requests_[next]);
    add(batch, next, 1);
  }
  idle_.erase(idle_.begin(), idle_.begin() + static_cast<std::ptrdiff_t>(taken));
}

/// Decodes; after waiting_steps of them, or where nothing runs, prompts that fit until their completion. Source:
/// [vidur] lightllm_replica_scheduler.py
void ReplicaScheduler::form_lightllm(std::vector<RequestIndex>& batch) {
  if (idle_.empty() || steps_ >= rules_.waiting_steps) {
    steps_ = idle_.empty() ? steps_ : 0;
    add_prompts_that_fit(batch);
    if (!batch.empty()) steps_ = 0;
    if (!batch.empty() || idle_.empty()) return;
  }
  if (pool_.free() < idle_.size()) {
    is_out_of_blocks_ = true;
    return;
  }
  ++steps_;
  for (std::size_t i = take_decodes(batch, 0); i < idle_.size(); ++i) {
    pool_.grow(requests_[idle_[i]]);
    add(batch, idle_[i], 1);
  }
  idle_.clear();
}

void ReplicaScheduler::add_prompts_that_fit(std::vector<RequestIndex>& batch) {
  if (waiting_.empty()) return;
  needs_.clear();
  all_needs_ = 0;
  for (const RequestIndex i : idle_) {
    const RequestState& r = requests_[i];
    add_need({r.processed, r.total - r.processed - 1});
  }
  std::uint64_t tokens = 0;
  while (!waiting_.empty()) {
    const RequestState& r = requests_[waiting_.front()];
    if (tokens + r.prompt > rules_.prompt_tokens) return;
    if (pool_.entries() >= rules_.batch_limit || batch.size() == most_requests_ || !fits_to_the_end(r)) return;
    admit(batch, r.prompt, r.prompt);
    tokens += r.prompt;
  }
}

void ReplicaScheduler::add_need(const Need& need) {
  needs_.push_back(need);
  all_needs_ += need.now + need.later;
}

/// Whether the largest number of tokens in the cache, at the completions to come, stays below the blocks:
///
///     max over i of (later_i (i + 1) + sum of now_0 .. now_i) < blocks,    sorted by later, largest first
///
/// Adds the request to the running ones.
bool ReplicaScheduler::fits_to_the_end(const RequestState& request) {
  const std::uint64_t output = request.total - request.prompt;
  add_need({std::uint64_t{request.prompt} + 1, output < 2 ? 0 : output - 2});
  // later_i (i + 1) is at most the sum of later_0 .. later_i, so that the maximum is at most the sum of all needs.
  if (all_needs_ < pool_.blocks()) return true;
  std::stable_sort(needs_.begin(), needs_.end(), [](const Need& a, const Need& b) { return a.later > b.later; });
  std::uint64_t most = 0;
  std::uint64_t now = 0;
  for (std::size_t i = 0; i < needs_.size(); ++i) {
    now += needs_[i].now;
    most = std::max(most, needs_[i].later * (i + 1) + now);
  }
  return most < pool_.blocks();
}

}  // namespace dfsweep::vidur
