#include "models/queueing/simulation/scheduler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "models/expect.hpp"

namespace dfsweep::queueing {

namespace {

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();
std::uint64_t whole_steps(double steps) {
  return static_cast<std::uint64_t>(std::max(0.0, std::floor(steps + 0.5)));
}

/// Decode steps that give what an answer lacks. A first token takes a step, where its prompt was read elsewhere.
std::uint64_t steps_for(const ActiveRequest& request, double tokens_per_step) {
  const std::uint32_t first = request.generated == 0 ? 1 : 0;
  const std::uint32_t later = request.output - request.generated - first;
  return first + static_cast<std::uint64_t>(std::ceil(later / tokens_per_step));
}

}  // namespace

Scheduler::Scheduler(const Deployment& deployment, Stage stage, double largest_output, std::uint32_t shared_tokens,
                     Slots<ActiveRequest>& requests, Slots<Session>& sessions)
    : rules_(deployment.rules),
      stage_(stage),
      prompts_alone_(deployment.rules.prompts == PromptRule::alone),
      tokens_per_step_(deployment.tokens_per_step),
      largest_output_(largest_output),
      room_(deployment.cache_tokens - shared_tokens),
      host_room_(deployment.host.tokens),
      shared_tokens_(shared_tokens),
      receive_interval_(
          stage == Stage::answers ? 1 : std::max<std::uint64_t>(1, whole_steps(rules_.receive_interval_steps))),
      width_(deployment.attention_ranks),
      slots_(requests),
      sessions_(sessions),
      ranks_(std::size_t{deployment.replicas} * deployment.attention_ranks),
      replicas_(deployment.replicas) {
  DFSWEEP_EXPECT(deployment.replicas > 0 && width_ > 0 && tokens_per_step_ >= 1.0);
  DFSWEEP_EXPECT(rules_.chunk_tokens >= 1.0 && rules_.running_limit >= 1.0);
}

std::span<const Rank> Scheduler::ranks_of(std::uint32_t replica) const {
  return std::span(ranks_).subspan(std::size_t{replica} * width_, width_);
}

std::span<Rank> Scheduler::ranks(std::uint32_t replica) {
  return std::span(ranks_).subspan(std::size_t{replica} * width_, width_);
}

std::uint32_t Scheduler::route(std::uint32_t session) const {
  if (sessions_[session].kept != KeptIn::nowhere) return sessions_[session].rank;
  std::size_t best = 0;
  for (std::size_t r = 1; r < replicas_.size(); ++r) {
    if (replicas_[r].requests < replicas_[best].requests) best = r;
  }
  const auto first = static_cast<std::uint32_t>(best) * width_;
  std::uint32_t rank = first;
  for (std::uint32_t i = first + 1; i < first + width_; ++i) {
    if (ranks_[i].requests < ranks_[rank].requests) rank = i;
  }
  return rank;
}

void Scheduler::receive(std::uint32_t slot) {
  Rank& rank = ranks_[slots_[slot].rank];
  ++rank.requests;
  ++replicas_[replica_of(slots_[slot].rank)].requests;
  rank.inbox.push_back(slots_, slot);
}

bool Scheduler::may_start(std::uint32_t slot) const {
  const Rank& rank = ranks_[slots_[slot].rank];
  if (longest_hold() > 0 || receive_interval_ > 1) return true;
  return rank.waiting.empty() && rank.running < rules_.running_limit;
}

void Scheduler::wait(Rank& rank, std::uint32_t slot) {
  rank.waiting_tokens += slots_[slot].prompt;
  rank.waiting.push_back(slots_, slot);
}

void Scheduler::look(Replica& replica, std::span<Rank> ranks) {
  const bool idle = std::all_of(ranks.begin(), ranks.end(), [](const Rank& rank) { return rank.running == 0; });
  if (replica.since_look != 0 && !idle) return;
  replica.since_look = 0;
  for (Rank& rank : ranks) {
    while (!rank.inbox.empty()) {
      const std::uint32_t slot = rank.inbox.front();
      rank.inbox.remove(slots_, slot);
      wait(rank, slot);
    }
  }
}

std::uint64_t Scheduler::longest_hold() const {
  return whole_steps(width_ > 1 && rules_.rank_wait_steps > 0.0 ? rules_.rank_wait_steps : rules_.batch_wait_steps);
}

bool Scheduler::holds_back(const Replica& replica, std::span<const Rank> ranks) const {
  if (replica.held_steps >= longest_hold()) return false;
  const auto decodes = [](const Rank& rank) { return rank.sequences > 0; };
  const auto waits = [](const Rank& rank) { return !rank.waiting.empty(); };
  if (std::none_of(ranks.begin(), ranks.end(), decodes)) return false;
  if (std::none_of(ranks.begin(), ranks.end(), waits)) return false;
  if (width_ > 1 && rules_.rank_wait_steps > 0.0) return !std::all_of(ranks.begin(), ranks.end(), waits);
  const double enough = rules_.batch_wait_share * rules_.chunk_tokens;
  return std::all_of(ranks.begin(), ranks.end(),
                     [&](const Rank& rank) { return static_cast<double>(rank.waiting_tokens) < enough; });
}

bool Scheduler::start(const Replica& replica, Rank& rank, double now) {
  const std::uint32_t slot = rank.waiting.front();
  ActiveRequest& request = slots_[slot];
  const Session& session = sessions_[request.session];
  if (rank.running >= rules_.running_limit) return false;
  const std::uint32_t own = own_tokens(request);
  const std::uint32_t promised = answer_room(request);
  // Tokens in the second tier were loaded before the request was received, or while it waited.
  const bool kept = session.kept != KeptIn::nowhere && request.carried > 0;
  const double used = used_tokens(replica, rank);
  if (used + own + promised > room_ && rank.running > 0) return false;
  rank.waiting.remove(slots_, slot);
  rank.waiting_tokens -= request.prompt;
  request.read = shared_of(request);
  if (kept) {
    reused_tokens_ += request.carried - std::min(request.carried, request.read);
    request.read = std::max(request.read, request.carried);
  }
  forget(request.session);
  drop_kept(rank, room_ - used - own - promised);
  rank.held_tokens += own;
  request.held = own;
  request.promised = promised;
  rank.promised_tokens += promised;
  ++rank.running;
  if (request.started < 0.0) request.started = now;
  return true;
}

void Scheduler::take_prompts(Replica& replica, Rank& rank, double now) {
  // Decoding sequences that fill the chunk leave one token, so that prompts always go on.
  double budget = std::max(1.0, rules_.chunk_tokens - (prompts_alone_ ? 0.0 : static_cast<double>(rank.sequences)));
  const auto read_part = [&](std::uint32_t slot) {
    const ActiveRequest& request = slots_[slot];
    std::uint32_t tokens = request.to_read() - request.read;
    if (tokens > budget && rules_.prompts != PromptRule::whole) {
      tokens = static_cast<std::uint32_t>(budget);
      rank.partial = slot;
    }
    budget -= tokens;
    rank.parts.push_back({slot, tokens});
  };
  if (rank.partial != no_slot) read_part(std::exchange(rank.partial, no_slot));
  while (!rank.waiting.empty() && rank.partial == no_slot && budget >= 1.0) {
    const std::uint32_t slot = rank.waiting.front();
    if (rules_.prompts == PromptRule::whole && !rank.parts.empty() && own_tokens(slots_[slot]) > budget) break;
    if (!start(replica, rank, now)) break;
    if (stage_ == Stage::answers) {
      join(replica, rank, slot);
      replica.fresh.push_back(slot);
    } else {
      read_part(slot);
    }
  }
}

void Scheduler::join(const Replica& replica, Rank& rank, std::uint32_t slot) {
  ActiveRequest& request = slots_[slot];
  request.joined_steps = replica.decode_steps;
  request.joined_context = request.to_read();
  ++rank.sequences;
  rank.joined_steps += request.joined_steps;
  rank.joined_context += request.joined_context;
  rank.add_finish({replica.decode_steps + steps_for(request, tokens_per_step_), slot, request.version});
  if (rules_.cache == CacheRule::recompute) rank.decoding.push_back(slots_, slot);
}

void Scheduler::prepare_step(std::uint32_t index, double now) {
  Replica& replica = replicas_[index];
  const std::span<Rank> all = ranks(index);
  look(replica, all);
  replica.holds = holds_back(replica, all);
  replica.reads = false;
  replica.has_put_back = false;
  for (Rank& rank : all) {
    rank.parts.clear();
    const bool enough = make_room(replica, rank);
    replica.has_put_back = replica.has_put_back || !enough;
    if (!replica.holds && (enough || rank.partial != no_slot)) take_prompts(replica, rank, now);
    replica.reads = replica.reads || !rank.parts.empty();
  }
  // A wait for others ends once: what then cannot start for want of room does not wait anew.
  const bool waiting = std::any_of(all.begin(), all.end(), [](const Rank& rank) { return !rank.waiting.empty(); });
  if (replica.reads || !waiting) replica.held_steps = 0;
}

bool Scheduler::has_work(std::uint32_t replica) const {
  const std::span<const Rank> all = ranks_of(replica);
  return replicas_[replica].reads ||
         std::any_of(all.begin(), all.end(), [](const Rank& rank) { return rank.sequences > 0; });
}

std::uint64_t Scheduler::equal_steps(std::uint32_t index) {
  Replica& replica = replicas_[index];
  if (replica.reads || replica.has_put_back || !replica.fresh.empty()) return 1;
  std::uint64_t steps = no_limit;
  if (replica.holds) steps = longest_hold() - replica.held_steps;
  for (Rank& rank : ranks(index)) {
    while (!rank.finishes.empty() && rank.finishes.front().version != slots_[rank.finishes.front().slot].version) {
      rank.drop_finish();
    }
    if (!rank.finishes.empty()) steps = std::min(steps, rank.finishes.front().step - replica.decode_steps);
    if (!rank.inbox.empty()) steps = std::min(steps, receive_interval_ - replica.since_look);
    if (rules_.cache == CacheRule::recompute && rank.running > 1) {
      const double free = room_ - tokens_in_use(replica, rank);
      const double growth = rank.sequences * tokens_per_step_;
      if (growth > 0.0 && free < 1e15) {
        steps = std::min(steps, std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::max(0.0, free / growth))));
      }
    }
  }
  return std::max<std::uint64_t>(steps, 1);
}

StepLoad Scheduler::decode_load(const Replica& replica, const Rank& rank, double ahead) const {
  const auto sequences = static_cast<double>(rank.sequences);
  const double context =
      static_cast<double>(rank.joined_context) + grown_tokens(replica, rank) + ahead * sequences * tokens_per_step_;
  return {.sequences = sequences, .context = context};
}

StepLoad Scheduler::prompt_load(const Rank& rank) const {
  StepLoad load;
  for (const ReadPart& part : rank.parts) {
    const ActiveRequest& request = slots_[part.slot];
    const double from = request.read;
    const double tokens = part.tokens;
    load.prompt_tokens += tokens;
    load.prompt_pairs += tokens * (from + 0.5 * (tokens + 1.0));
    if (request.read + part.tokens == request.to_read()) load.prompts += 1.0;
  }
  return load;
}

void Scheduler::release(Rank& rank, const ActiveRequest& request) {
  rank.held_tokens -= request.held;
  rank.promised_tokens -= request.promised;
}

void Scheduler::stop_decoding(Rank& rank, std::uint32_t slot) {
  const ActiveRequest& request = slots_[slot];
  --rank.sequences;
  rank.joined_steps -= request.joined_steps;
  rank.joined_context -= request.joined_context;
  if (rules_.cache == CacheRule::recompute) rank.decoding.remove(slots_, slot);
}

void Scheduler::leave(Replica& replica, Rank& rank, std::uint32_t slot, StepOutcome& outcome) {
  release(rank, slots_[slot]);
  --rank.running;
  --rank.requests;
  --replica.requests;
  ++slots_[slot].version;
  outcome.finished.push_back(slot);
}

void Scheduler::finish_decodes(Replica& replica, Rank& rank, StepOutcome& outcome) {
  while (!rank.finishes.empty() && rank.finishes.front().step <= replica.decode_steps) {
    const Finish finish = rank.finishes.front();
    rank.drop_finish();
    if (finish.version != slots_[finish.slot].version) continue;
    stop_decoding(rank, finish.slot);
    leave(replica, rank, finish.slot, outcome);
  }
}

void Scheduler::finish_parts(Replica& replica, Rank& rank, StepOutcome& outcome) {
  for (const ReadPart& part : rank.parts) {
    ActiveRequest& request = slots_[part.slot];
    request.read += part.tokens;
    if (request.read < request.to_read()) continue;
    if (stage_ == Stage::prompts) {
      leave(replica, rank, part.slot, outcome);
      continue;
    }
    ++request.generated;
    outcome.first_tokens.push_back(part.slot);
    if (request.generated == request.output) {
      leave(replica, rank, part.slot, outcome);
    } else {
      join(replica, rank, part.slot);
    }
  }
  rank.parts.clear();
}

void Scheduler::finish_steps(std::uint32_t index, std::uint64_t steps, StepOutcome& outcome) {
  Replica& replica = replicas_[index];
  const bool decoded = decodes(replica);
  if (decoded) {
    replica.decode_steps += steps;
    outcome.first_tokens.insert(outcome.first_tokens.end(), replica.fresh.begin(), replica.fresh.end());
    replica.fresh.clear();
  }
  for (Rank& rank : ranks(index)) {
    if (decoded) finish_decodes(replica, rank, outcome);
    finish_parts(replica, rank, outcome);
  }
  if (outcome.finished.size() > 1) {
    std::sort(outcome.finished.begin(), outcome.finished.end(),
              [&](std::uint32_t a, std::uint32_t b) { return slots_[a].request < slots_[b].request; });
  }
  replica.since_look = replica.reads ? 0 : (replica.since_look + steps) % receive_interval_;
  if (replica.holds) replica.held_steps += steps;
  replica.reads = false;
}

}  // namespace dfsweep::queueing
