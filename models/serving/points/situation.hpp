/// Situation: where a deployment stands under a demand, before the waiting of requests is known.
#pragma once

#include "models/queueing/steady/mean_request.hpp"
#include "models/serving/points/operating_point.hpp"

namespace dfsweep::serving {

struct Situation {
  OperatingPoint o;
  bool is_placed = false;  ///< else the status of `o` says why there is nothing to compute
};

/// `fits`: requests whose cache fits a replica.
[[nodiscard]] Situation situation_of(const Deployment& deployment, const Demand& demand, double fits);

/// Whether requests wait for others.
[[nodiscard]] bool is_loaded(const Demand& demand);

/// Whether the figures of this point can be computed together with those of points whose traffic has another size.
[[nodiscard]] bool is_computed_with_neighbours(const Deployment& deployment, const Demand& demand);

/// The same of points without waiting that have another batch.
[[nodiscard]] bool has_neighbouring_batches(const Deployment& deployment, const Demand& demand);

/// What the range of rates of a deployment depends on beside it.
struct RangeKey {
  queueing::MeanRequest mean;
  double batch = absent;  ///< NaN: no range is known
  double batch_limit = 0.0;
  double sequences = 0.0;  ///< whose states the cache has no room for
  double replicas = 0.0;
  double prefill_replicas = 0.0;
  bool operator==(const RangeKey&) const = default;
};
[[nodiscard]] RangeKey range_key_of(const Deployment& deployment, const Demand& demand, const OperatingPoint& o);

}  // namespace dfsweep::serving
