/// Predictions depend on shapes, formats and tables; prices on the rates of the device, too.
#include "models/serving/points/operator_prices.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "models/serving/prices/operations_table.hpp"

namespace dfsweep::serving {

namespace {

using enum Parameter;

constexpr std::array shape_parameters{model,
                                      system,
                                      device,
                                      tensor_parallel,
                                      precision,
                                      weight_precision,
                                      cache_precision,
                                      attention_precision,
                                      attention_parallel,
                                      attention_data_parallel,
                                      expert_parallel,
                                      node_devices,
                                      software,
                                      engine,
                                      peak_flops,
                                      pools,
                                      prefill_tensor_parallel,
                                      prefill_expert_parallel,
                                      prefill_attention_data_parallel,
                                      prefill_precision,
                                      prefill_weight_precision,
                                      decode_tensor_parallel,
                                      decode_expert_parallel,
                                      decode_attention_data_parallel,
                                      decode_precision,
                                      decode_weight_precision,
                                      operator_tables};
constexpr std::array rate_parameters{memory,       interconnect,          dram_bandwidth,       link_bandwidth,
                                     link_latency, device_link_bandwidth, outer_link_bandwidth, power_limit};

std::vector<Parameter> price_parameters() {
  std::vector<Parameter> all(shape_parameters.begin(), shape_parameters.end());
  all.insert(all.end(), rate_parameters.begin(), rate_parameters.end());
  return all;
}

/// Bytes of predictions and of prices of two pools, without the objects themselves.
constexpr std::size_t predictions_bytes = 2 * 8 * (points_of(prompt_grid) + 12 * points_of(decode_grid));
constexpr std::size_t prices_bytes = 2 * 8 * (points_of(prompt_grid) + 2 * points_of(decode_grid));

}  // namespace

operators::TableStack table_stack_of(const DecodedValues& values, const PointValues& v) {
  operators::TableStack stack;
  if (const auto& given = values.table_stacks[v.code(operator_tables)]) {
    stack = *given;
  } else {
    stack.engine = values.engine_names[v.code(engine)];
    if (stack.engine.empty()) stack.engine = values.software_engine_names[v.code(software)];
  }
  stack.system = values.table_systems[v.code(system)];
  return stack;
}

OperatorPrices::OperatorPrices(const SweepValues& values, const DecodedValues& decoded,
                               const operators::OperatorTables& tables)
    : decoded_(decoded),
      tables_(tables),
      predictions_(values, shape_parameters, predictions_bytes),
      prices_(values, price_parameters(), prices_bytes) {}

OperatorPrices::Predictions OperatorPrices::predictions_of(const PointValues& v) const {
  const Architecture& a = decoded_.models[v.code(model)];
  const operators::TableStack stack = table_stack_of(decoded_, v);
  const auto predicted = [&](PoolKind pool) {
    return replica_prices(step_operations(a, replica_of(decoded_, v, pool)), tables_, stack);
  };
  Predictions predictions{predicted(PoolKind::decode), {}};
  if (v.choice<Pools>(pools) == Pools::separate) predictions.prompts = predicted(PoolKind::prefill);
  return predictions;
}

OperatorPrices::Prices OperatorPrices::prices_of(const Predictions& predictions, const PointValues& v) const {
  PoolPrices prices;
  prices.answers = step_prices(predictions.answers, tables_, replica_of(decoded_, v));
  if (predictions.prompts)
    prices.prompts = step_prices(*predictions.prompts, tables_, replica_of(decoded_, v, PoolKind::prefill));
  return std::make_shared<const PoolPrices>(std::move(prices));
}

Explanation OperatorPrices::explain(const PointValues& v, const Costs& costs, const Request& request,
                                    double batch) const {
  const Decode decode = decode_of(request, batch);
  const Prompts prompts = prompts_of(request, batch);
  const StepTokens decoded = decode_step_tokens(costs, decode);
  const double read = prompt_step_tokens(costs, prompts).rank;
  const double of_each = std::min(read, prompts.tokens);
  ExplainedSizes sizes;
  sizes.tokens = sizes.sampled = decoded.rank;
  sizes.all_tokens = decoded.all;
  sizes.decoding = {.first = decoded.rank / decode.step_tokens, .context = decode.context};
  sizes.prompts = {read / of_each, of_each, prompts.shared + (prompts.tokens - of_each) / 2};
  return operations_table(step_operations(decoded_.models[v.code(model)], replica_of(decoded_, v)), tables_,
                          table_stack_of(decoded_, v), sizes);
}

OperatorPrices::Prices OperatorPrices::at(const PointColumns& points, std::size_t i, const PointValues& v,
                                          Scratch& scratch) const {
  return prices_.at(prices_.number(points, i), scratch.prices, [&] {
    const Predictions& predictions =
        predictions_.at(predictions_.number(points, i), scratch.predictions, [&] { return predictions_of(v); });
    return prices_of(predictions, v);
  });
}

}  // namespace dfsweep::serving
