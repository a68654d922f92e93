/// JobSize: how many cores, how much time and memory a run of a planned sweep asks for.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dfsweep {

/// What `dfsweep plan` knows about a run.
struct PlannedWork {
  std::optional<double> core_seconds;  ///< on one core of this machine; nothing if the sample gave no estimate
  std::uint64_t blocks = 1;
  std::uint64_t result_bytes = 0;
  std::uint64_t process_bytes = 0;  ///< peak memory of this process with the sweep prepared
};

/// What the user has chosen; the rest follows from the plan.
struct JobWishes {
  std::optional<std::uint32_t> ranks = {};
  std::optional<std::uint32_t> threads = {};
  std::optional<std::chrono::minutes> time = {};
  std::uint32_t parts = 1;  ///< tasks of an array
};

struct JobSize {
  std::uint32_t ranks = 1;
  std::uint32_t threads = 1;
  std::chrono::minutes time{0};
  std::uint64_t memory_per_core = 0;  ///< MiB
  std::vector<std::string> reasons;   ///< a line for each number
};

/// Cores: as many as finish within an hour, at most 64 ranks of 8 threads, and no more ranks than blocks. Time: half as
/// long again as estimated and ten minutes more, at most a day, because the job starts again while work is left.
/// Memory of a rank: half as much again as this process took, four blocks, and 256 MiB for MPI and the libraries.
/// Pre: numbers in `wishes` are positive; ranks and parts are not both greater than 1.
[[nodiscard]] JobSize size_of_job(const PlannedWork& work, const JobWishes& wishes);

}  // namespace dfsweep
