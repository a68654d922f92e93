/// WantedColumns: the columns of metrics that are read, filled point by point.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "models/enum_array.hpp"
#include "models/estimator.hpp"

namespace dfsweep {

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
