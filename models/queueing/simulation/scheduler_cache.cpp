/// The part of the scheduler that decides what the cache holds: tokens of requests, tokens kept between turns, and who
/// is put back.
#include <algorithm>
#include <cmath>
#include <utility>

#include "models/queueing/simulation/scheduler.hpp"

namespace dfsweep::queueing {

std::uint32_t Scheduler::shared_of(const ActiveRequest& request) const {
  const std::uint32_t first_prompt = request.carried + request.prompt;
  return std::min(shared_tokens_, first_prompt - 1);
}

std::uint32_t Scheduler::kept_by(const Session& session) const {
  return session.context - std::min(shared_tokens_, session.context);
}

std::uint32_t Scheduler::own_tokens(const ActiveRequest& request) const {
  return request.to_read() - shared_of(request);
}

std::uint32_t Scheduler::answer_room(const ActiveRequest& request) const {
  const double left = request.output - request.generated;
  const double room = rules_.answers == AnswerRule::share
                          ? rules_.answer_share * left
                          : std::max(rules_.answer_share * largest_output_ - request.generated, left);
  return static_cast<std::uint32_t>(std::ceil(room));
}

double Scheduler::grown_tokens(const Replica& replica, const Rank& rank) const {
  return tokens_per_step_ * static_cast<double>(rank.sequences * replica.decode_steps - rank.joined_steps);
}

double Scheduler::tokens_in_use(const Replica& replica, const Rank& rank) const {
  return static_cast<double>(rank.held_tokens) + grown_tokens(replica, rank);
}

double Scheduler::used_tokens(const Replica& replica, const Rank& rank) const {
  return rules_.cache == CacheRule::recompute ? tokens_in_use(replica, rank)
                                              : static_cast<double>(rank.held_tokens + rank.promised_tokens);
}

bool Scheduler::fits_alone(std::uint32_t slot) const {
  const ActiveRequest& request = slots_[slot];
  const double answer = rules_.cache == CacheRule::recompute ? request.output : answer_room(request);
  return own_tokens(request) + answer <= room_;
}

void Scheduler::drop_kept(Rank& rank, double room) {
  while (static_cast<double>(rank.kept_tokens) > room && !rank.kept.empty()) {
    const std::uint32_t oldest = rank.kept.front();
    Session& session = sessions_[oldest];
    rank.kept.remove(sessions_, oldest);
    rank.kept_tokens -= kept_by(session);
    session.kept = KeptIn::nowhere;
    if (kept_by(session) > host_room_) continue;
    session.kept = KeptIn::host;
    rank.hosted.push_back(sessions_, oldest);
    rank.hosted_tokens += kept_by(session);
    while (static_cast<double>(rank.hosted_tokens) > host_room_) {
      const std::uint32_t dropped = rank.hosted.front();
      rank.hosted.remove(sessions_, dropped);
      rank.hosted_tokens -= kept_by(sessions_[dropped]);
      sessions_[dropped].kept = KeptIn::nowhere;
    }
  }
}

void Scheduler::keep(std::uint32_t session) {
  Session& kept = sessions_[session];
  Rank& rank = ranks_[kept.rank];
  const Replica& replica = replicas_[replica_of(kept.rank)];
  kept.kept = KeptIn::device;
  rank.kept.push_back(sessions_, session);
  rank.kept_tokens += kept_by(kept);
  drop_kept(rank, room_ - used_tokens(replica, rank));
}

void Scheduler::forget(std::uint32_t session) {
  Session& kept = sessions_[session];
  if (kept.kept == KeptIn::nowhere) return;  // its rank may belong to another pool
  Rank& rank = ranks_[kept.rank];
  if (kept.kept == KeptIn::device) {
    rank.kept.remove(sessions_, session);
    rank.kept_tokens -= kept_by(kept);
  } else {
    rank.hosted.remove(sessions_, session);
    rank.hosted_tokens -= kept_by(kept);
  }
  kept.kept = KeptIn::nowhere;
}

bool Scheduler::make_room(Replica& replica, Rank& rank) {
  if (rules_.cache != CacheRule::recompute || rank.sequences == 0) return true;
  bool enough = true;
  const auto after_step = [&] { return tokens_in_use(replica, rank) + rank.sequences * tokens_per_step_; };
  while (after_step() > room_ && rank.running > 1) {
    enough = false;
    if (rank.partial != no_slot) {  // the youngest of all
      const std::uint32_t slot = std::exchange(rank.partial, no_slot);
      release(rank, slots_[slot]);
      --rank.running;
      slots_[slot].read = 0;
      rank.waiting.push_front(slots_, slot);
      rank.waiting_tokens += slots_[slot].prompt;
      ++preemptions_;
    } else {
      put_back(replica, rank, rank.decoding.back());
    }
  }
  drop_kept(rank, room_ - after_step());
  return enough;
}

void Scheduler::put_back(Replica& replica, Rank& rank, std::uint32_t slot) {
  ActiveRequest& request = slots_[slot];
  const auto came =
      static_cast<std::uint32_t>(tokens_per_step_ * static_cast<double>(replica.decode_steps - request.joined_steps));
  stop_decoding(rank, slot);
  std::erase(replica.fresh, slot);
  release(rank, request);
  --rank.running;
  ++request.version;
  request.generated = std::min(request.output - 1, request.generated + came);
  request.read = 0;
  rank.waiting.push_front(slots_, slot);
  rank.waiting_tokens += request.prompt;
  ++preemptions_;
}

}  // namespace dfsweep::queueing
