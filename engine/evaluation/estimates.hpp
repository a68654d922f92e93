/// Results of the evaluation of a block: estimates, best points of a search, failures.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "engine/plan/plan.hpp"

namespace dfsweep {

/// Estimates of kept points; reused for the next block.
struct EstimateBuffer {
  std::vector<std::uint8_t> status;          ///< [point]
  std::vector<std::vector<double>> metrics;  ///< [MetricIndex][point]; empty if the metric is not wanted
};

inline constexpr std::uint64_t no_point = std::numeric_limits<std::uint64_t>::max();

/// One of the best points of a group; at most `top`, best first, ties by grid index.
struct Candidate {
  double value = 0.0;                ///< value of the searched metric
  std::uint64_t point = 0;           ///< grid index
  std::vector<std::uint32_t> codes;  ///< [code column]
  std::vector<double> metrics;       ///< [MetricIndex]; NaN if the metric is not wanted
};
struct GroupResult {
  std::vector<Candidate> best;
  std::uint64_t first_point = no_point;   ///< lowest grid index of the evaluated points; no_point: none evaluated
  std::vector<std::uint32_t> reported;    ///< [code column] codes of that point; empty if none was evaluated
  std::vector<std::uint64_t> rejections;  ///< [status code] points with that status, ok included; as statuses_of()
};

/// Points of a block with status `failed`, one entry per distinct message.
struct Failure {
  std::string message;
  std::uint64_t first_point = 0;
  std::uint64_t count = 0;
};

}  // namespace dfsweep
