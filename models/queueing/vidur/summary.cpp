/// Means and quantiles.
#include "models/queueing/vidur/summary.hpp"

#include <algorithm>
#include <cmath>

#include "models/expect.hpp"

namespace dfsweep::vidur {

namespace {

/// Rank q (n - 1) as a whole number and a share of the way to the next one.
struct Rank {
  std::uint64_t lower = 0;
  double share = 0.0;
};
Rank rank_of(double q, std::uint64_t count) {
  const double rank = q * static_cast<double>(count - 1);
  const double lower = std::floor(rank);
  return {static_cast<std::uint64_t>(lower), rank - lower};
}
double between(double a, double b, double share) {
  return share > 0.0 ? a + (b - a) * share : a;
}

/// Quantiles of samples sorted by value, asked for in increasing order.
class WeightedQuantiles {
 public:
  WeightedQuantiles(std::span<const Sample> sorted, std::uint64_t count) : sorted_(sorted), count_(count) {}
  double next(double q) {
    const Rank rank = rank_of(q, count_);
    while (before_ + sorted_[place_].count <= rank.lower) before_ += sorted_[place_++].count;
    const bool next_is_same = rank.lower + 1 < before_ + sorted_[place_].count || place_ + 1 == sorted_.size();
    return between(sorted_[place_].value, sorted_[place_ + (next_is_same ? 0 : 1)].value, rank.share);
  }

 private:
  std::span<const Sample> sorted_;
  std::uint64_t count_;
  std::size_t place_ = 0;
  std::uint64_t before_ = 0;
};

double ratio(double numerator, double denominator) {
  return denominator > 0.0 ? numerator / denominator : absent;
}

template <class ValueOf>
Distribution over_completed(const RunRecord& record, const ValueOf& value_of) {
  std::vector<double> values;
  for (std::size_t i = 0; i < record.times.size(); ++i)
    if (is_given(record.times[i].completed_at)) values.push_back(value_of(i, record.times[i]));
  return distribution_of(std::move(values));
}

void summarize_requests(const RunRecord& record, std::span<const OfferedRequest> offered, RunSummary& summary) {
  double first = std::numeric_limits<double>::infinity();
  double last = 0.0;
  double tokens = 0.0;
  for (std::size_t i = 0; i < offered.size(); ++i) {
    const RequestTimes& times = record.times[i];
    summary.restarted += record.requests[i].restarts > 0 ? 1 : 0;
    first = std::min(first, times.arrival);
    if (!is_given(times.completed_at)) continue;
    ++summary.completed;
    last = std::max(last, times.completed_at);
    tokens += offered[i].output;
  }
  if (summary.completed == 0) return;
  summary.makespan = last - first;
  summary.request_rate = ratio(static_cast<double>(summary.completed), summary.makespan);
  summary.token_rate = ratio(tokens, summary.makespan);
}

}  // namespace

double quantile_of(std::span<const double> sorted, double q) {
  DFSWEEP_EXPECT(!sorted.empty());
  const Rank rank = rank_of(q, sorted.size());
  return between(sorted[rank.lower], sorted[std::min<std::size_t>(rank.lower + 1, sorted.size() - 1)], rank.share);
}

Distribution distribution_of(std::vector<double> values) {
  if (values.empty()) return {};
  double sum = 0.0;
  for (const double value : values) sum += value;
  std::sort(values.begin(), values.end());
  return {sum / static_cast<double>(values.size()), quantile_of(values, 0.5), quantile_of(values, 0.9),
          quantile_of(values, 0.95), quantile_of(values, 0.99)};
}

Distribution distribution_of(std::vector<Sample> samples) {
  if (samples.empty()) return {};
  double sum = 0.0;
  std::uint64_t count = 0;
  for (const Sample& sample : samples) {
    sum += sample.value * static_cast<double>(sample.count);
    count += sample.count;
  }
  std::sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) { return a.value < b.value; });
  WeightedQuantiles quantiles(samples, count);
  Distribution result;
  result.mean = sum / static_cast<double>(count);
  result.p50 = quantiles.next(0.5);
  result.p90 = quantiles.next(0.9);
  result.p95 = quantiles.next(0.95);
  result.p99 = quantiles.next(0.99);
  return result;
}

RunSummary summary_of(const RunRecord& record, std::span<const OfferedRequest> offered, const Rules& rules) {
  RunSummary summary;
  summarize_requests(record, offered, summary);
  summary.first_token =
      over_completed(record, [](std::size_t, const auto& times) { return times.prompt_completed_at - times.arrival; });
  summary.output_token = over_completed(record, [&](std::size_t i, const auto& times) {
    return (times.completed_at - times.prompt_completed_at) / offered[i].output;
  });
  summary.latency =
      over_completed(record, [](std::size_t, const auto& times) { return times.completed_at - times.arrival; });
  summary.delay = distribution_of(delays_of(record));
  summary.token_interval = distribution_of(record.token_intervals);
  summary.batch_time = distribution_of(record.batch_times);
  summary.batch_requests = ratio(static_cast<double>(record.batch_requests), static_cast<double>(record.batch_count));
  summary.batch_tokens = ratio(static_cast<double>(record.batch_tokens), static_cast<double>(record.batch_count));
  summary.restarts = record.restarts;
  summary.busy = 0.0;
  for (const StageRecord& stage : record.stages)
    summary.busy += stage.busy.mean() / static_cast<double>(record.stages.size());
  summary.cache_use = 0.0;
  summary.sampled_cache_use = 0.0;
  for (const CacheRecord& cache : record.caches) {
    const double blocks = static_cast<double>(rules.blocks) * static_cast<double>(record.caches.size());
    summary.cache_use += cache.used.mean() / blocks;
    summary.sampled_cache_use +=
        static_cast<double>(cache.blocks_seen) / static_cast<double>(cache.sample_count + 1) / blocks;
  }
  return summary;
}

std::vector<double> delays_of(const RunRecord& record) {
  std::vector<double> delays;
  for (const RequestTimes& times : record.times)
    if (is_given(times.completed_at)) delays.push_back(times.scheduled_at - times.arrival);
  return delays;
}

double flops_utilization(const RunRecord& record, const StageWork& work, Throughput peak) {
  double sum = 0.0;
  for (const StageRecord& stage : record.stages)
    sum += ratio(2.0 * static_cast<double>(stage.tokens) * work.parameters +
                     4.0 * work.attention * static_cast<double>(stage.attended),
                 peak.value() * stage.busy.duration());
  return sum / static_cast<double>(record.stages.size());
}

}  // namespace dfsweep::vidur
