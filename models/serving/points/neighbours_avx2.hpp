/// The figures of neighbours by instructions of AVX2, of which one works on four numbers.
#pragma once

#include "models/serving/points/neighbours.hpp"

namespace dfsweep::serving {

/// The figures of write_neighbours(). Pre: the processor has AVX2.
void write_neighbours_avx2(const Neighbours& all, const StepModel& steps, FigureColumns::Points& out);

}  // namespace dfsweep::serving
