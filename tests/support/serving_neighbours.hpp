/// Neighbours of one point of the estimator `serving`, with all that they refer to.
#pragma once

#include <span>

#include "models/serving/points/kept_range.hpp"
#include "models/serving/points/neighbour_writers.hpp"
#include "models/serving/points/situation.hpp"
#include "models/serving/points/values.hpp"

namespace dfsweep::testing {

class ServingNeighbours {
 public:
  /// Pre: prompts and answers share the servers of the point, and `values` and `v` outlive the object.
  ServingNeighbours(const serving::DecodedValues& values, const serving::PointValues& v)
      : deployment_(serving::deployment_of(values, v)),
        demand_(serving::demand_of(v, nullptr)),
        point_(serving::situation_of(deployment_, demand_, serving::most_requests(deployment_.capacity, demand_.tokens))
                   .o),
        servers_(serving::shared_servers(deployment_, demand_, point_)),
        setting_(queueing::setting_of(servers_, demand_.mean, servers_.replicas)),
        values_(servers_, demand_.mean, 1.0) {}
  ServingNeighbours(const ServingNeighbours&) = delete;
  ServingNeighbours& operator=(const ServingNeighbours&) = delete;

  /// Whether the point's batch fits and its neighbours can be written together.
  [[nodiscard]] bool are_served() const {
    return point_.status == serving::Status::ok && queueing::can_be_together(servers_, demand_.mean);
  }
  /// Neighbours with these sizes of traffic, of which none saturates the deployment. Pre: are_served().
  [[nodiscard]] serving::Neighbours of_sizes(std::span<const double> sizes) {
    const queueing::RateRange& known = *range_.range(deployment_, demand_, point_, deployment_.steps);
    return {deployment_, demand_, point_,     setting_,
            values_,     known,   everything, serving::most_batch(deployment_, demand_, point_),
            sizes};
  }
  /// The same with other batches, where the point has a given one and requests do not wait.
  [[nodiscard]] serving::GivenBatches of_batches(std::span<const double> sizes) const {
    return {deployment_, demand_, point_, times_of_, everything, sizes};
  }

 private:
  static constexpr serving::WantedParts everything{
      .phase = true, .flops = true, .watts = true, .steps = true, .prompts = true};
  serving::Deployment deployment_;
  serving::Demand demand_;
  serving::OperatingPoint point_;
  serving::KeptPrompts prompts_;
  serving::RooflineTimes times_of_{deployment_, point_.request, demand_.batching, prompts_};
  queueing::Deployment servers_;
  queueing::FormSetting setting_;
  queueing::SharedValues values_;
  serving::KeptRange range_;
};

}  // namespace dfsweep::testing
