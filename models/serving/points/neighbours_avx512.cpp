/// The figures of neighbours by instructions of AVX-512, of which one works on eight numbers.
#include "models/serving/points/batch_figures.hpp"
#include "models/serving/points/neighbour_figures.hpp"
#include "models/serving/points/wide_writers.hpp"

namespace dfsweep::serving {

void write_neighbours_avx512(const Neighbours& all, const StepModel& steps, FigureColumns::Points& out) {
  detail::write_neighbours<Lanes<8, 8>>(all, steps, out);
}

void write_batches_avx512(const GivenBatches& all, FigureColumns::Points& out) {
  detail::write_batches<Lanes<8, 8>>(all, out);
}

}  // namespace dfsweep::serving
