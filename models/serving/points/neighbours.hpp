/// Neighbours: points of one deployment and demand that differ in the size of their traffic alone, and whose figures
/// are computed several at once.
#pragma once

#include <cstddef>
#include <span>

#include "models/queueing/steady/steady.hpp"
#include "models/serving/points/batch_work.hpp"
#include "models/serving/points/figure_columns.hpp"
#include "models/serving/points/operating_point.hpp"

namespace dfsweep::serving {

/// Neighbours are written together at most.
inline constexpr std::size_t most_together = 32;

/// Points that are served alike: the batch of each fits, the room for it is the same, and no stream saturates them. All
/// members outlive the object.
struct Neighbours {
  const Deployment& deployment;
  const Demand& demand;
  const OperatingPoint& o;
  const queueing::FormSetting& setting;
  const queueing::SharedValues& values;
  const queueing::RateRange& known;  ///< rate_range() of the deployment
  WantedParts wanted;
  double most_batch = 1.0;        ///< of a replica
  std::span<const double> sizes;  ///< of their traffic; no more than most_together
  std::size_t place = 0;          ///< of the first of them among the points that are written

  /// The batch of a replica.
  template <class Number>
  [[nodiscard]] Number batch(const Number& size) const {
    return demand.traffic == Traffic::users ? batch_of_users(o, most_batch, size) : most_batch;
  }
};

}  // namespace dfsweep::serving
