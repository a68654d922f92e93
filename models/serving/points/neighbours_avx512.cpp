/// The figures of neighbours by instructions of AVX-512, of which one works on eight numbers.
#include "models/serving/points/batch_figures.hpp"
#include "models/serving/points/neighbour_figures.hpp"
#include "models/serving/points/wide_writers.hpp"

namespace dfsweep::serving {

void write_neighbours_avx512(const Neighbours& all, const StepModel& steps, FigureColumns::Points& out) {
  constexpr std::size_t most_by_avx2 = 4;
  const std::size_t rest = all.sizes.size() % 8;
  if (rest == 0 || rest > most_by_avx2) return detail::write_neighbours<Lanes<8, 8>>(all, steps, out);
  // Registers of four numbers are faster where the others would be half empty.
  Neighbours full = all;
  full.sizes = all.sizes.first(all.sizes.size() - rest);
  if (!full.sizes.empty()) detail::write_neighbours<Lanes<8, 8>>(full, steps, out);
  Neighbours others = all;
  others.sizes = all.sizes.last(rest);
  others.place = all.place + full.sizes.size();
  write_neighbours_avx2(others, steps, out);
}

void write_batches_avx512(const GivenBatches& all, FigureColumns::Points& out) {
  detail::write_batches<Lanes<8, 8>>(all, out);
}

}  // namespace dfsweep::serving
