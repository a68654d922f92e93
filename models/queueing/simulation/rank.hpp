/// The state of an attention rank and of a replica: queues, decoding sequences, and what the cache holds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/queueing/simulation/requests.hpp"

namespace dfsweep::queueing {

/// A sequence that gets its last token in this decode step of the replica.
struct Finish {
  std::uint64_t step = 0;
  std::uint32_t slot = 0;
  std::uint32_t version = 0;
};

/// A part of a prompt that a step reads.
struct ReadPart {
  std::uint32_t slot = 0;
  std::uint32_t tokens = 0;
};

/// An attention rank. Sums over sequences are whole numbers, so that they do not drift.
struct Rank {
  SlotList<ActiveRequest> inbox;      ///< received, not yet looked at
  SlotList<ActiveRequest> waiting;    ///< first come first served
  SlotList<ActiveRequest> decoding;   ///< the youngest at the end; only where sequences can be put back
  SlotList<Session> kept;             ///< sessions whose tokens the cache keeps between turns, the oldest first
  SlotList<Session> hosted;           ///< those in the second tier
  std::vector<Finish> finishes;       ///< a heap, the earliest first
  std::vector<ReadPart> parts;        ///< of prompts that the running step reads
  std::uint32_t partial = no_slot;    ///< a prompt that is read in part
  std::uint32_t requests = 0;         ///< on the rank in any state
  std::uint32_t running = 0;          ///< started: they read or decode
  std::uint32_t sequences = 0;        ///< that decode
  std::uint64_t waiting_tokens = 0;   ///< of prompts in `waiting`
  std::uint64_t joined_steps = 0;     ///< sum over decoding sequences of the decode steps before they joined
  std::uint64_t joined_context = 0;   ///< sum over decoding sequences of their context when they joined
  std::uint64_t held_tokens = 0;      ///< of running requests, without those that came while they decode
  std::uint64_t promised_tokens = 0;  ///< kept free for their answers
  std::uint64_t kept_tokens = 0;
  std::uint64_t hosted_tokens = 0;

  void add_finish(const Finish& finish) {
    finishes.push_back(finish);
    std::push_heap(finishes.begin(), finishes.end(), later);
  }
  void drop_finish() {
    std::pop_heap(finishes.begin(), finishes.end(), later);
    finishes.pop_back();
  }

 private:
  static bool later(const Finish& a, const Finish& b) { return a.step != b.step ? a.step > b.step : a.slot > b.slot; }
};

/// What the ranks of a replica have in common: they step together.
struct Replica {
  std::uint64_t decode_steps = 0;
  std::uint64_t since_look = 0;  ///< decode steps since new requests were looked for; 0 where the next look is due
  std::uint64_t held_steps = 0;  ///< for which prompts have waited for others
  std::uint32_t requests = 0;
  bool reads = false;                ///< the next step reads prompts
  bool has_put_back = false;         ///< sequences were put back, which may start again after the next step
  bool holds = false;                ///< prompts wait for others
  std::vector<std::uint32_t> fresh;  ///< sequences whose first token comes with the next decode step
};

}  // namespace dfsweep::queueing
