/// Points of a sweep in pieces of the size in which the program evaluates them.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/plan/loaded_sweep.hpp"
#include "engine/run/evaluator.hpp"

namespace dfsweep::testing {

inline std::vector<PointBuffer> decoded_pieces(const LoadedSweep& sweep) {
  constexpr std::uint64_t piece = Evaluator::max_piece_points;
  std::vector<PointBuffer> pieces;
  for (std::uint64_t first = 0; first < sweep.rows.kept(); first += piece)
    sweep.rows.decode(first, std::min(piece, sweep.rows.kept() - first), pieces.emplace_back());
  return pieces;
}

inline double count_of_points(const std::vector<PointBuffer>& pieces) {
  double count = 0.0;
  for (const PointBuffer& points : pieces) count += static_cast<double>(points.points.size());
  return count;
}

}  // namespace dfsweep::testing
