/// PointEvaluation: estimates of points that a caller has in memory, by all threads, without a run directory.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/evaluation/tally.hpp"
#include "engine/plan/row_source.hpp"
#include "engine/sweep/file_stamp.hpp"
#include "engine/sweep/sweep.hpp"

namespace dfsweep {

/// Members refer to earlier members, so it is not movable.
class PointEvaluation {
 public:
  /// `text`: a sweep file without parameters; `reading.points` gives them. Throws UserError.
  PointEvaluation(std::string_view text, const SweepReading& reading);
  PointEvaluation(const PointEvaluation&) = delete;
  PointEvaluation& operator=(const PointEvaluation&) = delete;

  [[nodiscard]] const SweepSpec& spec() const { return spec_; }
  [[nodiscard]] std::uint64_t count() const { return rows_.kept(); }
  /// Notes and warnings, one per line.
  [[nodiscard]] std::string warnings() const;
  /// Fills `status` [point] and the columns of `spec().metrics`: `metrics` [metric][point]. A later call of stop() ends
  /// it: the other points are then left as they were. Pre: not called twice at once. Throws std::bad_alloc.
  void evaluate(unsigned threads, std::span<std::uint8_t> status, std::span<double* const> metrics);
  /// Estimates a point that has these values: [column of `reading.points`] index of its value, which
  /// is that of the listed point of this number. Thread-safe. Pre: as many as there were columns. Throws
  /// std::bad_alloc.
  void evaluate_at(std::span<const std::uint32_t> values, std::uint8_t& status, std::span<double> metrics);
  /// Why such a point has no estimate; empty where its status is ok.
  [[nodiscard]] std::string reason_at(std::span<const std::uint32_t> values) const;
  /// Whether the files that were read, and those that would replace them, are as they were.
  [[nodiscard]] bool is_current() const;
  void stop() { is_stopped_ = true; }
  /// Points that are evaluated so far. Thread-safe.
  [[nodiscard]] std::uint64_t done() const { return done_; }
  /// Points that failed, by message.
  [[nodiscard]] const FailureLog& failures() const { return failures_; }
  /// Why a point has no estimate; empty where its status is ok.
  [[nodiscard]] std::string reason(std::uint64_t point) const;

 private:
  [[nodiscard]] std::uint64_t piece_points(unsigned threads) const;
  /// The codes of a point with these values.
  [[nodiscard]] PointBuffer point_with(std::span<const std::uint32_t> values) const;

  SweepSpec spec_;
  RowSource rows_;
  std::unique_ptr<PreparedSweep> prepared_;
  std::vector<std::size_t> given_;  ///< [code column] the column of `reading.points` that it is of
  std::vector<FileStamp> files_;
  std::mutex mutex_;  ///< of failures_
  FailureLog failures_;
  std::atomic<std::uint64_t> done_{0};
  std::atomic<bool> is_stopped_{false};
};

}  // namespace dfsweep
