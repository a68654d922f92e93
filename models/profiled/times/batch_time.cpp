/// Computation of rows of operators.
#include "models/profiled/times/batch_time.hpp"

#include <algorithm>

#include "models/absent.hpp"

namespace dfsweep::profiled {

namespace {

/// Occurrences of an operator in a block, and the sum it belongs to.
struct Occurrence {
  double attention = 0.0;
  double mlp = 0.0;
};

Occurrence occurrence_of(Operator op, double additions) {
  switch (op) {
    case Operator::attn_pre_proj:
    case Operator::attn_post_proj:
    case Operator::attn_rope:
    case Operator::attn_kv_cache_save:
    case Operator::input_layernorm:
      return {1.0, 0.0};
    case Operator::add:
      return {0.0, additions};
    default:
      return {0.0, 1.0};
  }
}

}  // namespace

TimeCell time_cell(const std::optional<Prediction>& prediction) {
  if (!prediction) return {Seconds{absent}, Seconds{absent}, Coverage::measured, 0};
  return {prediction->time, prediction->time * prediction->relative_error, prediction->coverage, 1};
}

TokenRow token_row(const LayerModel& layer, double tokens) {
  TokenRow row;
  for (std::size_t i = 0; i < token_operator_count; ++i) {
    const TimeCell cell = time_cell(layer.token(i, tokens));
    const Occurrence counts = occurrence_of(layer_operators[i], layer.reading().convention->additions_per_block);
    row.times[i] = cell.time;
    row.attention += counts.attention * cell.time;
    row.mlp += counts.mlp * cell.time;
    row.error += (counts.attention + counts.mlp) * cell.error;
    row.coverage = std::max(row.coverage, cell.coverage);
    row.complete = std::min(row.complete, cell.complete);
  }
  return row;
}

LogitRow logit_row(const HeadModel& head, double requests) {
  return {time_cell(head.output(requests)), time_cell(head.sampling(requests))};
}

NetworkRow network_row(const NetworkModel& network, double tokens) {
  return {time_cell(network.all_reduce(tokens)), time_cell(network.transfer(Transfer::inside_node, tokens)),
          time_cell(network.transfer(Transfer::between_nodes, tokens))};
}

}  // namespace dfsweep::profiled
