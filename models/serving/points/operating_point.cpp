#include "models/serving/points/operating_point.hpp"

namespace dfsweep::serving {

namespace {

/// Replicas that both device_count and the count of replicas allow; NaN where they contradict each other.
double shared_replicas(const Deployment& d, const Demand& demand) {
  const double given = demand.replicas;
  if (!is_given(demand.devices)) return is_given(given) ? given : 1.0;
  const double all = demand.devices / d.devices;
  if (all != std::floor(all) || (is_given(given) && given != all)) return absent;
  return all;
}

/// Sets both counts of separate pools. False where they do not use the given devices.
bool place_pools(const Deployment& d, const Demand& demand, OperatingPoint& o) {
  o.prefill_replicas = is_given(demand.prefill_replicas) ? demand.prefill_replicas : 1.0;
  const double prompts = o.prefill_replicas * d.prefill->devices;
  const double given = is_given(demand.decode_replicas) ? demand.decode_replicas : demand.replicas;
  o.replicas = is_given(given) ? given : is_given(demand.devices) ? (demand.devices - prompts) / d.devices : 1.0;
  if (!(o.replicas >= 1) || o.replicas != std::floor(o.replicas)) return false;
  return !is_given(demand.devices) || prompts + o.replicas * d.devices == demand.devices;
}

}  // namespace

Request request_of(const Deployment& d, const Demand& demand) {
  Request request = demand.request;
  request.chunk = d.rules.chunk_tokens;
  return request;
}

double running_limit(const Deployment& d, const Demand& demand) {
  return demand.batch_limit > 0 ? demand.batch_limit : d.rules.running_limit;
}

Bytes memory_needed(const Deployment& d, const Demand& demand, double batch) {
  const Capacity& c = d.capacity;
  const double share = demand.batch > 0 ? 1.0 : c.cache_share;
  const Bytes cache = cache_bytes(c, demand.tokens, batch);
  if (c.share_of == MemoryShare::all) return (c.weights + c.buffers + cache) / share;
  return c.weights + c.buffers + cache / share;
}

Bytes prompt_memory_needed(const Deployment& d, const Demand& demand) {
  const Capacity& c = d.prefill->capacity;
  return c.weights + c.buffers + c.state + (demand.tokens.shared + demand.tokens.prompt) * c.token;
}

OperatingPoint placed(const Deployment& d, const Demand& demand, double fits) {
  OperatingPoint o;
  o.request = request_of(d, demand);
  o.fits = fits;
  o.status = d.status;
  if (d.prefill) {
    if (!place_pools(d, demand, o) && o.status == Status::ok) o.status = Status::degrees_do_not_divide;
  } else if (const double replicas = shared_replicas(d, demand); is_given(replicas)) {
    o.replicas = replicas;
  } else if (o.status == Status::ok) {
    o.status = Status::degrees_do_not_divide;
  }
  o.front = (d.prefill ? o.replicas / o.prefill_replicas : 1.0) * d.client.serial;
  o.requests =
      demand.traffic == Traffic::queue || demand.traffic == Traffic::endless ? demand.requests / o.replicas : 0;
  if (o.status == Status::ok && o.requests > 0 && o.requests < 1) o.status = Status::no_requests;
  return o;
}

double most_batch(const Deployment& d, const Demand& demand, const OperatingPoint& o) {
  if (demand.batch > 0) return demand.batch;
  return std::max(1.0, std::floor(std::min(o.fits, running_limit(d, demand) * d.ranks)));
}

void set_batch(const Deployment& d, const Demand& demand, OperatingPoint& o) {
  if (demand.batch <= 0 && o.fits < 1) {
    o.status = Status::out_of_memory;
    return;
  }
  double most = most_batch(d, demand, o);
  if (o.requests > 0) most = std::min(most, o.requests);
  o.batch = demand.users > 0 ? batch_of_users(o, most, demand.users) : most;
  const bool is_too_large = demand.batch > 0 && memory_used(d.capacity, demand.tokens, o.batch) > d.capacity.memory;
  if (is_too_large) o.status = Status::out_of_memory;
}

}  // namespace dfsweep::serving
