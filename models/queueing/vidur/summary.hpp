/// RunSummary: means and quantiles of a run.
#pragma once

#include <span>

#include "models/queueing/vidur/run_record.hpp"

namespace dfsweep::vidur {

/// Mean and quantiles of a set of numbers; NaN where it is empty.
struct Distribution {
  double mean = absent;
  double p50 = absent;
  double p90 = absent;
  double p95 = absent;
  double p99 = absent;
};

/// The quantile `q` by linear interpolation between neighbours of rank q (n - 1). Pre: `sorted` is not empty.
[[nodiscard]] double quantile_of(std::span<const double> sorted, double q);
[[nodiscard]] Distribution distribution_of(std::vector<double> values);
[[nodiscard]] Distribution distribution_of(std::vector<Sample> samples);

/// Times in seconds. Source of the definitions: [vidur] Section 6
struct RunSummary {
  std::uint64_t completed = 0;
  double makespan = absent;      ///< from the first arrival to the last completion
  double request_rate = absent;  ///< completed requests over the makespan, 1/s
  double token_rate = absent;    ///< output tokens of completed requests over the makespan, 1/s
  Distribution first_token;      ///< from arrival to the end of the batch that completes the prompt
  Distribution token_interval;   ///< between the ends of two batches, for each output token after the first
  Distribution output_token;     ///< (completion - end of prompt) / output tokens, per request
  Distribution latency;          ///< from arrival to completion
  Distribution delay;            ///< from arrival to the first batch
  Distribution batch_time;
  double batch_requests = absent;  ///< mean over batches
  double batch_tokens = absent;    ///< mean over batches
  std::uint64_t restarts = 0;
  std::uint64_t restarted = 0;        ///< requests
  double busy = absent;               ///< share of the time in which a stage works, mean over stages
  double cache_use = absent;          ///< share of the blocks in use, mean over time and replicas
  double sampled_cache_use = absent;  ///< mean over samples, one of which is zero, as [vidur] plots it
};

/// Pre: `record` is of a run of `offered` with `rules`.
[[nodiscard]] RunSummary summary_of(const RunRecord& record, std::span<const OfferedRequest> offered,
                                    const Rules& rules);

/// Delays from arrival to the first batch, of completed requests.
[[nodiscard]] std::vector<double> delays_of(const RunRecord& record);

/// Numbers of a model, for the share of the peak rate that a stage reaches.
struct StageWork {
  double parameters = 0.0;  ///< of the layers on one device
  double attention = 0.0;   ///< layers of a stage * heads on one device * size of a head
};
/// Model FLOP over the peak rate and the time of a stage, mean over time and stages:
///
///     (2 tokens parameters + 4 layers heads head_size sum(new (new + before))) / (peak time)
///
/// Source: [vidur] Section 7 of the model
[[nodiscard]] double flops_utilization(const RunRecord& record, const StageWork& work, Throughput peak);

}  // namespace dfsweep::vidur
