/// Writing of the figures of neighbours by the instructions that this processor has.
#pragma once

#include <span>

#include "models/serving/points/given_batches.hpp"
#include "models/serving/points/neighbours.hpp"
#include "models/serving/points/servers.hpp"

namespace dfsweep::serving {

/// Writes what depends on the size of the traffic. `steps`: times of the deployment's steps.
void write_neighbours(const Neighbours& all, const StepModel& steps, FigureColumns::Points& out);
void write_neighbours(const Neighbours& all, const BeamSteps& steps, FigureColumns::Points& out);
/// Writes what depends on the batch.
void write_batches(const GivenBatches& all, FigureColumns::Points& out);

/// Both by instructions of one width.
struct NeighbourWriter {
  void (*neighbours)(const Neighbours& all, const StepModel& steps, FigureColumns::Points& out);
  void (*batches)(const GivenBatches& all, FigureColumns::Points& out);
};
/// All that write the same figures on this processor; the last one, by its widest instructions, is the fastest.
[[nodiscard]] std::span<const NeighbourWriter> neighbour_writers();

}  // namespace dfsweep::serving
