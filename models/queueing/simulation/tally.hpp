/// Means, quantiles and standard errors of times that come one by one, in bounded memory.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace dfsweep::queueing {

/// Mean, quantiles and standard error of one time over all requests, in seconds. Quantiles are exact up to 65 536
/// requests, else within 0.4 %. The standard error comes from 32 to 63 batch means, because neighbouring requests are
/// alike; it is 0 below 64 requests.
struct TimeSummary {
  double mean = 0.0;
  double p50 = 0.0;
  double p90 = 0.0;
  double p99 = 0.0;
  double standard_error = 0.0;
};

/// Means of batches of equal size. A full array is halved by joining neighbours, so that the number of values may be
/// unknown.
class BatchMeans {
 public:
  void add(double value);
  [[nodiscard]] double standard_error() const;

 private:
  std::array<double, 64> sums_{};
  std::size_t full_ = 0;      ///< batches that are complete
  std::uint64_t size_ = 1;    ///< values of a batch
  std::uint64_t filled_ = 0;  ///< values of the batch that is being filled
};

class TimeTally {
 public:
  void add(double seconds);
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] double sum() const { return sum_; }
  /// Sorts what is kept.
  [[nodiscard]] TimeSummary summary();

 private:
  [[nodiscard]] double quantile(double p);
  void spill();

  std::uint64_t count_ = 0;
  double sum_ = 0.0;
  BatchMeans batches_;
  std::vector<double> values_;         ///< all of them while they are few
  std::vector<std::uint64_t> counts_;  ///< afterwards how many are in each bin of 1/256 of an octave or less
};

}  // namespace dfsweep::queueing
