/// The figures of neighbours by instructions that work on more numbers than those of every processor, each in a source
/// that is compiled for them.
#pragma once

#include "models/serving/points/given_batches.hpp"
#include "models/serving/points/neighbours.hpp"

namespace dfsweep::serving {

/// The figures of write_neighbours(). Pre: the processor has AVX2.
void write_neighbours_avx2(const Neighbours& all, const StepModel& steps, FigureColumns::Points& out);
/// Likewise. Pre: the processor has AVX-512 with its parts F, DQ and VL.
void write_neighbours_avx512(const Neighbours& all, const StepModel& steps, FigureColumns::Points& out);

/// The figures of write_batches(), on the same processors.
void write_batches_avx2(const GivenBatches& all, FigureColumns::Points& out);
void write_batches_avx512(const GivenBatches& all, FigureColumns::Points& out);

}  // namespace dfsweep::serving
