#include "models/taskgraph/strategies/operators.hpp"

#include "models/taskgraph/work/measured_products.hpp"

namespace dfsweep::taskgraph {

namespace {

OperatorWork of_rows(const Transformer& t, double rows, const Exchange& exchange) {
  const double others = (exchange.devices - 1.0) / exchange.devices;
  return {2.0 * rows * t.hidden, 0.0, 3.0 * exchange.summed * others, 3.0 * rows * t.hidden};
}

}  // namespace

OperatorWork attention_operators(const Transformer& t, const AttentionWork& work) {
  return of_rows(t, work.projections[0].m, work.exchange);
}

OperatorWork ffn_operators(const Transformer& t, const FfnWork& work) {
  const bool is_routed = work.routed_tokens > 0.0;
  OperatorWork operators = of_rows(t, is_routed ? work.routed_tokens : work.products[0].m, work.exchange);
  const double width = is_routed ? (t.experts_per_token * t.ffn_hidden + t.shared_ffn_hidden) / work.exchange.devices
                                 : work.products[0].n;
  operators.activation = (t.up_products + 1.0) * (is_routed ? work.routed_tokens : work.products[0].m) * width;
  return operators;
}

Seconds operator_time(double words, const DeviceRates& device) {
  return time_without_table(roofline_time(Flop{}, words, device), device);
}

}  // namespace dfsweep::taskgraph
