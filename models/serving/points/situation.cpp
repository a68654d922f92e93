#include "models/serving/points/situation.hpp"

namespace dfsweep::serving {

namespace {

/// What the closed form does not know.
bool asks_for_simulation(const Demand& demand) {
  return is_given(demand.limit_quantile) || demand.traffic == Traffic::trace || demand.is_bursty;
}

}  // namespace

RangeKey range_key_of(const Deployment& d, const Demand& demand, const OperatingPoint& o) {
  const double sequences = d.capacity.state > Bytes{} ? o.batch : 0.0;
  return {demand.mean, demand.batch, demand.batch_limit, sequences, o.replicas, o.prefill_replicas};
}

bool is_loaded(const Demand& demand) {
  if (demand.batching == Batching::static_batch) return false;
  const bool waits = demand.traffic != Traffic::endless && demand.traffic != Traffic::queue;
  return waits || demand.queueing == Queueing::simulated;
}

bool is_computed_with_neighbours(const Deployment& d, const Demand& demand) {
  const bool has_size = demand.traffic == Traffic::rate || demand.traffic == Traffic::share ||
                        (demand.traffic == Traffic::users && demand.requests <= 0);  // else more users send fewer each
  return has_size && demand.queueing == Queueing::steady && is_loaded(demand) && !asks_for_simulation(demand) &&
         !d.prefill && d.status == Status::ok && demand.request.output > 1 && demand.mean.carried <= 0;
}

bool has_neighbouring_batches(const Deployment& d, const Demand& demand) {
  return demand.batch > 0 && demand.traffic == Traffic::endless && !is_loaded(demand) && !is_given(demand.step_limit) &&
         !d.prefill && d.status == Status::ok;
}

Situation situation_of(const Deployment& d, const Demand& demand, double fits) {
  OperatingPoint o = placed(d, demand, fits);
  if (o.status != Status::ok) return {o, false};
  const bool waits = is_loaded(demand);
  if (waits && demand.queueing == Queueing::steady && asks_for_simulation(demand))
    o.status = Status::needs_simulation;
  else if (d.prefill && (!waits || demand.traffic == Traffic::trace))
    o.status = Status::not_modelled;
  if (o.status != Status::ok) return {o, false};
  set_batch(d, demand, o);
  if (d.prefill && prompt_memory_needed(d, demand) > d.prefill->capacity.memory) o.status = Status::out_of_memory;
  return {o, true};
}

}  // namespace dfsweep::serving
