#include "models/training/communication/data_exchange.hpp"

#include <algorithm>
#include <cmath>

namespace dfsweep::training {

namespace {

/// One pass in buckets: the bytes once, the latency for every bucket.
Seconds bucketed_pass(Bytes size, const GroupPlace& group, const Network& network, const LinkEfficiency& links) {
  if (!(size > Bytes{})) return Seconds{};
  const double buckets = std::ceil(size / links.bucket);
  return buckets * one_pass_time(size / buckets, group, network, links);
}

}  // namespace

ReplicaGroups replica_groups(double replicas, double stride, double group, const Enclosures& enclosures) {
  const double shard = group > 0 ? std::min(group, replicas) : replicas;
  return {place(shard, stride, enclosures),
          place(std::max(1.0, std::floor(replicas / shard)), stride * shard, enclosures)};
}

Seconds weight_gather_time(double parameters, const ReplicaGroups& groups, const WireBytes& wire,
                           const Network& network, const LinkEfficiency& links) {
  return bucketed_pass(Bytes{wire.weight * parameters}, groups.shard, network, links);
}

DataExchange data_exchange(double parameters, Sharding sharding, const ReplicaGroups& groups, const WireBytes& wire,
                           const Network& network, const LinkEfficiency& links) {
  const Bytes gradients{wire.gradient * parameters};
  const Seconds copies = 2 * bucketed_pass(gradients / groups.shard.ranks, groups.copies, network, links);
  const Seconds scatter = bucketed_pass(gradients, groups.shard, network, links);
  if (sharding == Sharding::none) return {2 * scatter + copies, Seconds{}, Seconds{}};
  const Seconds gather = weight_gather_time(parameters, groups, wire, network, links);
  if (sharding == Sharding::parameters) return {copies, 2 * gather + scatter, Seconds{}};
  return {scatter + copies + gather, Seconds{}, sharding == Sharding::gradients ? scatter : Seconds{}};
}

}  // namespace dfsweep::training
