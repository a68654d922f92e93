/// Time of a batch: the rows that depend on tokens or requests alone, and the sums over a block, a stage, a pipeline.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "models/inference/times/layer_model.hpp"
#include "models/inference/times/network_model.hpp"
#include "models/inference/workload/pipeline.hpp"

namespace dfsweep::inference {

/// Token operators of a layer for a batch of some tokens. Times of operators without a table are NaN.
struct TokenRow {
  std::array<double, token_operator_count> seconds;  ///< in the order of layer_operators
  double attention = 0.0;                            ///< pre_proj + post_proj + rope + kv_cache_save + input_layernorm
  double mlp = 0.0;            ///< up_proj + down_proj + act + post_attention_layernorm + additions * add
  double error_seconds = 0.0;  ///< expected error of the two sums together; NaN where it is not known
  Coverage coverage = Coverage::measured;
  std::uint8_t complete = 1;  ///< 0: some operator has no table
};
[[nodiscard]] TokenRow token_row(const LayerModel& layer, double tokens);

/// One prediction, or that there is none; also what nothing costs.
struct TimeCell {
  double seconds = 0.0;
  double error_seconds = 0.0;
  Coverage coverage = Coverage::measured;
  std::uint8_t complete = 1;
};
[[nodiscard]] TimeCell time_cell(const std::optional<Prediction>& prediction);

/// Collectives of a replica for a batch of some tokens.
struct NetworkRow {
  TimeCell all_reduce;
  TimeCell transfer_inside;
  TimeCell transfer_between;
};
[[nodiscard]] NetworkRow network_row(const NetworkModel& network, double tokens);

/// What a batch does to the counted stages of a replica.
struct ReplicaTerms {
  Stages stages;
  double all_reduces = 0.0;          ///< in a block: 2 where layers are shared
  double all_reduce_overhead = 0.0;  ///< s, added to each
  double processor_batches = 0.0;    ///< counted stages whose processor works
};

/// count * seconds; what does not occur costs nothing, known or not.
[[nodiscard]] inline double repeated(double count, double seconds) {
  return count > 0.0 ? count * seconds : 0.0;
}

/// Times of a batch, s.
struct BatchTime {
  double attention = 0.0;
  double mlp = 0.0;
  double tensor_comm = 0.0;
  double pipeline_comm = 0.0;
  double processor = 0.0;
  double step = 0.0;     ///< the sum
  double slowest = 0.0;  ///< of the counted stages
  double error_seconds = 0.0;
};

/// [vidur] Section 5:
///
///     block = attention row + decode + prefill + mlp row + 2 (all-reduce + overhead)
///     stage = layers block + transfer + processor
///
/// and the step is the sum of the counted stages. Pre: everything needed is complete.
[[nodiscard]] inline BatchTime batch_time(const ReplicaTerms& replica, const TokenRow& tokens, const TimeCell& decode,
                                          const TimeCell& prefill, const NetworkRow& network, double processor) {
  const Stages& s = replica.stages;
  BatchTime t;
  const double all_reduce = repeated(replica.all_reduces, network.all_reduce.seconds + replica.all_reduce_overhead);
  const double attention = tokens.attention + decode.seconds + prefill.seconds;
  const double block = attention + tokens.mlp + all_reduce;
  t.attention = s.layers * attention;
  t.mlp = s.layers * tokens.mlp;
  t.tensor_comm = s.layers * all_reduce;
  t.pipeline_comm = repeated(s.transfers_inside, network.transfer_inside.seconds) +
                    repeated(s.transfers_between, network.transfer_between.seconds);
  t.processor = replica.processor_batches * processor;
  t.step = t.attention + t.mlp + t.tensor_comm + t.pipeline_comm + t.processor;
  const double* layers_before = s.most_layers_before;
  t.slowest = layers_before[0] * block;
  if (layers_before[1] > 0.0)
    t.slowest = std::max(t.slowest, layers_before[1] * block + network.transfer_inside.seconds);
  if (layers_before[2] > 0.0)
    t.slowest = std::max(t.slowest, layers_before[2] * block + network.transfer_between.seconds);
  t.slowest += processor;
  t.error_seconds = s.layers * (tokens.error_seconds + decode.error_seconds + prefill.error_seconds +
                                repeated(replica.all_reduces, network.all_reduce.error_seconds)) +
                    repeated(s.transfers_inside, network.transfer_inside.error_seconds) +
                    repeated(s.transfers_between, network.transfer_between.error_seconds);
  return t;
}

}  // namespace dfsweep::inference
