/// DataflowPoint: one point of the dataflow estimator written by parameter names, for tests.
#pragma once

#include <list>
#include <map>
#include <string>

#include "models/estimator.hpp"

namespace dfsweep::testing {

/// Names of statuses and metrics of one evaluated point.
struct DataflowResult {
  std::string status;
  std::map<std::string, double, std::less<>> metrics;
  [[nodiscard]] double operator[](std::string_view name) const { return metrics.find(name)->second; }
};

class DataflowPoint {
 public:
  DataflowPoint();
  DataflowPoint& set(const std::string& parameter, double number);
  DataflowPoint& set(const std::string& parameter, const std::string& text);
  DataflowPoint& set(const std::string& parameter, Entry entry);
  /// The values of the one point, fallbacks filled in. Good as long as this object.
  [[nodiscard]] SweepValues values() const;
  [[nodiscard]] DataflowResult evaluate() const;
  [[nodiscard]] Explanation explain() const;

 private:
  std::map<std::string, ParameterValue> given_;
  std::list<Entry> entries_;
};

/// Entries of the catalogue's kinds, in base units.
[[nodiscard]] Entry device_entry(double cores, double width, double height, double frequency, double sram, double price,
                                 double power);
[[nodiscard]] Entry memory_entry(double bandwidth, double power_per_bandwidth, double capacity = 1099511627776.0);
/// Prices of 2 and 24 USD per GB/s for links and switches, 0.052 W per GB/s for switches.
[[nodiscard]] Entry interconnect_entry(double bandwidth, double link_power_per_bandwidth, double latency = 0.0);
/// Letters r, f, s for ring, fully_connected, switch: "rs" is a DGX-1.
[[nodiscard]] Entry topology_entry(const std::string& letters);
[[nodiscard]] Entry transformer_entry(double hidden, double heads, double layers, double sequence_length,
                                      double global_batch);

}  // namespace dfsweep::testing
