/// The schedulers whose batches hold prompts and decodes together: sarathi, orca and fastertransformer.
#include <algorithm>

#include "models/queueing/vidur/replica_scheduler.hpp"

namespace dfsweep::vidur {

/// Decodes, then the next chunks of prompts in progress, then new prompts, within a budget of chunk_tokens that
/// decodes may exceed. Source: [vidur] sarathi_replica_scheduler.py
void ReplicaScheduler::form_sarathi(std::vector<RequestIndex>& batch) {
  chunked_.clear();
  std::size_t taken = take_decodes(batch, 0);
  while (taken < idle_.size() && batch.size() < most_requests_) {
    const RequestIndex next = idle_[taken++];
    if (!requests_[next].is_decoding) {
      chunked_.push_back(next);
      continue;
    }
    if (!make_room(next, taken)) continue;
    pool_.grow(requests_[next]);
    add(batch, next, 1);
  }
  std::uint64_t used = batch.size();
  const auto chunk_of = [&](const RequestState& r) {
    const std::uint64_t budget = rules_.chunk_tokens - std::min<std::uint64_t>(used, rules_.chunk_tokens);
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(r.prompt - r.processed, budget));
  };
  std::size_t skipped = 0;  // they stay in front of what is left of the running requests
  for (const RequestIndex next : chunked_) {
    const std::uint32_t tokens = chunk_of(requests_[next]);
    used += tokens;
    if (tokens > 0)
      add(batch, next, tokens);
    else
      chunked_[skipped++] = next;
  }
  idle_.erase(idle_.begin() + static_cast<std::ptrdiff_t>(skipped), idle_.begin() + static_cast<std::ptrdiff_t>(taken));
  std::copy_n(chunked_.begin(), skipped, idle_.begin());
  sort_idle_by_arrival();
  while (!waiting_.empty() && pool_.entries() != rules_.batch_limit && batch.size() != most_requests_) {
    const RequestState& r = requests_[waiting_.front()];
    const std::uint32_t tokens = pool_.admits(r) ? chunk_of(r) : 0;
    if (tokens == 0) break;
    admit(batch, pool_.blocks_of(r.prompt), tokens);
    used += tokens;
  }
}

void ReplicaScheduler::reserve_and_add(std::vector<RequestIndex>& batch) {
  const std::uint32_t reserved = rules_.request_tokens / rules_.block_tokens;
  while (!waiting_.empty() && batch.size() < most_requests_ && pool_.free() >= reserved)
    admit(batch, reserved, requests_[waiting_.front()].prompt);
}

/// Decodes of all running requests, and new requests with whole prompts. Source: [vidur] orca_replica_scheduler.py
void ReplicaScheduler::form_orca(std::vector<RequestIndex>& batch) {
  const std::size_t taken = take_decodes(batch, 0);
  idle_.erase(idle_.begin(), idle_.begin() + static_cast<std::ptrdiff_t>(taken));
  reserve_and_add(batch);
}

/// The oldest unfinished batch without its complete requests, otherwise a new batch. Source: [vidur]
/// faster_transformer_replica_scheduler.py
void ReplicaScheduler::form_fastertransformer(std::vector<RequestIndex>& batch) {
  if (unfinished_count_ == 0) return reserve_and_add(batch);
  for (const RequestIndex r : unfinished_[first_unfinished_])
    if (!requests_[r].is_complete()) add(batch, r, 1);
  first_unfinished_ = (first_unfinished_ + 1) % unfinished_.size();
  --unfinished_count_;
}

}  // namespace dfsweep::vidur
