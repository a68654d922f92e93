/// The Pareto front of cores and cycles.
#include "models/dataflow/mapping/core_choices.hpp"

#include <algorithm>
#include <cmath>

#include "models/expect.hpp"

namespace dfsweep::dataflow {

namespace {

/// Calls visit(parts, ceil(size / parts)) for the smallest `parts` of every distinct quotient, in ascending order.
template <class Visit>
void for_each_quotient(double size, double most_parts, Visit visit) {
  for (double parts = 1.0; parts <= most_parts;) {
    const double turns = std::ceil(size / parts);
    visit(parts, turns);
    if (turns <= 1.0) return;
    parts = std::ceil(size / (turns - 1.0));
  }
}

}  // namespace

TileBlocks tile_blocks(const Kernel& tile, const Device& device) {
  const bool matrix = tile.type == KernelType::matrix;
  return {.rows = std::ceil(tile.outer * tile.m / device.systolic_width),
          .columns = matrix ? std::ceil(tile.n / device.systolic_height) : 1.0,
          .depth = matrix ? tile.k : tile.n};
}

std::vector<CoreChoice> core_choices(const TileBlocks& tile, double tiles, const Device& device) {
  DFSWEEP_EXPECT(device.has_cores());
  std::vector<std::pair<double, double>> ways;  // cores, cycles
  for_each_quotient(tile.rows, device.cores, [&](double lanes, double row_turns) {
    for_each_quotient(tile.columns, std::floor(device.cores / lanes), [&](double stages, double column_turns) {
      ways.emplace_back(lanes * stages, row_turns * column_turns * tile.depth);
    });
  });
  std::sort(ways.begin(), ways.end());
  std::vector<CoreChoice> choices;
  double fewest_cycles = std::numeric_limits<double>::infinity();
  for (const auto& [cores, cycles] : ways) {
    if (cycles >= fewest_cycles) continue;
    fewest_cycles = cycles;
    choices.push_back({cores, Seconds{cycles * tiles / device.frequency.value()}});
  }
  return choices;
}

}  // namespace dfsweep::dataflow
