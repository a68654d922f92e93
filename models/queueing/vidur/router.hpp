/// Router: assigns requests to replicas.
#pragma once

#include <span>
#include <vector>

#include "models/queueing/vidur/mersenne_twister.hpp"
#include "models/queueing/vidur/replica_scheduler.hpp"

namespace dfsweep::vidur {

/// The assignment is final. Source: [vidur] global_scheduler/
class Router {
 public:
  Router(Routing routing, std::uint32_t replicas)
      : routing_(routing), replicas_(replicas), counts_(replicas), is_target_(replicas), random_(42) {}

  /// Assigns requests in the given order, `assigned(request, replica)` for each, and returns the replicas that received
  /// some, lowest first. The queues are looked at before the first of them.
  template <class Assigned>
  std::span<const std::uint32_t> assign(std::span<const RequestIndex> requests,
                                        std::span<const ReplicaScheduler> replicas, const Assigned& assigned) {
    if (routing_ == Routing::least_outstanding)
      for (std::uint32_t r = 0; r < replicas_; ++r) counts_[r] = replicas[r].waiting();
    for (const RequestIndex request : requests) {
      const std::uint32_t replica = next();
      is_target_[replica] = 1;
      assigned(request, replica);
    }
    targets_.clear();
    for (std::uint32_t r = 0; r < replicas_; ++r) {
      if (is_target_[r] != 0) targets_.push_back(r);
      is_target_[r] = 0;
    }
    return targets_;
  }

 private:
  std::uint32_t next() {
    if (routing_ == Routing::random) return random_.below(replicas_);
    if (routing_ == Routing::round_robin) return turn_++ % replicas_;
    std::uint32_t least = 0;
    for (std::uint32_t r = 1; r < replicas_; ++r)
      if (counts_[r] < counts_[least]) least = r;
    ++counts_[least];
    return least;
  }

  Routing routing_;
  std::uint32_t replicas_;
  std::uint32_t turn_ = 0;
  std::vector<std::uint32_t> counts_;
  std::vector<std::uint8_t> is_target_;
  std::vector<std::uint32_t> targets_;
  MersenneTwister random_;
};

}  // namespace dfsweep::vidur
