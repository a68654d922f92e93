#include "models/serving/points/neighbours_avx2.hpp"

#include "models/serving/points/neighbour_figures.hpp"

namespace dfsweep::serving {

void write_neighbours_avx2(const Neighbours& all, const StepModel& steps, FigureColumns::Points& out) {
  detail::write_neighbours<Lanes<queueing::demands_together, 4>>(all, steps, out);
}

}  // namespace dfsweep::serving
