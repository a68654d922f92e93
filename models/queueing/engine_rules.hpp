/// Rules of an engine that batches requests, and the times of its clients, as plain values.
#pragma once

#include "models/lanes.hpp"
#include "models/units.hpp"

namespace dfsweep::queueing {

/// How prompts join the steps that decode.
enum class PromptRule {
  cut,    ///< every step decodes and fills what is left of the chunk with prompts, cut where the chunk ends (vLLM)
  alone,  ///< a step reads prompts or decodes; prompts come first, and the last of a step is cut at the chunk (SGLang)
  whole,  ///< every step decodes and reads whole prompts while they fit the chunk (TensorRT-LLM)
};

/// What a started request keeps free for its answer.
enum class AnswerRule {
  share,    ///< `answer_share` of its answer
  largest,  ///< `answer_share` of the largest answer of the workload
};

/// What happens when the running sequences need more cache than there is.
enum class CacheRule {
  reserved,   ///< what is reserved counts and never grows
  recompute,  ///< tokens count as they come; the youngest sequence is put back, and reads its tokens again (vLLM)
};

/// Of which memory the share of the cache is taken; only the caller that computes `cache_tokens` reads it.
enum class MemoryBase { all, free };

/// The scheduler of one engine. Steps are steps of the engine. The defaults are those of vLLM.
/// Source: docs/models/queueing.md
struct EngineRules {
  PromptRule prompts = PromptRule::cut;
  double chunk_tokens = 8192.0;         ///< most prompt tokens (with `cut`: and decoding sequences) of a step and rank
  double running_limit = 256.0;         ///< most sequences that run on a rank
  double receive_interval_steps = 1.0;  ///< decode steps between two looks at new requests; 1: every step
  double batch_wait_steps = 0.0;        ///< longest wait of prompts for others, while something runs
  double rank_wait_steps = 0.0;         ///< the same with several attention ranks, until every rank has a prompt
  double batch_wait_share = 0.85;       ///< of a chunk: prompts of this size no longer wait
  AnswerRule answers = AnswerRule::share;
  double answer_share = 0.5;
  CacheRule cache = CacheRule::reserved;
  MemoryBase memory_base = MemoryBase::all;
  double lag_steps = 0.5;  ///< decode steps between the step of a prompt and its first token
};

/// Seconds by which a first token comes late to its client, where the last of `output` tokens follows `after` seconds
/// later. The lag delays no last token, and leaves the mean time of one token before it.
template <class Number>
[[nodiscard]] inline Number kept_lag(const Number& lag, const Number& after, double output) {
  if (!(output > 2.0)) return 0.0;
  return lesser(lag, after * (1.0 - 1.0 / (output - 1.0)));
}

/// What clients and the front of the server add to each request.
struct ClientTimes {
  Seconds fixed;       ///< half on the way to the engine, half on the way back
  Seconds per_token;   ///< of the prompt with all former turns, on the way to the engine
  Seconds serial;      ///< of the front of a replica, which handles one request after the other
  Seconds handover{};  ///< of a request on its way from the servers of prompts to those of answers
};

}  // namespace dfsweep::queueing
