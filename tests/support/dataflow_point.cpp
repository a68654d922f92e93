/// Points and entries of the dataflow estimator.
#include "tests/support/dataflow_point.hpp"

#include "models/dataflow/estimator.hpp"

namespace dfsweep::testing {

using namespace dataflow;

DataflowPoint::DataflowPoint() : EstimatorSweep(make_dataflow_estimator) {}

namespace {

Entry entry_of(const char* name, std::map<std::string, double, std::less<>> numbers) {
  Entry entry;
  entry.name = name;
  entry.numbers = std::move(numbers);
  return entry;
}

}  // namespace

Entry device_entry(double cores, double width, double height, double frequency, double sram, double price,
                   double power) {
  return entry_of("device", {{"cores", cores},
                             {"systolic_width", width},
                             {"systolic_height", height},
                             {"frequency", frequency},
                             {"sram_capacity", sram},
                             {"price", price},
                             {"power", power}});
}

Entry memory_entry(double bandwidth, double power_per_bandwidth, double capacity) {
  return entry_of("memory", {{"bandwidth", bandwidth},
                             {"capacity", capacity},
                             {"price_per_bandwidth", 1e-9},
                             {"power_per_bandwidth", power_per_bandwidth}});
}

Entry interconnect_entry(double bandwidth, double link_power_per_bandwidth, double latency) {
  return entry_of("interconnect", {{"bandwidth", bandwidth},
                                   {"latency", latency},
                                   {"link_price_per_bandwidth", 2e-9},
                                   {"switch_price_per_bandwidth", 24e-9},
                                   {"link_power_per_bandwidth", link_power_per_bandwidth},
                                   {"switch_power_per_bandwidth", 0.052e-9}});
}

Entry topology_entry(const std::string& letters) {
  Entry entry;
  entry.name = "topology";
  for (const char letter : letters)
    entry.text_lists["dimensions"].push_back(letter == 'r' ? "ring" : letter == 'f' ? "fully_connected" : "switch");
  return entry;
}

Entry transformer_entry(double hidden, double heads, double layers, double sequence_length, double global_batch) {
  Entry entry = entry_of("transformer", {{"hidden", hidden},
                                         {"heads", heads},
                                         {"layers", layers},
                                         {"sequence_length", sequence_length},
                                         {"global_batch", global_batch}});
  entry.texts["kind"] = "transformer";
  return entry;
}

DataflowPoint sixteen_chips() {
  DataflowPoint point;
  point.set("device", device_entry(64, 4, 2, 1e9, 1e6, 1000, 100))
      .set("memory", memory_entry(1e9, 1e-9, 1e8))
      .set("topology", topology_entry("rrr"))
      .set("device_count", 16)
      .set("interconnect", interconnect_entry(1e9, 1e-9, 1e-6));
  return point;
}

}  // namespace dfsweep::testing
