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
    metrics = nothing;
  }
  [[nodiscard]] static bool wants(Metric) { return true; }
  void set(Metric metric, double value) { metrics[metric] = value; }
  [[nodiscard]] double& operator[](Metric metric) { return metrics[metric]; }
  [[nodiscard]] double operator[](Metric metric) const { return metrics[metric]; }

 private:
  /// Copied at once, where compilers fill element by element.
  static constexpr EnumArray<Metric, double> nothing = [] {
    EnumArray<Metric, double> all{};
    all.elements.fill(absent);
    return all;
  }();
};

}  // namespace dfsweep::serving
