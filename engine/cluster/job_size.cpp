#include "engine/cluster/job_size.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "models/expect.hpp"

namespace dfsweep {
namespace {

constexpr double usual_seconds = 3600.0;
constexpr std::uint32_t most_ranks = 64;
constexpr std::uint32_t most_threads = 8;
constexpr double time_margin = 1.5;
constexpr std::chrono::minutes additional_time{10};
constexpr std::chrono::minutes longest_time{24 * 60};
constexpr double memory_margin = 1.5;
constexpr double blocks_in_memory = 4.0;
constexpr double library_mebibytes = 256.0;
constexpr double mebibyte = 1024.0 * 1024.0;

/// Cores that finish in an hour, from 1 to `most`.
std::uint32_t useful_cores(const PlannedWork& work, std::uint32_t most) {
  if (!work.core_seconds) return most;
  const double cores = std::ceil(*work.core_seconds / usual_seconds);
  return static_cast<std::uint32_t>(std::clamp(cores, 1.0, static_cast<double>(most)));
}

std::uint32_t useful_ranks(const PlannedWork& work, std::uint32_t threads) {
  const auto most = static_cast<std::uint32_t>(std::min<std::uint64_t>(work.blocks, most_ranks));
  const std::uint32_t cores = useful_cores(work, most * threads);
  return std::max((cores + threads - 1) / threads, 1U);
}

std::chrono::minutes needed_time(const PlannedWork& work, std::uint32_t cores) {
  if (!work.core_seconds) return longest_time;
  const double minutes = time_margin * *work.core_seconds / cores / 60.0;
  if (minutes > static_cast<double>(longest_time.count())) return longest_time;
  const auto whole = static_cast<std::int64_t>(std::ceil(minutes)) + additional_time.count();
  return std::min(std::chrono::minutes((whole + 9) / 10 * 10), longest_time);
}

std::uint64_t needed_memory(const PlannedWork& work, std::uint32_t threads) {
  const double block = static_cast<double>(work.result_bytes) / static_cast<double>(work.blocks);
  const double rank = (memory_margin * static_cast<double>(work.process_bytes) + blocks_in_memory * block) / mebibyte +
                      library_mebibytes;
  return static_cast<std::uint64_t>(std::ceil(rank / threads / 64.0)) * 64;
}

std::string time_reason(const PlannedWork& work, const JobWishes& wishes, std::uint32_t cores) {
  if (!work.core_seconds) return "time: the sample gave no estimate; the job starts again until the run is complete";
  const double minutes = *work.core_seconds / cores / 60.0;
  const std::string estimate = minutes < 1.0 ? "under a minute" : fmt::format("{:.0f} min", std::ceil(minutes));
  return fmt::format(
      "time: {} on {} {} as fast as those of this machine{}", estimate, cores, cores == 1 ? "core" : "cores",
      wishes.time ? "" : ", half as long again and 10 min; at most a day, after which the job starts again");
}

}  // namespace

JobSize size_of_job(const PlannedWork& work, const JobWishes& wishes) {
  DFSWEEP_EXPECT(wishes.parts == 1 || wishes.ranks.value_or(1) == 1);
  JobSize size;
  size.threads = wishes.threads.value_or(useful_cores(work, most_threads));
  size.ranks = wishes.parts > 1 ? 1 : wishes.ranks.value_or(useful_ranks(work, size.threads));
  const std::uint32_t cores = size.ranks * size.threads * wishes.parts;
  size.time = wishes.time.value_or(needed_time(work, cores));
  size.memory_per_core = needed_memory(work, size.threads);
  size.reasons = {
      fmt::format("cores: {} {} of {} {}; {} {} to share out", size.ranks * wishes.parts,
                  wishes.parts > 1  ? "parts"
                  : size.ranks == 1 ? "process"
                                    : "ranks",
                  size.threads, size.threads == 1 ? "thread" : "threads", work.blocks,
                  work.blocks == 1 ? "block" : "blocks"),
      time_reason(work, wishes, cores),
      fmt::format(
          "memory: {:.0f} MiB were needed to plan; half as much again, four blocks and {:.0f} MiB for each rank",
          static_cast<double>(work.process_bytes) / mebibyte, library_mebibytes),
  };
  return size;
}

}  // namespace dfsweep
