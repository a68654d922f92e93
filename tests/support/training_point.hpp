/// Training points that tests share: a small decoder on two nodes of eight devices with round numbers.
#pragma once

#include "models/kernels/software.hpp"
#include "models/training/step/point.hpp"
#include "models/transformer/architecture.hpp"

namespace dfsweep::testing {

/// 8 layers, hidden 4096, 32 heads of 128 with 8 key-value heads, gated network of 14336, vocabulary 32000.
[[nodiscard]] Architecture small_decoder();

/// The same with 8 experts of 4096, 2 for each token, one shared expert.
[[nodiscard]] Architecture small_expert_decoder();

/// 16 devices of 1 PFLOP/s, 4 TB/s and 80 GB in nodes of 8; 400 GB/s inside, 50 GB/s across; tensor 2, data 8; 32
/// sequences of 4096 tokens in micro-batches of 1; default software.
[[nodiscard]] training::TrainingPoint training_point();

/// Without smooth maxima, host times, fixed times and size losses: every time is work over rate.
[[nodiscard]] Software ideal_software();

}  // namespace dfsweep::testing
