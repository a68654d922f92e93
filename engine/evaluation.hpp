/// Evaluation: the estimates of a block, computed by all threads of this rank.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/plan.hpp"

namespace dfsweep {

/// Estimates of kept points, reused from block to block.
struct EstimateBuffer {
  std::vector<std::uint8_t> status;          ///< [point]
  std::vector<std::vector<double>> metrics;  ///< [MetricIndex][point], all metrics of the estimator
};

/// The best points of one group found so far: `top` at most, best first, ties by grid index.
struct Candidate {
  double value = 0.0;                 ///< of the searched metric
  std::uint64_t point = 0;            ///< grid index
  std::vector<std::uint32_t> codes;   ///< [code column]
  std::vector<double> metrics;        ///< [MetricIndex]
};
struct GroupResult {
  std::vector<Candidate> best;
  std::uint64_t first_point = 0;            ///< lowest grid index of the group's points seen
  std::vector<std::uint32_t> reported;      ///< [code column] codes of that point
  std::vector<std::uint64_t> rejections;    ///< [status code] points with that status, ok included
};

/// What one block yields: estimates of its points, or with a search the reduction of its groups.
struct BlockResult {
  Block block;
  PointBuffer points;                ///< without a search
  EstimateBuffer estimates;          ///< without a search
  std::vector<GroupResult> groups;   ///< with a search: one per group of the block
  std::vector<std::uint64_t> status_counts;  ///< [status code] points evaluated in this block
};

/// Why points of a block have status `failed`, one entry per distinct message.
struct Failure {
  std::string message;
  std::uint64_t first_point = 0;
  std::uint64_t count = 0;
};

}  // namespace dfsweep
