#include "models/kernels/attention_core.hpp"

#include <algorithm>
#include <cmath>

#include "models/transformer/model_flop.hpp"

namespace dfsweep {

namespace {

/// Keys that a query looks at in the mean.
double keys_looked_at(const Architecture& a, const Execution& e) {
  const bool flash = e.attention == AttentionKernel::flash;
  return flash ? context_tokens(a, e.batch.sequence, AttentionCount::causal) : e.batch.sequence;
}

/// Rate of the scores of long sequences; a chip whose 8-bit kernels are no faster runs those of 16 bits.
Throughput scores_rate(MatrixFormat format, const Accelerator& accelerator, const AttentionEfficiency& efficiency) {
  const Throughput wide = efficiency.peak_share * accelerator.peak_16bit;
  if (format == MatrixFormat::bits16) return wide;
  return std::max(wide, efficiency.share_8bit * efficiency.peak_share * accelerator.peak_8bit);
}

Seconds scores_time(Flop executed, double head_dim, Throughput rate, const AttentionEfficiency& efficiency) {
  const bool odd = std::fmod(head_dim, 8.0) != 0.0;
  return executed / rate * (odd ? efficiency.odd_head : 1.0);
}

}  // namespace

Flop attention_core_flop(const Architecture& a, const Execution& e) {
  return Flop{2 * tokens_per_device(e) * keys_looked_at(a, e) * a.heads * (key_dim(a) + value_dim(a)) /
              e.parallel.tensor};
}

Seconds flash_time(Flop executed, double keys, double head_dim, MatrixFormat format, const Accelerator& accelerator,
                   const AttentionEfficiency& efficiency) {
  return (1 + efficiency.half_keys / keys) *
         scores_time(executed, head_dim, scores_rate(format, accelerator, efficiency), efficiency);
}

AttentionCoreTime attention_core_time(const Architecture& a, const Execution& e, const Accelerator& accelerator,
                                      const Software& software) {
  const AttentionEfficiency& efficiency = software.attention;
  const Flop executed = attention_core_flop(a, e);
  if (e.attention == AttentionKernel::flash) {
    const double passes = e.context_exchange == ContextExchange::ring ? e.parallel.context : 1.0;
    const MatrixFormat format = e.attention_8bit ? MatrixFormat::bits8 : MatrixFormat::bits16;
    const Seconds forward =
        flash_time(executed, keys_looked_at(a, e) / passes, key_dim(a), format, accelerator, efficiency);
    return {forward, 2.5 * forward};
  }
  const Bytes scores{efficiency.score_bytes * tokens_per_device(e) * e.batch.sequence * a.heads / e.parallel.tensor};
  const Seconds forward =
      scores_time(executed, key_dim(a), scores_rate(MatrixFormat::bits16, accelerator, efficiency), efficiency) +
      scores / accelerator.memory_bandwidth;
  return {forward, 2 * forward};
}

}  // namespace dfsweep
