#include "models/kernels/attention_core.hpp"

#include <cmath>

#include "models/transformer/model_flop.hpp"

namespace dfsweep {

Flop attention_core_flop(const Architecture& a, const Execution& e) {
  const bool flash = e.attention == AttentionKernel::flash;
  const double looked_at = flash ? context_tokens(a, e.batch.sequence, AttentionCount::causal) : e.batch.sequence;
  return Flop{2 * tokens_per_device(e) * looked_at * a.heads * (key_dim(a) + value_dim(a)) / e.parallel.tensor};
}

Seconds flash_time(Flop executed, double head_dim, const Accelerator& accelerator,
                   const AttentionEfficiency& efficiency) {
  const bool odd = std::fmod(head_dim, 8.0) != 0.0;
  return executed / (efficiency.peak_share * accelerator.peak_16bit) * (odd ? efficiency.odd_head : 1.0);
}

AttentionCoreTime attention_core_time(const Architecture& a, const Execution& e, const Accelerator& accelerator,
                                      const Software& software) {
  const AttentionEfficiency& efficiency = software.attention;
  const Seconds computing = flash_time(attention_core_flop(a, e), key_dim(a), accelerator, efficiency);
  if (e.attention == AttentionKernel::flash) return {computing, 2.5 * computing};
  const Bytes scores{efficiency.score_bytes * tokens_per_device(e) * e.batch.sequence * a.heads / e.parallel.tensor};
  const Seconds forward = computing + scores / accelerator.memory_bandwidth;
  return {forward, 2 * forward};
}

}  // namespace dfsweep
