/// Columns of metrics that the caller reads, filled point by point.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "models/absent.hpp"
#include "models/enum_array.hpp"
#include "models/estimator.hpp"

namespace dfsweep {

/// Stores a metric of point `i` if the caller reads it. Pre: i < points of the columns.
template <class Metric>
void put(const EstimateColumns& out, Metric metric, std::size_t i, double value) {
  if (out.wants(metric)) out[metric][i] = value;
}

/// Stores NaN for point `i` in all columns that the caller reads. Pre: i < points of the columns.
inline void put_nothing(const EstimateColumns& out, std::size_t i) {
  for (const std::span<double>& column : out.metrics)
    if (!column.empty()) column[i] = absent;
}

/// `Metric` and `Status` are the enumerations of the estimator.
template <class Metric, class Status>
class WantedColumns {
 public:
  /// Pre: what the columns lie in outlives the object.
  explicit WantedColumns(EstimateColumns& out) : status_(out.status) {
    for (const Metric metric : all_of<Metric>)
      if (out.wants(metric)) wanted_.push_back({metric, out[metric].data()});
  }
  /// Writes point `i`. Pre: i < points of the columns.
  void write(std::size_t i, Status status, const EnumArray<Metric, double>& metrics) const {
    status_[i] = index_of(status);
    for (const auto& [metric, column] : wanted_) column[i] = metrics[metric];
  }

 private:
  std::span<std::uint8_t> status_;
  std::vector<std::pair<Metric, double*>> wanted_;
};

}  // namespace dfsweep
