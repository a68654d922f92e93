#include "engine/commands/plan_sample.hpp"

#include "engine/dataset/description.hpp"

namespace dfsweep {
namespace {

/// Of the result: encoded, checksummed, written, read back and checksummed again. The order of magnitude of a processor
/// of today; all else is measured.
constexpr double writing_seconds_per_byte = 1e-9;
/// The same of deflating a result at level 1, 150 to 640 MB/s, and what each level adds.
constexpr double compressing_seconds_per_byte = 3e-9;
constexpr double compressing_seconds_per_byte_and_level = 1e-9;

}  // namespace

std::uint64_t result_bytes(const Plan& plan) {
  std::uint64_t bytes = 0;
  for (const ColumnDescription& column : describe_dataset(plan).columns)
    bytes += column.count * column.width * size_of(column.type);
  return bytes;
}

store::RoomNeeded room_needed(const Plan& plan) {
  return store::room_needed(result_bytes(plan), plan.spec().compression_level);
}

double writing_seconds(const Plan& plan) {
  const std::optional<int> level = plan.spec().compression_level;
  const double of_byte = writing_seconds_per_byte +
                         (level ? compressing_seconds_per_byte + *level * compressing_seconds_per_byte_and_level : 0.0);
  return of_byte * static_cast<double>(result_bytes(plan));
}

Sampling::Sampling(const Plan& plan)
    : task_([this, &plan] {
        return sample_cost(plan, {.seen = [this](const CostSample& sample) {
                             const std::lock_guard lock(mutex_);
                             seen_ = sample;
                           }});
      }),
      sample_(task_.get_future()),
      thread_([this] { task_(); }) {}

Sampling::~Sampling() {
  thread_.join();
}

std::pair<CostSample, SampleEnd> Sampling::within(std::chrono::seconds limit) {
  if (sample_.wait_for(limit) == std::future_status::ready) return {sample_.get(), SampleEnd::finished};
  const std::lock_guard lock(mutex_);
  return {seen_, SampleEnd::abandoned};
}

}  // namespace dfsweep
