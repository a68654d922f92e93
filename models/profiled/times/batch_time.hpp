/// Time of a batch: rows that depend only on tokens or requests, and sums over a block, a stage and a pipeline.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "models/profiled/times/head_model.hpp"
#include "models/profiled/times/layer_model.hpp"
#include "models/profiled/times/network_model.hpp"
#include "models/profiled/times/pipeline.hpp"
#include "models/units.hpp"

namespace dfsweep::profiled {

/// Times of the token operators of a layer for one number of tokens. Times of operators without a table are NaN.
struct TokenRow {
  std::array<Seconds, token_operator_count> times;  ///< in the order of layer_operators
  Seconds attention;                                ///< pre_proj + post_proj + rope + kv_cache_save + input_layernorm
  Seconds mlp;    ///< up_proj + down_proj + act + post_attention_layernorm + additions * add
  Seconds error;  ///< expected error of both sums together; NaN where unknown
  Coverage coverage = Coverage::measured;
  std::uint8_t complete = 1;  ///< 0: an operator has no table
};
[[nodiscard]] TokenRow token_row(const LayerModel& layer, double tokens);

/// One cached prediction, which may be missing or zero.
struct TimeCell {
  Seconds time;
  Seconds error;  ///< expected error
  Coverage coverage = Coverage::measured;
  std::uint8_t complete = 1;
};
[[nodiscard]] TimeCell time_cell(const std::optional<Prediction>& prediction);

/// Times of the collectives of a replica for one number of tokens.
struct NetworkRow {
  TimeCell all_reduce;
  TimeCell transfer_inside;
  TimeCell transfer_between;
};
[[nodiscard]] NetworkRow network_row(const NetworkModel& network, double tokens);

/// Times of the last stage for the tokens that need logits, one per request.
struct LogitRow {
  TimeCell output;
  TimeCell sampling;
};
[[nodiscard]] LogitRow logit_row(const HeadModel& head, double requests);

/// Times before the first and after the last layer.
struct HeadRow {
  const TimeCell& embedding;
  const LogitRow& logits;
};

/// Counts and overheads of the included stages of a replica.
struct ReplicaTerms {
  Stages stages;
  double all_reduces = 0.0;        ///< all-reduces per block: 2 with tensor parallelism
  Seconds all_reduce_overhead;     ///< added to each all-reduce
  double processor_batches = 0.0;  ///< number of stages with processor overhead
  double embeddings = 0.0;         ///< 1 where the embedding is included
  double outputs = 0.0;            ///< 1 where output layer and sampling are included
};

/// count * time, where count = 0 gives 0 even for an unknown time.
[[nodiscard]] inline Seconds repeated(double count, Seconds time) {
  return count > 0.0 ? count * time : Seconds{};
}

struct BatchTime {
  Seconds attention;
  Seconds mlp;
  Seconds tensor_comm;
  Seconds pipeline_comm;
  Seconds processor;
  Seconds embedding;
  Seconds output;
  Seconds sampling;
  Seconds step;     ///< sum over the stages
  Seconds slowest;  ///< slowest included stage
  Seconds error;    ///< expected error of the step
};

/// Time of the first stage without processor overhead; `block`: time per layer, `t`: times of the head.
[[nodiscard]] inline Seconds first_stage(const Stages& s, Seconds block, const NetworkRow& network,
                                         const BatchTime& t) {
  const Seconds own = s.first_layers * block + t.embedding;
  if (s.first_transfer == Transfer::inside_node) return own + network.transfer_inside.time;
  if (s.first_transfer == Transfer::between_nodes) return own + network.transfer_between.time;
  return own + t.output + t.sampling;  // it is also the last stage
}

/// [vidur] Section 5:
///
///     block = attention row + decode + prefill + mlp row + 2 (all-reduce + overhead)
///     stage = layers block + transfer + processor + [first] embedding + [last] (output + sampling)
///
/// and the step is the sum of the included stages. An embedding table that is sharded over devices is followed by an
/// all-reduce. Pre: all required tables exist.
[[nodiscard]] inline BatchTime batch_time(const ReplicaTerms& replica, const TokenRow& tokens, const TimeCell& decode,
                                          const TimeCell& prefill, const NetworkRow& network, const HeadRow& head,
                                          Seconds processor) {
  const Stages& s = replica.stages;
  BatchTime t;
  const Seconds all_reduce = repeated(replica.all_reduces, network.all_reduce.time + replica.all_reduce_overhead);
  const Seconds attention = tokens.attention + decode.time + prefill.time;
  const Seconds block = attention + tokens.mlp + all_reduce;
  t.attention = s.layers * attention;
  t.mlp = s.layers * tokens.mlp;
  t.tensor_comm = s.layers * all_reduce;
  t.pipeline_comm = repeated(s.transfers_inside, network.transfer_inside.time) +
                    repeated(s.transfers_between, network.transfer_between.time);
  t.processor = replica.processor_batches * processor;
  const Seconds sum_of_rows =
      repeated(std::min(replica.all_reduces, 1.0), network.all_reduce.time + replica.all_reduce_overhead);
  t.embedding = repeated(replica.embeddings, head.embedding.time + sum_of_rows);
  t.output = repeated(replica.outputs, head.logits.output.time);
  t.sampling = repeated(replica.outputs, head.logits.sampling.time);
  t.step = t.attention + t.mlp + t.tensor_comm + t.pipeline_comm + t.processor + t.embedding + t.output + t.sampling;
  const double* layers_before = s.most_layers_before;
  t.slowest = layers_before[0] * block + t.output + t.sampling;
  if (layers_before[1] > 0.0) t.slowest = std::max(t.slowest, layers_before[1] * block + network.transfer_inside.time);
  if (layers_before[2] > 0.0) t.slowest = std::max(t.slowest, layers_before[2] * block + network.transfer_between.time);
  if (replica.embeddings > 0.0) t.slowest = std::max(t.slowest, first_stage(s, block, network, t));
  t.slowest += processor;
  t.error = s.layers * (tokens.error + decode.error + prefill.error +
                        repeated(replica.all_reduces, network.all_reduce.error)) +
            repeated(s.transfers_inside, network.transfer_inside.error) +
            repeated(s.transfers_between, network.transfer_between.error) +
            repeated(replica.embeddings,
                     head.embedding.error + repeated(std::min(replica.all_reduces, 1.0), network.all_reduce.error)) +
            repeated(replica.outputs, head.logits.output.error + head.logits.sampling.error);
  return t;
}

}  // namespace dfsweep::profiled
