#include "models/cost/step_power.hpp"

#include <algorithm>
#include <cmath>

namespace dfsweep::cost {

double softly_below_one(double x) {
  const double square = x * x;
  // Nested square roots instead of a power, so that all processors give the same bits.
  return x / std::sqrt(std::sqrt(1.0 + square * square));
}

double below_one(double x) {
  const double fourth = x * x * x * x;
  return x / std::sqrt(std::sqrt(std::sqrt(1.0 + fourth * fourth)));
}

Watts training_power(const OperatorPower& p, const PowerRange& device, const TrainingWork& work) {
  const double idle = device.idle / device.limit;
  const double computing = p.cap * below_one((idle + p.active + p.flop * work.flop_share) / p.cap);
  const double exchanging = std::min(idle + p.active, 1.0);
  const double rest = std::max(0.0, 1.0 - work.computing - work.exchanging);
  return (work.computing * computing + work.exchanging * exchanging + rest * idle) * device.limit;
}

Watts kernel_power(const OperatorPower& p, const PowerRange& device, const KernelWork& work) {
  const double idle = device.idle / device.limit;
  const double load = idle + p.active + p.bytes * work.byte_share + p.flop * work.flop_share;
  return (work.busy * p.cap * below_one(load / p.cap) + (1.0 - work.busy) * idle) * device.limit;
}

Watts serving_power(const ServingPower& p, const PowerRange& device, const ServingWork& work) {
  constexpr double busy_bytes = 0.85;
  constexpr double busy_flop = 0.6;
  const double idle = device.idle / device.limit;
  const double busy = softly_below_one(work.byte_share / busy_bytes + work.flop_share / busy_flop + work.kernels);
  const double active = p.active + p.narrow * work.narrow;
  const double step =
      idle + active * busy + p.bytes * work.byte_share + p.flop * std::pow(work.flop_share, p.flop_exponent);
  const double rest = std::max(0.0, 1.0 - work.decoding - work.prompts);
  return below_one(work.decoding * step + work.prompts * p.prompt + rest * idle) * device.limit;
}

double clock_share(const PowerRange& full, Watts limit) {
  return limit < full.limit ? std::cbrt((limit - full.idle) / (full.limit - full.idle)) : 1.0;
}

}  // namespace dfsweep::cost
