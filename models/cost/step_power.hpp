/// Step power: average watts of a device from the work that it does, below a limit that its clock keeps.
/// Source: docs/measured-energy.md, which holds the forms against measured watts.
#pragma once

#include "models/units.hpp"

namespace dfsweep::cost {

/// x / (1 + x^8)^(1/8): at most 1, and x where that is small.
[[nodiscard]] double below_one(double x);
/// x / (1 + x^4)^(1/4): the same, with a wider bend.
[[nodiscard]] double softly_below_one(double x);

/// Numbers of a software stack in shares of the limit; fitted to watts of measured operators.
struct OperatorPower {
  double active = 0.26;  ///< of a device that runs a kernel, beside its idle power
  double bytes = 0.53;   ///< at the whole bandwidth of the memory
  double flop = 3.0;     ///< at the peak rate, where a clock without limit could hold it
  double cap = 0.95;     ///< highest average
};

/// The same for serving; fitted to watts of whole engines.
struct ServingPower {
  double active = 0.21;
  double narrow = 0.18;  ///< of kernels of experts in 8 and 4 bits, beside `active`: they expand and scale weights
  double bytes = 0.31;
  double flop = 1.45;
  double flop_exponent = 0.52;
  double prompt = 0.99;          ///< while prompts are read
  Seconds layer{24e-6};          ///< kernels of a dense layer that keep the device busy without bytes or FLOP
  Seconds expert_layer{440e-6};  ///< the same of a layer with experts
};

/// A device.
struct PowerRange {
  Watts idle;
  Watts limit;
};

/// Shares of the time of a training step, and the share of the peak that computation reaches.
struct TrainingWork {
  double computing = 1.0;
  double exchanging = 0.0;  ///< exchanges that no computation hides
  double flop_share = 0.0;  ///< of the peak, while it computes
};
/// docs/models/cost.md: while it computes a device draws
///
///     w = limit cap min_8(1, (idle / limit + active + flop u_f) / cap)
///
/// idle + active limit while it exchanges, and idle power for the rest. Bytes are not counted: above a fifth of the
/// peak, where training runs, the limit decides.
[[nodiscard]] Watts training_power(const OperatorPower& power, const PowerRange& device, const TrainingWork& work);

/// What the kernels of a chip move and compute while it works.
struct KernelWork {
  double busy = 1.0;        ///< share of time
  double byte_share = 0.0;  ///< of the memory bandwidth, while it works
  double flop_share = 0.0;  ///< of the peak, likewise
};
/// docs/models/cost.md: while it works a chip draws
///
///     w = limit cap min_8(1, (idle / limit + active + bytes u_b + flop u_f) / cap)
///
/// and idle power for the rest.
[[nodiscard]] Watts kernel_power(const OperatorPower& power, const PowerRange& device, const KernelWork& work);

/// Decode steps of an engine, and the shares of time.
struct ServingWork {
  double prompts = 0.0;     ///< share of time that prompts take
  double decoding = 1.0;    ///< share of time of decode steps; the rest is idle
  double byte_share = 0.0;  ///< of the memory bandwidth, of a decode step
  double flop_share = 0.0;  ///< of the peak, of a decode step
  double kernels = 0.0;     ///< share of a decode step in which kernels run without much work: layers times theirs
  double narrow = 0.0;      ///< share of the layers whose experts have 8 or 4 bits
};
/// Watts of a device, docs/models/cost.md:
///
///     limit min_8(1, decoding (idle + (active + narrow s) busy + bytes u_b + flop u_f^g) + prompts prompt
///                     + rest idle)
///     busy = min_4(1, u_b / 0.85 + u_f / 0.6 + kernels)
///
/// where idle is a share of the limit, and s is `work.narrow`.
[[nodiscard]] Watts serving_power(const ServingPower& power, const PowerRange& device, const ServingWork& work);

/// Share of its full clock that a device keeps under a lower limit (docs/models/cost.md). Dynamic power is f V^2, and V
/// follows f at high clocks:
///
///     ((limit - idle) / (full - idle))^(1/3)
///
/// 1 where the limit is not lower. Pre: limit > idle.
[[nodiscard]] double clock_share(const PowerRange& full, Watts limit);

}  // namespace dfsweep::cost
