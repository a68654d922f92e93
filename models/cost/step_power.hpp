/// Step power: average watts of a device from the work that it does, below a limit that its clock keeps.
/// Source: docs/measured-energy.md, which holds the forms against measured watts.
#pragma once

#include "models/quantity_lanes.hpp"
#include "models/units.hpp"

namespace dfsweep::cost {

/// x / (1 + x^8)^(1/8): at most 1, and x where that is small. Nested square roots instead of a power, so that all
/// processors give the same bits.
template <class Number>
[[nodiscard]] Number below_one(const Number& x) {
  const Number fourth = x * x * x * x;
  return x / square_root(square_root(square_root(1.0 + fourth * fourth)));
}
/// x / (1 + x^4)^(1/4): the same, with a wider bend.
template <class Number>
[[nodiscard]] Number softly_below_one(const Number& x) {
  const Number square = x * x;
  return x / square_root(square_root(1.0 + square * square));
}

/// Numbers of a software stack in shares of the limit; fitted to watts of measured operators.
struct OperatorPower {
  double active = 0.26;  ///< of a device that runs a kernel, beside its idle power
  double bytes = 0.53;   ///< at the whole bandwidth of the memory
  double flop = 3.0;     ///< at the peak rate, where a clock without limit could hold it
  double cap = 0.95;     ///< highest average
};

/// The same for serving; fitted to watts of whole engines.
struct ServingPower {
  double active = 0.335;
  double narrow = 2.5;  ///< bytes that a byte of weights of experts in 8 or 4 bits counts as: it is expanded and scaled
  double bytes = 0.34;
  double flop = 3.3;
  double prompt = 0.98;         ///< while prompts are read
  Seconds layer{28e-6};         ///< kernels of a dense layer that keep the device busy without bytes or FLOP
  Seconds expert_layer{82e-6};  ///< the same of a layer with experts
  Seconds routed{0.15e-9};      ///< the same for each number of the rows that experts take: gathered and added
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
template <class Number>
struct BasicServingWork {
  Number prompts = 0.0;     ///< share of time that prompts take
  Number decoding = 1.0;    ///< share of time of decode steps; the rest is idle
  Number byte_share = 0.0;  ///< of the memory bandwidth, of a decode step; narrow experts count `narrow` times
  Number flop_share = 0.0;  ///< of the peak, of a decode step
  Number kernels = 0.0;     ///< share of a decode step in which kernels run without much work
};
using ServingWork = BasicServingWork<double>;
/// Watts of a device, docs/models/cost.md:
///
///     limit min_8(1, decoding (idle + active busy + bytes u_b + flop u_f) + prompts prompt + rest idle)
///     busy = min_4(1, u_b / 0.85 + u_f / 0.6 + kernels)
///
/// where idle is a share of the limit.
template <class Number>
[[nodiscard]] InLanes<Watts, Number> serving_power(const ServingPower& p, const PowerRange& device,
                                                   const BasicServingWork<Number>& work) {
  constexpr double busy_bytes = 0.85;
  constexpr double busy_flop = 0.6;
  const double idle = device.idle / device.limit;
  const Number busy =
      softly_below_one<Number>(work.byte_share / busy_bytes + work.flop_share / busy_flop + work.kernels);
  const Number step = idle + p.active * busy + p.bytes * work.byte_share + p.flop * work.flop_share;
  const Number rest = greater(0.0, 1.0 - work.decoding - work.prompts);
  return below_one<Number>(work.decoding * step + work.prompts * p.prompt + rest * idle) * device.limit;
}

/// Share of its full clock that a device keeps under a lower limit (docs/models/cost.md). Dynamic power is f V^2, and V
/// follows f at high clocks:
///
///     ((limit - idle) / (full - idle))^(1/3)
///
/// 1 where the limit is not lower. Pre: limit > idle.
[[nodiscard]] double clock_share(const PowerRange& full, Watts limit);

}  // namespace dfsweep::cost
