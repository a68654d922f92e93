#include "models/serving/points/neighbour_writers.hpp"

#include <array>

#include "models/serving/points/batch_figures.hpp"
#include "models/serving/points/neighbour_figures.hpp"
#include "models/serving/points/wide_writers.hpp"

namespace dfsweep::serving {

namespace {

void write_neighbours_by_pairs(const Neighbours& all, const StepModel& steps, FigureColumns::Points& out) {
  detail::write_neighbours<queueing::DemandLanes>(all, steps, out);
}

constexpr NeighbourWriter by_pairs{write_neighbours_by_pairs, detail::write_batches<queueing::DemandLanes>};

}  // namespace

std::span<const NeighbourWriter> neighbour_writers() {
#ifdef DFSWEEP_WIDE_REGISTERS
  static constexpr std::array<NeighbourWriter, 3> writers{
      {by_pairs, {write_neighbours_avx2, write_batches_avx2}, {write_neighbours_avx512, write_batches_avx512}}};
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  static const bool has_avx512 = has_avx2 && __builtin_cpu_supports("avx512f") != 0 &&
                                 __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0;
  return std::span(writers).first(has_avx512 ? 3 : has_avx2 ? 2 : 1);
#else
  static constexpr std::array<NeighbourWriter, 1> writers{by_pairs};
  return writers;
#endif
}

void write_neighbours(const Neighbours& all, const StepModel& steps, FigureColumns::Points& out) {
  neighbour_writers().back().neighbours(all, steps, out);
}
void write_neighbours(const Neighbours& all, const BeamSteps& steps, FigureColumns::Points& out) {
  detail::write_neighbours<queueing::DemandLanes>(all, steps, out);
}

void write_batches(const GivenBatches& all, FigureColumns::Points& out) {
  neighbour_writers().back().batches(all, out);
}

}  // namespace dfsweep::serving
