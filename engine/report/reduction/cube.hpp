/// Cube: for every combination of values of some axes, the rows by status and the best row of each objective.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace dfsweep::report {

inline constexpr std::uint64_t no_row = std::numeric_limits<std::uint64_t>::max();

/// The best row so far. A cost is a metric, negated where higher is better.
struct BestRow {
  double cost = std::numeric_limits<double>::infinity();
  std::uint64_t row = no_row;
  /// Equal costs: the lowest row. NaN is never best.
  void offer(double other_cost, std::uint64_t other_row) {
    if (other_cost < cost || (other_cost == cost && other_row < row)) *this = {other_cost, other_row};
  }
};

class Cube {
 public:
  /// One cell per combination; `statuses`, `objectives`: how many there are.
  Cube(std::size_t cells, std::size_t statuses, std::size_t objectives)
      : cells_(cells),
        statuses_(statuses),
        objectives_(objectives),
        counts_(cells * statuses),
        best_(cells * objectives),
        is_touched_(cells) {}

  [[nodiscard]] std::size_t cells() const { return cells_; }
  void count(std::size_t cell, std::size_t status) {
    ++counts_[status * cells_ + cell];
    touch(cell);
  }
  /// Pre: count() was called for the row.
  void offer(std::size_t objective, std::size_t cell, double cost, std::uint64_t row) {
    best_[objective * cells_ + cell].offer(cost, row);
  }
  /// Cells with rows, in order of their first row.
  [[nodiscard]] std::span<const std::uint32_t> touched() const { return touched_; }

  /// [cell] rows of that status.
  [[nodiscard]] std::span<const std::uint32_t> counts(std::size_t status) const {
    return std::span(counts_).subspan(status * cells_, cells_);
  }
  /// [cell]
  [[nodiscard]] std::span<const BestRow> best(std::size_t objective) const {
    return std::span(best_).subspan(objective * cells_, cells_);
  }

  /// Adds the rows of another cube over the same cells.
  void join(const Cube& other);
  /// Forgets all rows.
  void clear();
  /// The cube without its last axis, which has `size` values: each cell covers `size` neighbours.
  [[nodiscard]] Cube without_last_axis(std::size_t size) const;

 private:
  void touch(std::size_t cell) {
    if (is_touched_[cell] != 0) return;
    is_touched_[cell] = 1;
    touched_.push_back(static_cast<std::uint32_t>(cell));
  }

  std::size_t cells_;
  std::size_t statuses_;
  std::size_t objectives_;
  std::vector<std::uint32_t> counts_;  ///< [status][cell]
  std::vector<BestRow> best_;          ///< [objective][cell]
  std::vector<std::uint8_t> is_touched_;
  std::vector<std::uint32_t> touched_;
};

}  // namespace dfsweep::report
