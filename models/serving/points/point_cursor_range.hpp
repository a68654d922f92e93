/// Ranges of rates that neighbouring points share, and their capacities.
#pragma once

#include "models/serving/points/point_cursor.hpp"

namespace dfsweep::serving {

template <class S>
const queueing::RateRange* PointCursor::range(const Deployment& d, const Demand& demand, const OperatingPoint& o,
                                              const S& steps) {
  using queueing::RangeFor;
  const bool is_stream = demand.traffic == Traffic::rate || demand.traffic == Traffic::share;
  const bool is_known = is_neighbour(d, demand, o) && last_.has_range;
  if (!is_known || (is_stream && last_.range && !last_.range->streams)) {
    const RangeFor use = is_stream ? RangeFor::streams : RangeFor::users;
    last_.range = d.prefill ? range_of_rates_of_pools(d, demand, o, use) : range_of_rates(d, demand, o, steps, use);
    last_.has_range = true;
  }
  return last_.range ? &*last_.range : nullptr;
}

template <class S>
double PointCursor::capacity(const Deployment& d, const Demand& demand, const OperatingPoint& o, const S& steps) {
  const queueing::RateRange* const known = range(d, demand, o, steps);
  if (is_given(last_.capacity) && last_.capacity_limits == demand.limits) return last_.capacity;
  last_.capacity_limits = demand.limits;
  last_.capacity = d.prefill ? highest_rate_of_pools(d, demand, o, known) : highest_rate(d, demand, o, steps, known);
  return last_.capacity;
}

}  // namespace dfsweep::serving
