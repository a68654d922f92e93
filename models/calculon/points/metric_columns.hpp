/// MetricColumns: results of points written to the columns of the published metrics, those that are wanted.
#pragma once

#include <vector>

#include "models/calculon/points/calculon_points.hpp"
#include "models/cost/bill.hpp"

namespace dfsweep::calculon {

/// A device at a point.
struct PricedDevice {
  cost::Bill bill;
  Watts average;  ///< from the work done
  /// Of a system of such devices, with the rest of their nodes.
  [[nodiscard]] Watts system_average(double devices) const { return devices * (average + cost::rest_of_node(bill)); }
};

class MetricColumns {
 public:
  /// Pre: `out` outlives the object.
  explicit MetricColumns(EstimateColumns& out);

  /// Is any figure wanted that keeps the name of Calculon?
  [[nodiscard]] bool wants_figures() const { return !figures_.empty(); }
  /// Is any metric wanted for which useful FLOP are counted?
  [[nodiscard]] bool wants_useful_flops() const { return wants_figures() || out_.wants(Metric::utilization); }
  /// Is any metric of price or power wanted?
  [[nodiscard]] bool wants_bill() const { return wants_bill_; }
  /// Are metrics wanted of points whose memory is too small?
  [[nodiscard]] bool wants_short_of_memory() const { return out_.wanted_rows == WantedRows::all; }

  /// The status of a broken rule; every metric is NaN.
  void reject(std::size_t point, Rejection rejection) const;
  /// The status that memory gives, and the metrics but those of the whole run. `device`: read where its bill is wanted.
  void write(std::size_t point, const Results& results, Rejection memory, const Layout& layout,
             const PricedDevice& device) const;

 private:
  struct Figure {
    std::size_t output = 0;
    MetricIndex metric = 0;
  };
  EstimateColumns& out_;
  std::vector<Metric> own_;          ///< wanted metrics with names of dfsweep
  std::vector<Figure> figures_;      ///< the other wanted ones
  std::vector<MetricIndex> wanted_;  ///< all wanted ones
  bool wants_bill_ = false;
};

}  // namespace dfsweep::calculon
