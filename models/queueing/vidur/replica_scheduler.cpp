/// What the schedulers share: memory, preemption, the end of a batch, steady steps.
#include "models/queueing/vidur/replica_scheduler.hpp"

#include <algorithm>
#include <limits>

#include "models/expect.hpp"

namespace dfsweep::vidur {

namespace {

bool reserves(Scheduler scheduler) {
  return scheduler == Scheduler::orca || scheduler == Scheduler::fastertransformer;
}

/// Requests in one batch. Schedulers that reserve memory do not share the limit among the batches in flight.
std::uint32_t batch_requests(const Rules& rules) {
  if (reserves(rules.scheduler)) return std::min(rules.reserved_limit, rules.batch_limit);
  return rules.scheduler == Scheduler::lightllm ? rules.batch_limit : rules.batch_limit / rules.stages;
}

}  // namespace

ReplicaScheduler::ReplicaScheduler(const Rules& rules, std::span<RequestState> requests, std::span<RequestTimes> times)
    : rules_(rules),
      requests_(requests),
      times_(times),
      pool_(rules),
      most_requests_(batch_requests(rules)),
      grows_(!reserves(rules.scheduler)),
      arrivals_wait_(rules.scheduler == Scheduler::fastertransformer || rules.scheduler == Scheduler::lightllm),
      unfinished_(rules.scheduler == Scheduler::fastertransformer ? rules.stages : 0) {
  DFSWEEP_EXPECT(rules.scheduler != Scheduler::lightllm || (rules.block_tokens == 1 && rules.stages == 1));
}

BatchSums ReplicaScheduler::form(std::vector<RequestIndex>& batch, double now) {
  batch.clear();
  sums_ = {};
  fewest_left_ = std::numeric_limits<std::uint32_t>::max();
  now_ = now;
  is_steady_ = true;
  switch (rules_.scheduler) {
    case Scheduler::vllm:
      form_vllm(batch);
      break;
    case Scheduler::sarathi:
      form_sarathi(batch);
      break;
    case Scheduler::orca:
      form_orca(batch);
      break;
    case Scheduler::fastertransformer:
      form_fastertransformer(batch);
      break;
    case Scheduler::lightllm:
      form_lightllm(batch);
      break;
  }
  return sums_;
}

void ReplicaScheduler::finish(const std::vector<RequestIndex>& batch, double now) {
  if (rules_.scheduler == Scheduler::fastertransformer) return finish_static(batch, now);
  // With one stage this is the last batch, whose decodes come first; none of them completes where more tokens are left.
  const std::size_t decodes = rules_.stages == 1 && fewest_left_ > 1 ? sums_.decodes : 0;
  for (std::size_t i = 0; i < decodes; ++i) ++requests_[batch[i]].processed;
  idle_.insert(idle_.end(), batch.begin(), batch.begin() + static_cast<std::ptrdiff_t>(decodes));
  for (std::size_t i = decodes; i < batch.size(); ++i) {
    RequestState& r = requests_[batch[i]];
    finish_batch(r, times_[batch[i]], now);
    if (r.is_complete())
      pool_.release(r);
    else
      idle_.push_back(batch[i]);
  }
}

void ReplicaScheduler::finish_static(const std::vector<RequestIndex>& batch, double now) {
  bool is_done = true;
  for (const RequestIndex i : batch) {
    finish_batch(requests_[i], times_[i], now);
    is_done = is_done && requests_[i].is_complete();
  }
  if (is_done)
    for (const RequestIndex i : batch) pool_.release(requests_[i]);
  else
    unfinished_[(first_unfinished_ + unfinished_count_++) % unfinished_.size()] = batch;
}

void ReplicaScheduler::admit(std::vector<RequestIndex>& batch, std::uint32_t blocks, std::uint32_t tokens) {
  const RequestIndex head = waiting_.front();
  waiting_.pop_front();
  RequestState& r = requests_[head];
  pool_.admit(r, blocks);
  add(batch, head, tokens);
  if (r.was_scheduled) return;
  r.was_scheduled = true;
  times_[head].scheduled_at = now_;
}

void ReplicaScheduler::preempt(RequestIndex request) {
  pool_.release(requests_[request]);
  restart(requests_[request]);
  waiting_.push_front(request);
  ++restarts_;
  is_steady_ = false;
}

bool ReplicaScheduler::make_room(RequestIndex request, std::size_t taken) {
  while (pool_.free() == 0) {
    if (idle_.size() == taken) {
      preempt(request);
      return false;
    }
    const RequestIndex victim = idle_.back();
    idle_.pop_back();
    preempt(victim);
  }
  return true;
}

void ReplicaScheduler::sort_idle_by_arrival() {
  for (std::size_t i = 1; i < idle_.size(); ++i) {
    const RequestIndex moved = idle_[i];
    const std::uint32_t rank = requests_[moved].arrival_rank;
    std::size_t place = i;
    for (; place > 0 && requests_[idle_[place - 1]].arrival_rank > rank; --place) idle_[place] = idle_[place - 1];
    idle_[place] = moved;
  }
}

std::size_t ReplicaScheduler::take_decodes(std::vector<RequestIndex>& batch, std::size_t first) {
  // Where every request could have a block, the memory need not be looked at for each of them.
  if (grows_ && pool_.free() <= idle_.size()) return first;
  const std::size_t end =
      std::min(idle_.size(), first + most_requests_ - std::min<std::size_t>(batch.size(), most_requests_));
  std::size_t next = first;
  std::uint64_t processed = 0;
  std::uint32_t fewest_left = fewest_left_;
  for (; next < end; ++next) {
    RequestState& r = requests_[idle_[next]];
    if (!r.is_decoding) break;
    if (grows_) pool_.grow(r);
    r.batch_tokens = 1;
    processed += r.processed;
    fewest_left = std::min(fewest_left, r.total - r.processed);
  }
  const auto place = [&](std::size_t i) { return idle_.begin() + static_cast<std::ptrdiff_t>(i); };
  batch.insert(batch.end(), place(first), place(next));
  fewest_left_ = fewest_left;
  sums_.before += processed;
  sums_.add_decodes(static_cast<std::uint32_t>(next - first));
  return next;
}

std::uint32_t ReplicaScheduler::steady_steps() const {
  if (!is_steady_ || !idle_.empty() || sums_.decodes < sums_.requests) return 0;
  if (rules_.scheduler != Scheduler::lightllm || waiting_.empty()) return fewest_left_ - 1;
  return std::min(fewest_left_ - 1, rules_.waiting_steps - std::min(steps_, rules_.waiting_steps));
}

void ReplicaScheduler::advance(const std::vector<RequestIndex>& batch, std::uint32_t steps) {
  for (const RequestIndex r : batch) {
    if (grows_) pool_.grow_by(requests_[r], steps);
    requests_[r].processed += steps;
  }
  fewest_left_ -= steps;
  if (rules_.scheduler != Scheduler::lightllm) return;
  // Every step adds one; a step that finds the limit reached, and nothing waiting, starts again from one.
  const std::uint32_t limit = std::max(1U, rules_.waiting_steps);
  if (steps > 0) steps_ = (steps_ + steps - 1) % limit + 1;
}

}  // namespace dfsweep::vidur
