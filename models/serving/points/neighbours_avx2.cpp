/// The figures of neighbours by instructions of AVX2, of which one works on four numbers.
#include "models/serving/points/batch_figures.hpp"
#include "models/serving/points/neighbour_figures.hpp"
#include "models/serving/points/wide_writers.hpp"

namespace dfsweep::serving {

void write_neighbours_avx2(const Neighbours& all, const StepModel& steps, FigureColumns::Points& out) {
  detail::write_neighbours<Lanes<4, 4>>(all, steps, out);
}

void write_batches_avx2(const GivenBatches& all, FigureColumns::Points& out) {
  detail::write_batches<Lanes<4, 4>>(all, out);
}

}  // namespace dfsweep::serving
