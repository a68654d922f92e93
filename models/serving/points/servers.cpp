#include "models/serving/points/servers.hpp"

namespace dfsweep::serving {

queueing::Deployment shared_servers(const Deployment& d, const Demand& demand, const OperatingPoint& o) {
  queueing::Deployment servers;
  servers.replicas = static_cast<std::uint32_t>(o.replicas);
  servers.attention_ranks = static_cast<std::uint32_t>(d.ranks);
  servers.tokens_per_step = d.steps.tokens_per_step();
  servers.host = d.host;
  servers.rules = d.rules;
  servers.client = d.client;
  servers.rules.running_limit = running_limit(d, demand);
  if (demand.batch > 0)
    servers.rules.running_limit = std::max(1.0, std::floor(demand.batch / d.ranks));
  else if (demand.request.beams > 1)
    servers.rules.running_limit = std::max(1.0, std::floor(std::min(servers.rules.running_limit, o.fits / d.ranks)));
  else
    servers.cache_tokens =
        cache_tokens(d.capacity, std::min(servers.rules.running_limit, std::max(1.0, o.batch / d.ranks)));
  return servers;
}

queueing::Pools separate_servers(const Deployment& d, const Demand& demand, const OperatingPoint& o) {
  queueing::Pools pools;
  pools.prompt_replicas = static_cast<std::uint32_t>(o.prefill_replicas);
  pools.prompt_ranks = static_cast<std::uint32_t>(d.prefill->ranks);
  pools.prompt_chunk_tokens = d.rules.chunk_tokens;
  pools.handover_per_token = d.prefill->handover_per_token;
  pools.decode = shared_servers(d, demand, o);
  return pools;
}

queueing::Demand asked_of(const Demand& demand) {
  using queueing::DemandKind;
  if (demand.traffic == Traffic::rate) return {DemandKind::rate, demand.arrival_rate};
  if (demand.traffic == Traffic::share) return {DemandKind::share, demand.load};
  return {DemandKind::users, demand.users};
}

}  // namespace dfsweep::serving
