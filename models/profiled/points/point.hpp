/// ProfiledPoint: the intermediate results for one batch on one replica.
#pragma once

#include "models/absent.hpp"
#include "models/profiled/points/replica.hpp"

namespace dfsweep::profiled {

/// Per-point scratch where tables are disabled.
struct Scratch {
  Replica replica;
  TokenRow tokens;
  TimeCell decode;
  TimeCell prefill;
  NetworkRow network;
  TimeCell embedding;
  LogitRow logits;
};

struct ProfiledPoint {
  const Replica* replica = nullptr;
  BatchAtPoint batch;
  Status status = Status::ok;
  const TokenRow* tokens = nullptr;  ///< this and the following members: null where the replica or the batch is invalid
  const TimeCell* decode = nullptr;  ///< zero time without decoding requests
  const TimeCell* prefill = nullptr;
  const NetworkRow* network = nullptr;
  const TimeCell* embedding = nullptr;  ///< zero time where it is not included
  const LogitRow* logits = nullptr;
  TimeCell processor;
  Bytes memory_used;
};

/// The point whose codes `code(parameter)` returns. The result is valid until `scratch` is used again.
template <class CodeOf>
[[nodiscard]] ProfiledPoint point_of(const Replica& replica, const Batches& batches, const CodeOf& code,
                                     Scratch& scratch);

/// Worst coverage of the components of the step time, without the head. Pre: `tokens` is not null, as below.
[[nodiscard]] Coverage coverage_of(const ProfiledPoint& point);
/// Worst coverage of embedding, output layer and sampling; empty where none of them is included.
[[nodiscard]] std::optional<Coverage> head_coverage_of(const ProfiledPoint& point);

[[nodiscard]] inline BatchTime batch_time(const ProfiledPoint& p) {
  return batch_time(p.replica->terms, *p.tokens, *p.decode, *p.prefill, *p.network, {*p.embedding, *p.logits},
                    p.processor.time);
}

namespace detail {

inline constexpr TimeCell nothing{};
inline constexpr LogitRow no_logits{};

/// Cell `index`, or `own` where `index` is beyond the cached cells.
template <class Cell, class Compute>
const Cell& kept_or_own(const LazyCells<Cell>& cells, std::uint64_t index, Cell& own, Compute compute) {
  if (index < cells.size()) return cells.get(index, own, compute);
  own = compute();
  return own;
}

/// Whether all tables that the batch needs exist.
inline bool is_complete(const ProfiledPoint& p) {
  const ReplicaTerms& terms = p.replica->terms;
  const auto there = [](double count, const TimeCell& cell) { return count == 0.0 || cell.complete != 0; };
  return p.tokens->complete != 0 && p.decode->complete != 0 && p.prefill->complete != 0 && p.processor.complete != 0 &&
         there(terms.embeddings, *p.embedding) && there(terms.outputs, p.logits->output) &&
         there(terms.outputs, p.logits->sampling) && there(terms.all_reduces, p.network->all_reduce) &&
         there(terms.stages.transfers_inside, p.network->transfer_inside) &&
         there(terms.stages.transfers_between, p.network->transfer_between);
}

inline bool fits(const Replica& replica, Bytes memory_used) {
  if (!is_given(replica.usable_memory)) return true;
  return replica.check == MemoryCheck::batch ? memory_used <= replica.usable_memory : replica.max_batch >= 1.0;
}

}  // namespace detail

template <class CodeOf>
ProfiledPoint point_of(const Replica& replica, const Batches& batches, const CodeOf& code, Scratch& scratch) {
  ProfiledPoint p{.replica = &replica,
                  .batch = batches.at(code),
                  .status = Status::ok,
                  .tokens = nullptr,
                  .decode = &detail::nothing,
                  .prefill = &detail::nothing,
                  .network = nullptr,
                  .embedding = &detail::nothing,
                  .logits = &detail::no_logits,
                  .processor = {},
                  .memory_used = {}};
  if (replica.verdict != Status::ok || !p.batch.is_given_once) {
    p.status = replica.verdict != Status::ok ? replica.verdict : Status::invalid;
    return p;
  }
  const double tokens = p.batch.tokens();
  const LayerRows& layer = *replica.layer;
  const LayerModel& model = layer.model;
  p.tokens = &detail::kept_or_own(layer.tokens, static_cast<std::uint64_t>(tokens), scratch.tokens,
                                  [&] { return token_row(model, tokens); });
  p.network = &detail::kept_or_own(replica.network->tokens, static_cast<std::uint64_t>(tokens), scratch.network, [&] {
    return network_row(replica.network->model, rounded_up(tokens, model.reading().token_granularity));
  });
  if (p.batch.decode.requests > 0.0)
    p.decode = &detail::kept_or_own(layer.decode, p.batch.decode_cell, scratch.decode,
                                    [&] { return time_cell(model.decode(batches.batch(code).decode)); });
  if (p.batch.prefill.requests > 0.0)
    p.prefill = &detail::kept_or_own(layer.prefill, p.batch.prefill_cell, scratch.prefill,
                                     [&] { return time_cell(model.prefill(batches.batch(code).prefill)); });
  const double requests = p.batch.decode.requests + p.batch.prefill.requests;
  if (replica.terms.embeddings > 0.0)
    p.embedding = &detail::kept_or_own(layer.embedding, static_cast<std::uint64_t>(tokens), scratch.embedding,
                                       [&] { return time_cell(layer.head->embedding(tokens)); });
  if (replica.terms.outputs > 0.0)
    p.logits = &detail::kept_or_own(layer.logits, static_cast<std::uint64_t>(requests), scratch.logits,
                                    [&] { return logit_row(*layer.head, requests); });
  if (replica.processor != nullptr) p.processor = time_cell(replica.processor->time(requests));
  p.memory_used = memory_of(replica.memory, p.batch.decode.cached_tokens + p.batch.prefill.cached_tokens);
  if (!detail::is_complete(p))
    p.status = Status::no_profile;
  else if (!detail::fits(replica, p.memory_used))
    p.status = Status::out_of_memory;
  return p;
}

inline Coverage coverage_of(const ProfiledPoint& p) {
  const Stages& stages = p.replica->terms.stages;
  Coverage worst = std::max({p.tokens->coverage, p.decode->coverage, p.prefill->coverage, p.processor.coverage});
  if (p.replica->terms.all_reduces > 0.0) worst = std::max(worst, p.network->all_reduce.coverage);
  if (stages.transfers_inside > 0.0) worst = std::max(worst, p.network->transfer_inside.coverage);
  if (stages.transfers_between > 0.0) worst = std::max(worst, p.network->transfer_between.coverage);
  return worst;
}

inline std::optional<Coverage> head_coverage_of(const ProfiledPoint& p) {
  const ReplicaTerms& terms = p.replica->terms;
  if (terms.embeddings + terms.outputs == 0.0) return std::nullopt;
  return std::max({p.embedding->coverage, p.logits->output.coverage, p.logits->sampling.coverage});
}

}  // namespace dfsweep::profiled
