#include "engine/run/block_queue.hpp"

#include <algorithm>
#include <utility>

namespace dfsweep {
namespace {

/// A rank asks for this much work at once. A request and its reply take less, but each costs both ranks some 30 us.
constexpr double seconds_of_request = 2e-3;
/// Time of rank 0 for a request of one rank. A message takes a few microseconds, and rank 0 computes besides.
constexpr double seconds_per_request = 10e-6;
constexpr std::size_t max_prefetch = 4;
/// The same where the requests of many ranks would occupy rank 0.
constexpr std::size_t max_batch = 16;
constexpr double min_report_interval = 0.1;
constexpr double report_interval_per_rank = 100e-6;

/// A rank is slow if its blocks take this many times the mean of all.
constexpr double slow_factor = 1.5;

}  // namespace

BlockQueue::BlockQueue(std::vector<BlockId> todo, std::uint32_t ranks) : todo_(std::move(todo)), of_rank_(ranks) {
  if (!todo_.empty()) seconds_.resize(std::size_t{*std::max_element(todo_.begin(), todo_.end())} + 1);
}

BlockQueue::Grant BlockQueue::take(std::uint32_t rank, std::size_t wanted) {
  if (!is_rest_ordered_ && 2 * taken_ >= todo_.size()) order_rest();
  const std::size_t ranks = of_rank_.size();
  if (rank != 0 && is_slow(rank) && rest_seconds() < of_rank_[rank].longest) return {};
  const std::size_t count = grant(wanted, left(), ranks);
  const auto first = todo_.begin() + static_cast<std::ptrdiff_t>(taken_);
  Grant result{.blocks = {first, first + static_cast<std::ptrdiff_t>(count)}, .may_prefetch = false};
  taken_ += count;
  result.may_prefetch = left() > 2 * ranks && !is_slow(rank) && rest_seconds() > 2.0 * of_all_.longest;
  return result;
}

void BlockQueue::note(std::uint32_t rank, std::span<const MeasuredBlock> measured) {
  for (const MeasuredBlock& each : measured) {
    if (each.block >= seconds_.size() || rank >= of_rank_.size()) continue;
    seconds_[each.block] = static_cast<float>(each.seconds);
    for (Measured* const sum : {&of_rank_[rank], &of_all_}) {
      ++sum->blocks;
      sum->seconds += each.seconds;
      sum->longest = std::max(sum->longest, each.seconds);
    }
  }
}

/// The expected time of a block is the mean of the nearest measured ones before and behind it.
void BlockQueue::order_rest() {
  is_rest_ordered_ = true;
  std::vector<float> expected = seconds_;
  const auto fill = [&](auto begin, auto end, auto into) {
    float nearest = 0.0F;
    for (auto seconds = begin; seconds != end; ++seconds, ++into) {
      if (*seconds > 0.0F) nearest = *seconds;
      *into += nearest;
    }
  };
  std::fill(expected.begin(), expected.end(), 0.0F);
  fill(seconds_.begin(), seconds_.end(), expected.begin());
  fill(seconds_.rbegin(), seconds_.rend(), expected.rbegin());
  std::stable_sort(todo_.begin() + static_cast<std::ptrdiff_t>(taken_), todo_.end(),
                   [&](BlockId a, BlockId b) { return expected[a] > expected[b]; });
}

bool BlockQueue::is_slow(std::uint32_t rank) const {
  return of_rank_[rank].mean() > slow_factor * of_all_.mean();
}

/// left * mean / ranks
double BlockQueue::rest_seconds() const {
  return static_cast<double>(left()) * of_all_.mean() / static_cast<double>(of_rank_.size());
}

std::size_t grant(std::size_t wanted, std::size_t left, std::size_t ranks) {
  const std::size_t share = std::max<std::size_t>(left / (2 * ranks), 1);
  return std::min({std::max<std::size_t>(wanted, 1), share, left});
}

std::size_t wanted_blocks(double seconds, std::size_t blocks, std::size_t ranks) {
  const double spared = seconds_per_request * static_cast<double>(ranks);
  const double interval = std::max(seconds_of_request, spared);
  const double each = seconds / static_cast<double>(std::max<std::size_t>(blocks, 1));
  if (blocks == 0 || each >= interval) return 1;
  const std::size_t most = spared > seconds_of_request ? max_batch : max_prefetch;
  return std::min(most, static_cast<std::size_t>(interval / std::max(each, 1e-6)));
}

double report_interval_seconds(std::size_t ranks) {
  return std::max(min_report_interval, report_interval_per_rank * static_cast<double>(ranks));
}

}  // namespace dfsweep
