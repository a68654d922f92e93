#include "models/kernels/attention_core.hpp"

#include <cmath>

#include "models/transformer/model_flop.hpp"

namespace dfsweep {

namespace {

/// Keys that a query looks at in the mean.
double keys_looked_at(const Architecture& a, const Execution& e) {
  const bool flash = e.attention == AttentionKernel::flash;
  return flash ? context_tokens(a, e.batch.sequence, AttentionCount::causal) : e.batch.sequence;
}

Seconds scores_time(Flop executed, double head_dim, const Accelerator& accelerator,
                    const AttentionEfficiency& efficiency) {
  const bool odd = std::fmod(head_dim, 8.0) != 0.0;
  return executed / (efficiency.peak_share * accelerator.peak_16bit) * (odd ? efficiency.odd_head : 1.0);
}

}  // namespace

Flop attention_core_flop(const Architecture& a, const Execution& e) {
  return Flop{2 * tokens_per_device(e) * keys_looked_at(a, e) * a.heads * (key_dim(a) + value_dim(a)) /
              e.parallel.tensor};
}

Seconds flash_time(Flop executed, double keys, double head_dim, const Accelerator& accelerator,
                   const AttentionEfficiency& efficiency) {
  return (1 + efficiency.half_keys / keys) * scores_time(executed, head_dim, accelerator, efficiency);
}

AttentionCoreTime attention_core_time(const Architecture& a, const Execution& e, const Accelerator& accelerator,
                                      const Software& software) {
  const AttentionEfficiency& efficiency = software.attention;
  const Flop executed = attention_core_flop(a, e);
  if (e.attention == AttentionKernel::flash) {
    const Seconds forward = flash_time(executed, keys_looked_at(a, e), key_dim(a), accelerator, efficiency);
    return {forward, 2.5 * forward};
  }
  const Bytes scores{efficiency.score_bytes * tokens_per_device(e) * e.batch.sequence * a.heads / e.parallel.tensor};
  const Seconds forward =
      scores_time(executed, key_dim(a), accelerator, efficiency) + scores / accelerator.memory_bandwidth;
  return {forward, 2 * forward};
}

}  // namespace dfsweep
