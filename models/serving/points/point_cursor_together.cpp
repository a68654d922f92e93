/// Points of one deployment and demand that differ in the size of their traffic alone: their figures are computed
/// several at once.
#include <algorithm>

#include "models/serving/points/figure_writing.hpp"
#include "models/serving/points/neighbour_writers.hpp"
#include "models/serving/points/point_cursor.hpp"

namespace dfsweep::serving {

namespace {

/// How many of the points, from the first one on, are served alike: their batch fits, and the room for it is the same.
std::size_t served_alike(const Neighbours& all) {
  const Deployment& d = all.deployment;
  const Demand& demand = all.demand;
  const bool is_batch_given = demand.batch > 0;
  const bool has_states = d.capacity.state > Bytes{};
  if (!is_batch_given && !has_states) return all.sizes.size();
  const auto is_other = [&](double size) {
    const double batch = all.batch(size);
    if (has_states && batch != all.o.batch) return true;
    return is_batch_given && memory_used(d.capacity, demand.tokens, batch) > d.capacity.memory;
  };
  return static_cast<std::size_t>(std::find_if(all.sizes.begin(), all.sizes.end(), is_other) - all.sizes.begin());
}

}  // namespace

template <class S>
std::size_t PointCursor::write_together(const Deployment& d, const Demand& demand, std::span<const double> sizes,
                                        const S& steps, FigureColumns::Points out) {
  const Situation first = situation_of(d, demand, last_.fits);
  const OperatingPoint& o = first.o;
  if (!first.is_placed || o.status != Status::ok) return 0;
  const queueing::Deployment servers = shared_servers(d, demand, o);
  if (!queueing::can_be_together(servers, demand.mean)) return 0;
  const queueing::FormSetting setting = queueing::setting_of(servers, demand.mean, servers.replicas);
  const double most = *std::max_element(sizes.begin(), sizes.end()) / setting.ranks;
  const bool few =
      !wanted_.capacity && demand.traffic == Traffic::users && most < queueing::running_limit(servers, demand.mean);
  const queueing::RateRange& known = *last_.rates.range(d, demand, o, steps, few);
  const queueing::SharedValues values(servers, demand.mean, 1.0);
  Neighbours all{d, demand, o, setting, values, known, wanted_, most_batch(d, demand, o), sizes};
  all.sizes = sizes.first(served_alike(all));
  all.sizes = sizes.first(queueing::not_saturated(setting, asked_of(demand).kind, all.sizes, known));
  if (all.sizes.size() < 2) return 0;
  out.choose(0, all.sizes.size());
  write_deployment(out, d, o);
  if (demand.traffic == Traffic::users) write_queueing_errors(out, d, demand, absent);
  if (wanted_.capacity) out.set(Metric::capacity, last_.rates.capacity(d, demand, o, steps));
  write_neighbours(all, steps, out);
  out.leave_out_rest(all.sizes.size());
  return all.sizes.size();
}

std::size_t PointCursor::write_together(const Deployment& d, const Demand& demand, std::span<const double> sizes,
                                        const FigureColumns::Points& out) {
  move_to(d, demand);
  if (demand.request.beams > 1) return write_together(d, demand, sizes, BeamSteps{d.steps, demand.request.beams}, out);
  return write_together(d, demand, sizes, d.steps, out);
}

}  // namespace dfsweep::serving
