/// GivenBatches: points of one deployment and demand that differ in a given batch alone, without waiting, and whose
/// figures are computed several at once.
#pragma once

#include <span>

#include "models/serving/points/roofline_times.hpp"

namespace dfsweep::serving {

/// All members outlive the object.
struct GivenBatches {
  const Deployment& deployment;
  const Demand& demand;
  const OperatingPoint& o;
  const RooflineTimes& times_of;
  WantedParts wanted;
  std::span<const double> sizes;
};

}  // namespace dfsweep::serving
