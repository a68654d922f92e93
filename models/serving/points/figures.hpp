/// Figures: the metrics of one point, and its status.
#pragma once

#include "models/absent.hpp"
#include "models/enum_array.hpp"
#include "models/serving/points/published.hpp"

namespace dfsweep::serving {

struct Figures {
  Status status;
  double batch;  ///< largest of a replica at once, given or chosen; for explanations
  EnumArray<Metric, double> metrics;
  Figures() { forget(); }
  /// Nothing is known. Cheaper than a new object, which is zeroed first.
  void forget() {
    status = Status::ok;
    batch = 0.0;
    metrics.elements.fill(absent);
  }
  [[nodiscard]] double& operator[](Metric metric) { return metrics[metric]; }
  [[nodiscard]] double operator[](Metric metric) const { return metrics[metric]; }
};

/// What a window of speculative decoding takes and yields.
struct SpeculationFigures {
  double tokens = 1.0;
  double draft = 0.0;         ///< s
  double verification = 0.0;  ///< s
};
/// `sequences`: decoded at once, of all replicas. Pre: decode_rate is there.
void write_speculation(Figures& figures, const SpeculationFigures& window, double sequences);

/// Rates and costs of all devices from token_rate. Hours and prices may be absent.
void write_costs(Figures& figures, double devices, double price, double power, double device_hour_price);

}  // namespace dfsweep::serving
