/// Sums of the work of operators, and the shares that they reach.
#include "models/profiled/times/batch_work.hpp"

#include <algorithm>

namespace dfsweep::profiled {

OperatorWork tokens_work(const LayerSplit& layer, double tokens, double additions) {
  OperatorWork sum;
  for (std::size_t i = 0; i < token_operator_count; ++i) {
    const double times = layer_operators[i] == Operator::add ? additions : 1.0;
    sum = sum + times * token_work(layer_operators[i], layer, tokens);
  }
  return sum;
}

OperatorWork attention_work(const LayerSplit& layer, const BatchPart& decode, const BatchPart& prefill) {
  OperatorWork sum;
  if (decode.requests > 0.0) sum = decode_work(layer, decode.requests, decode.cached_tokens / decode.requests - 1.0);
  if (prefill.requests > 0.0) {
    const double chunk = prefill.tokens / prefill.requests;
    sum = sum + prefill.requests * prefill_work(layer, prefill.cached_tokens / prefill.requests - chunk, chunk);
  }
  return sum;
}

Seconds kernel_time(const BatchTime& t) {
  return t.attention + t.mlp + t.embedding + t.output + t.sampling;
}

cost::KernelWork running_work(const OperatorWork& work, const DeviceRates& rates, Seconds kernels) {
  return {1.0, std::min(1.0, work.bytes / rates.bandwidth / kernels), std::min(1.0, work.flop / rates.peak / kernels)};
}

cost::KernelWork kernel_work(const OperatorWork& work, const DeviceRates& rates, const BatchTime& t,
                             const Stages& stages) {
  const Seconds kernels = kernel_time(t);
  const double included = stages.transfers_inside + stages.transfers_between + stages.outputs;
  cost::KernelWork shares = running_work(work, rates, kernels);
  shares.busy = std::min(1.0, kernels / (included * t.slowest));
  return shares;
}

}  // namespace dfsweep::profiled
