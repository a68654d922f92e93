/// Attention core: scores, softmax and weighted values of one layer on one device, with and without flash kernels.
#pragma once

#include "models/kernels/execution.hpp"
#include "models/kernels/software.hpp"
#include "models/machine/accelerator.hpp"
#include "models/transformer/architecture.hpp"

namespace dfsweep {

struct AttentionCoreTime {
  Seconds forward;
  Seconds backward;
};

/// FLOP executed in the forward pass: 2 t ctx a (dqk + dv) / TP; ctx = s/2 for flash kernels, which skip the masked
/// half and what is outside of windows (context_tokens), otherwise s: materialized scores are masked afterwards.
[[nodiscard]] Flop attention_core_flop(const Architecture& architecture, const Execution& execution);

/// Forward time of a flash kernel: FLOP / (P16 ea) (1 + half_keys / keys), times `odd_head` where the head width is not
/// a multiple of 8. `keys`: that a query looks at in the mean; few of them leave its tiles short. `format` of 8 bits:
/// at P8 ea share_8bit where that is faster.
[[nodiscard]] Seconds flash_time(Flop executed, double keys, double head_dim, MatrixFormat format,
                                 const Accelerator& accelerator, const AttentionEfficiency& efficiency);

/// Forward time: flash_time, or FLOP / (P16 ea) plus c_s t s a / TP / B for scores written to memory. The backward pass
/// takes 2.5 times as long with flash kernels, which recompute the scores [flash2] section 3.1, otherwise 2 times. In a
/// ring of CP devices a query looks at the keys of one device at a time, so a kernel has 1/CP of the keys. At the
/// 16-bit rate but for flash kernels with `attention_8bit`.
[[nodiscard]] AttentionCoreTime attention_core_time(const Architecture& architecture, const Execution& execution,
                                                    const Accelerator& accelerator, const Software& software);

}  // namespace dfsweep
