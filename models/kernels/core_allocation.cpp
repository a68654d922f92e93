/// Exact min-max allocation of cores to kernels.
#include "models/kernels/core_allocation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/expect.hpp"

namespace dfsweep {

namespace {

/// A kernel as rows of lanes: cycles = ceil(rows / lanes) * ceil(columns / stages) * depth.
struct Work {
  double rows;     ///< ceil(m / W)
  double columns;  ///< ceil(n / H); 1 for element-wise kernels
  double depth;    ///< k; n for element-wise kernels
};

Work work_of(const Kernel& tile, const Device& device) {
  const double rows = std::ceil(tile.outer * tile.m / device.systolic_width);
  if (tile.type == KernelType::elementwise) return {rows, 1.0, tile.n};
  return {rows, std::ceil(tile.n / device.systolic_height), tile.k};
}

/// Calls visit(lanes, ceil(rows / lanes)) for the smallest `lanes` of every distinct quotient, in ascending order.
template <class Visit>
void for_each_lanes(double rows, double most_lanes, Visit visit) {
  double lanes = 1.0;
  while (lanes <= most_lanes) {
    const double turns = std::ceil(rows / lanes);
    visit(lanes, turns);
    if (turns <= 1.0) return;
    lanes = std::ceil(rows / (turns - 1.0));
  }
}

/// Fewest cores with which `work` finishes within `cycles`; infinite where even `cores` are too few.
double cores_needed(const Work& work, double cycles, double cores) {
  double fewest = std::numeric_limits<double>::infinity();
  for_each_lanes(work.rows, cores, [&](double lanes, double turns) {
    const double columns_per_stage = std::floor(cycles / (turns * work.depth));
    if (columns_per_stage < 1.0) return;
    fewest = std::min(fewest, lanes * std::ceil(work.columns / columns_per_stage));
  });
  return fewest;
}

double cycles_alone(const Work& work, double cores) {
  double least = std::numeric_limits<double>::infinity();
  for_each_lanes(work.rows, cores, [&](double lanes, double turns) {
    const double stages = std::floor(cores / lanes);
    least = std::min(least, turns * std::ceil(work.columns / stages) * work.depth);
  });
  return least;
}

}  // namespace

double partition_cycles(std::span<const Kernel> tiles, const Device& device) {
  DFSWEEP_EXPECT(device.has_cores());
  const double cores = device.cores;
  if (tiles.empty()) return 0.0;
  if (static_cast<double>(tiles.size()) > cores) return std::numeric_limits<double>::infinity();
  std::vector<Work> works;
  double low = 0.0;   // too few cycles
  double high = 0.0;  // enough: every kernel on one core
  for (const Kernel& tile : tiles) {
    works.push_back(work_of(tile, device));
    low = std::max(low, cycles_alone(works.back(), cores));
    high = std::max(high, works.back().rows * works.back().columns * works.back().depth);
  }
  if (tiles.size() == 1) return low;
  low -= 1.0;
  const auto fits = [&](double cycles) {
    double sum = 0.0;
    for (const Work& work : works)
      if ((sum += cores_needed(work, cycles, cores)) > cores) return false;
    return true;
  };
  while (high - low > 1.0) {
    const double middle = std::floor(low + (high - low) / 2.0);
    (fits(middle) ? high : low) = middle;
    if (middle + 1.0 == middle) break;  // above 2^53 not every whole number is a double
  }
  return high;
}

}  // namespace dfsweep
