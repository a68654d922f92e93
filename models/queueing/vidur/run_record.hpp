/// RunRecord: everything that a simulated run leaves behind.
#pragma once

#include <vector>

#include "models/queueing/vidur/batch.hpp"
#include "models/queueing/vidur/rules.hpp"

namespace dfsweep::vidur {

/// What to record besides the states of the requests and the sums.
struct Recording {
  bool samples = true;         ///< times between tokens and times of batches
  bool request_parts = false;  ///< execution and waiting of every request
  bool batches = false;        ///< every batch with its requests
};

/// Where the time of a request after its first scheduling went. Seconds.
struct RequestParts {
  std::uint32_t replica = 0;
  double execution = 0.0;  ///< times of all stages of all its batches
  double waiting = 0.0;    ///< between a stage and the next one, and between batches
  double last_stage_end = absent;
};

/// A value that occurred `count` times.
struct Sample {
  double value = 0.0;
  std::uint64_t count = 1;
};

struct BatchMemberRecord {
  RequestIndex request = 0;
  std::uint32_t tokens = 0;
};

struct BatchRecord {
  std::uint32_t replica = 0;
  double scheduled_at = 0.0;
  double completed_at = absent;  ///< NaN where the run ended before
  std::uint64_t tokens = 0;
  std::uint64_t prompt_tokens = 0;
  std::uint32_t requests = 0;
  std::uint64_t first_member = 0;  ///< index into RunRecord::members
};

/// Mean of a step function of time, from samples each of which holds until the next one.
///
/// A sample at time zero does not begin an interval, so the mean begins at the first sample after it. Source: [vidur]
/// the time-weighted averages of its metrics
class TimeWeightedMean {
 public:
  void sample(double now, double value) {
    if (last_ > 0.0)
      sum_ += value_ * (now - last_);
    else if (now > 0.0)
      first_ = now;
    last_ = now;
    value_ = value;
  }
  [[nodiscard]] double duration() const { return last_ > 0.0 ? last_ - first_ : 0.0; }
  [[nodiscard]] double mean() const { return duration() > 0.0 ? sum_ / duration() : absent; }

 private:
  double sum_ = 0.0;
  double first_ = 0.0;
  double last_ = 0.0;
  double value_ = 0.0;
};

/// Times of a batch in flight, in seconds.
struct BatchTimes {
  double scheduled_at = 0.0;
  double stage_start = 0.0;  ///< of the stage that works on it
  double stage_time = 0.0;
  double end = 0.0;  ///< of this stage
};

/// Work of one stage of one replica.
struct StageRecord {
  TimeWeightedMean busy;       ///< 1 while it works
  std::uint64_t tokens = 0;    ///< of batches that began after time zero, as `attended`
  std::uint64_t attended = 0;  ///< BatchSums::attended
  /// Counts a batch that the stage has worked on.
  void count(const BatchTimes& times, const BatchSums& sums) {
    if (!(times.stage_start > 0.0)) return;
    tokens += sums.tokens;
    attended += sums.attended;
  }
};

/// Blocks in use on one replica, seen after every scheduling that forms a batch and at every end of a batch.
struct CacheRecord {
  TimeWeightedMean used;          ///< blocks
  std::uint64_t blocks_seen = 0;  ///< sum over the samples
  std::uint64_t sample_count = 0;

  /// A sample that is followed by another one at the same time.
  void see(std::uint64_t blocks) {
    blocks_seen += blocks;
    ++sample_count;
  }
  void sample(double now, std::uint64_t blocks) {
    see(blocks);
    used.sample(now, static_cast<double>(blocks));
  }
};

struct RunRecord {
  Ending ending = Ending::complete;
  double end = 0.0;                     ///< time of the last event in seconds
  std::vector<RequestState> requests;   ///< in the order offered
  std::vector<RequestTimes> times;      ///< [request]
  std::vector<RequestParts> parts;      ///< [request], or empty
  std::vector<Sample> token_intervals;  ///< seconds between the ends of two batches of a request, per output token
                                        ///< after the first
  std::vector<double> batch_times;      ///< seconds from scheduling to the end of the last stage
  std::vector<BatchRecord> batches;     ///< in the order of creation, or empty
  std::vector<BatchMemberRecord> members;
  std::vector<StageRecord> stages;   ///< [replica * stages + stage]
  std::vector<CacheRecord> caches;   ///< [replica]
  std::uint64_t batch_count = 0;     ///< finished batches
  std::uint64_t batch_requests = 0;  ///< their requests
  std::uint64_t batch_tokens = 0;    ///< their tokens
  std::uint64_t restarts = 0;
};

}  // namespace dfsweep::vidur
