/// PointEvaluation: estimates of points that a caller has in memory, by all threads, without a run directory.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "engine/evaluation/tally.hpp"
#include "engine/plan/row_source.hpp"
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
  void stop() { is_stopped_ = true; }
  /// Points that are evaluated so far. Thread-safe.
  [[nodiscard]] std::uint64_t done() const { return done_; }
  /// Points that failed, by message.
  [[nodiscard]] const FailureLog& failures() const { return failures_; }
  /// Why a point has no estimate; empty where its status is ok.
  [[nodiscard]] std::string reason(std::uint64_t point) const;

 private:
  [[nodiscard]] std::uint64_t piece_points(unsigned threads) const;

  SweepSpec spec_;
  RowSource rows_;
  std::unique_ptr<PreparedSweep> prepared_;
  FailureLog failures_;
  std::atomic<std::uint64_t> done_{0};
  std::atomic<bool> is_stopped_{false};
};

}  // namespace dfsweep
