/// FigureColumns: where the figures of points go, one by one or several in lanes.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <span>

#include "models/estimator.hpp"
#include "models/lanes.hpp"
#include "models/serving/points/figures.hpp"

namespace dfsweep::serving {

/// The columns that a caller reads. Pre, of all functions: points are points of these columns.
class FigureColumns {
 public:
  /// Pre: what the columns lie in outlives the object.
  explicit FigureColumns(const EstimateColumns& out) : status_(out.status) {
    for (const Metric metric : all_of<Metric>)
      if (out.wants(metric)) wanted_[count_++] = {metric, first_[metric] = out[metric].data()};
  }
  /// Writes the same figures for `count` points from `i` on.
  void write(std::size_t i, std::size_t count, const Figures& figures) const {
    std::fill_n(status_.begin() + static_cast<std::ptrdiff_t>(i), count, index_of(figures.status));
    for (const Column& column : wanted()) column.first[i] = figures[column.metric];
    if (count > 1)
      for (const Column& column : wanted()) std::fill_n(column.first + i + 1, count - 1, figures[column.metric]);
  }

  /// Points that follow one another, whose figures are set some at a time.
  class Points {
   public:
    Points(const FigureColumns& columns, std::size_t first) : columns_(columns), first_(first) {}
    /// What follows is of `count` points, from the `k`-th on.
    void choose(std::size_t k, std::size_t count) {
      now_ = first_ + k;
      count_ = count;
    }
    [[nodiscard]] bool wants(Metric metric) const { return columns_.first_[metric] != nullptr; }
    /// A metric of the chosen points.
    template <class Number>
    DFSWEEP_INLINE void set(Metric metric, const Number& value) {
      is_set_.set(index_of(metric));
      if (double* const column = columns_.first_[metric]) put(value, column + now_);
    }
    /// Of the i-th of the chosen points.
    void set_status(std::size_t i, Status status) const { columns_.status_[now_ + i] = index_of(status); }
    /// Metrics that were set of no point are NaN for all `count`.
    void leave_out_rest(std::size_t count) const {
      for (const Column& column : columns_.wanted())
        if (!is_set_[index_of(column.metric)]) std::fill_n(column.first + first_, count, absent);
    }

   private:
    template <std::size_t N, std::size_t Width>
    DFSWEEP_INLINE void put(const Lanes<N, Width>& value, double* to) const {
      write_lanes(value, count_, to);
    }
    DFSWEEP_INLINE void put(double value, double* to) const { std::fill_n(to, count_, value); }

    const FigureColumns& columns_;
    std::size_t first_;
    std::size_t now_ = 0;
    std::size_t count_ = 0;
    std::bitset<count_of<Metric>> is_set_;
  };

 private:
  struct Column {
    Metric metric;
    double* first;
  };
  [[nodiscard]] std::span<const Column> wanted() const { return std::span(wanted_).first(count_); }

  std::span<std::uint8_t> status_;
  EnumArray<Metric, double*> first_;  ///< null where the caller does not read the metric
  std::array<Column, count_of<Metric>> wanted_;
  std::size_t count_ = 0;  ///< of `wanted_`
};

}  // namespace dfsweep::serving
