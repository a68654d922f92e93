/// Batch work: what the kernels of a batch move and compute on a device, for its watts. Source: docs/models/cost.md.
#pragma once

#include "models/cost/step_power.hpp"
#include "models/measured_tables/batch.hpp"
#include "models/measured_tables/operator_work.hpp"
#include "models/profiled/times/batch_time.hpp"

namespace dfsweep::profiled {

/// Of a layer: all operators over the tokens of a batch; `additions`: residual additions of a block.
[[nodiscard]] OperatorWork tokens_work(const LayerSplit& layer, double tokens, double additions);
/// Attention of a layer. The requests of a part count as equal, with contexts in whole pages.
[[nodiscard]] OperatorWork attention_work(const LayerSplit& layer, const BatchPart& decode, const BatchPart& prefill);

/// Of a batch, in which kernels run: without exchanges and processor.
[[nodiscard]] Seconds kernel_time(const BatchTime& time);
/// The shares that kernels with this work reach in `kernels`, at most 1, while they run. Pre: the rates are known.
[[nodiscard]] cost::KernelWork running_work(const OperatorWork& work, const DeviceRates& rates, Seconds kernels);

/// The shares of a device of a replica whose stages follow batch after batch: kernels run in what is left of the step
/// without exchanges and processor, `work` is that of all included stages on one device of each. Pre: the rates are
/// known.
[[nodiscard]] cost::KernelWork kernel_work(const OperatorWork& work, const DeviceRates& rates, const BatchTime& time,
                                           const Stages& stages);

}  // namespace dfsweep::profiled
