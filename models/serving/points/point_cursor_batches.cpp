/// Points of one deployment and demand that differ in a given batch alone: their figures are computed several at once.
#include "models/serving/points/figure_writing.hpp"
#include "models/serving/points/neighbour_writers.hpp"
#include "models/serving/points/point_cursor.hpp"

namespace dfsweep::serving {

template <class S>
void PointCursor::write_capacities(const Deployment& d, Demand demand, OperatingPoint o,
                                   std::span<const double> batches, const S& steps, FigureColumns::Points& out) {
  for (std::size_t k = 0; k < batches.size(); ++k) {
    demand.batch = o.batch = batches[k];
    const bool fits = memory_used(d.capacity, demand.tokens, o.batch) <= d.capacity.memory;
    out.choose(k, 1);
    out.set(Metric::capacity, fits ? last_.rates.capacity(d, demand, o, steps) : absent);
  }
}

std::size_t PointCursor::write_batches(const Deployment& d, const Demand& demand, std::span<const double> batches,
                                       FigureColumns::Points out) {
  move_to(d, demand);
  const Situation first = situation_of(d, demand, last_.fits);
  if (!first.is_placed) return 0;
  const RooflineTimes times_of{d, first.o.request, demand.batching, last_.prompts};
  out.choose(0, batches.size());
  write_deployment(out, d, first.o);
  serving::write_batches({d, demand, first.o, times_of, wanted_, batches}, out);
  if (wanted_.capacity && demand.batching == Batching::in_flight) {
    if (demand.request.beams > 1)
      write_capacities(d, demand, first.o, batches, BeamSteps{d.steps, demand.request.beams}, out);
    else
      write_capacities(d, demand, first.o, batches, d.steps, out);
  }
  out.leave_out_rest(batches.size());
  return batches.size();
}

}  // namespace dfsweep::serving
