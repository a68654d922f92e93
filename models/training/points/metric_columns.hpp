/// MetricColumns: results of points written to the columns of the published metrics.
#pragma once

#include "models/training/points/calculon_points.hpp"

namespace dfsweep::training::calculon {

class MetricColumns {
 public:
  /// Pre: `out` outlives the object.
  explicit MetricColumns(EstimateColumns& out) : out_(out) {}

  /// The status of a broken rule; every metric is NaN.
  void reject(std::size_t point, Rejection rejection) const;
  /// All metrics; the status says whether memory suffices. `train_tokens` may be NaN.
  void write(std::size_t point, const Results& results, const Layout& layout, double train_tokens) const;

 private:
  void write_own(std::size_t point, const Results& results, const Layout& layout, double train_tokens) const;

  EstimateColumns& out_;
};

}  // namespace dfsweep::training::calculon
