#include "models/serving/points/neighbour_writers.hpp"

#include <array>

#include "models/serving/points/neighbour_figures.hpp"
#include "models/serving/points/neighbours_avx2.hpp"

namespace dfsweep::serving {

namespace {

void write_by_pairs(const Neighbours& all, const StepModel& steps, FigureColumns::Points& out) {
  detail::write_neighbours<queueing::DemandLanes>(all, steps, out);
}

}  // namespace

std::span<const NeighbourWriter> neighbour_writers() {
#ifdef DFSWEEP_AVX2
  static constexpr std::array<NeighbourWriter, 2> writers{write_by_pairs, write_neighbours_avx2};
  static const std::size_t usable = __builtin_cpu_supports("avx2") != 0 ? 2 : 1;
  return std::span(writers).first(usable);
#else
  static constexpr std::array<NeighbourWriter, 1> writers{write_by_pairs};
  return writers;
#endif
}

void write_neighbours(const Neighbours& all, const StepModel& steps, FigureColumns::Points& out) {
  neighbour_writers().back()(all, steps, out);
}
void write_neighbours(const Neighbours& all, const BeamSteps& steps, FigureColumns::Points& out) {
  detail::write_neighbours<queueing::DemandLanes>(all, steps, out);
}

}  // namespace dfsweep::serving
