/// PlanSample: what is measured and computed about a planned run, for the commands that print it or ask for resources.
#pragma once

#include <chrono>
#include <cstdint>
#include <future>
#include <mutex>
#include <thread>
#include <utility>

#include "engine/evaluation/cost_sample.hpp"
#include "engine/plan/plan.hpp"
#include "engine/store/room.hpp"

namespace dfsweep {

/// Bytes of all columns of the result.
[[nodiscard]] std::uint64_t result_bytes(const Plan& plan);
/// What a run of the plan needs on the disk.
[[nodiscard]] store::RoomNeeded room_needed(const Plan& plan);
/// Time to encode, checksum, write and verify the result on one core.
[[nodiscard]] double writing_seconds(const Plan& plan);

/// Time limit of sampling; after it the samples taken so far are used.
inline constexpr std::chrono::seconds most_sampling_seconds{10};

enum class SampleEnd : std::uint8_t { finished, abandoned };

/// A sample that is taken by a thread of its own, which cannot be interrupted while it evaluates a point. The
/// destructor waits for it, which may take minutes where the sample was abandoned.
class Sampling {
 public:
  explicit Sampling(const Plan& plan);
  ~Sampling();
  Sampling(const Sampling&) = delete;
  Sampling& operator=(const Sampling&) = delete;

  /// The whole sample, or where it takes longer than that what is known so far. Throws UserError.
  [[nodiscard]] std::pair<CostSample, SampleEnd> within(std::chrono::seconds limit);

 private:
  std::mutex mutex_;  ///< guards seen_
  CostSample seen_;
  std::packaged_task<CostSample()> task_;
  std::future<CostSample> sample_;
  std::thread thread_;
};

}  // namespace dfsweep
