#include "models/cost/step_power.hpp"

#include <algorithm>
#include <cmath>

namespace dfsweep::cost {

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

double clock_share(const PowerRange& full, Watts limit) {
  return limit < full.limit ? std::cbrt((limit - full.idle) / (full.limit - full.idle)) : 1.0;
}

}  // namespace dfsweep::cost
