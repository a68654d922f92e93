/// Evaluation of single points of the dataflow estimator.
#include "tests/support/dataflow_point.hpp"

#include <charconv>

#include "models/dataflow/estimator.hpp"

namespace dfsweep::testing {

namespace {

ParameterValue fallback_of(const ParameterInfo& info) {
  ParameterValue value;
  if (info.absence != Absence::fallback) return value;
  const bool number = info.kind == ParameterKind::integer || info.kind == ParameterKind::real;
  if (number)
    std::from_chars(info.fallback.data(), info.fallback.data() + info.fallback.size(), value.number);
  else
    value.text = info.fallback;
  return value;
}

}  // namespace

DataflowPoint::DataflowPoint() = default;

DataflowPoint& DataflowPoint::set(const std::string& parameter, double number) {
  given_[parameter] = {};
  given_[parameter].number = number;
  return *this;
}

DataflowPoint& DataflowPoint::set(const std::string& parameter, const std::string& text) {
  given_[parameter] = {};
  given_[parameter].text = text;
  return *this;
}

DataflowPoint& DataflowPoint::set(const std::string& parameter, Entry entry) {
  entries_.push_back(std::move(entry));
  given_[parameter] = {};
  given_[parameter].text = entries_.back().name;
  given_[parameter].entry = &entries_.back();
  return *this;
}

SweepValues DataflowPoint::values() const {
  SweepValues values;
  const std::unique_ptr<Estimator> estimator = make_dataflow_estimator();
  std::size_t used = 0;
  for (const ParameterInfo& info : estimator->parameters()) {
    const auto given = given_.find(std::string(info.name));
    used += given != given_.end();
    DFSWEEP_EXPECT(given != given_.end() || info.absence != Absence::required);
    values.parameters.push_back({{given != given_.end() ? given->second : fallback_of(info)}, SweepValues::fixed});
  }
  DFSWEEP_EXPECT(used == given_.size());
  return values;
}

DataflowResult DataflowPoint::evaluate() const {
  const std::unique_ptr<Estimator> estimator = make_dataflow_estimator();
  const SweepValues sweep = values();
  const std::unique_ptr<PreparedSweep> prepared = estimator->prepare(sweep);
  std::vector<std::uint8_t> status(1);
  std::vector<double> cells(estimator->metrics().size());
  std::vector<std::span<double>> columns;
  for (double& cell : cells) columns.emplace_back(&cell, 1);
  EstimateColumns out{status, columns};
  prepared->evaluate(PointColumns({}, 1), out);
  DataflowResult result{std::string(estimator->statuses()[status[0]].name), {}};
  for (std::size_t m = 0; m < cells.size(); ++m) result.metrics[std::string(estimator->metrics()[m].name)] = cells[m];
  return result;
}

Explanation DataflowPoint::explain() const {
  const SweepValues sweep = values();
  return make_dataflow_estimator()->prepare(sweep)->explain(PointColumns({}, 1));
}

Entry device_entry(double cores, double width, double height, double frequency, double sram, double price,
                   double power) {
  Entry entry;
  entry.name = "device";
  entry.numbers = {{"cores", cores},         {"systolic_width", width}, {"systolic_height", height},
                   {"frequency", frequency}, {"sram_capacity", sram},   {"price", price},
                   {"power", power}};
  return entry;
}

Entry memory_entry(double bandwidth, double power_per_bandwidth, double capacity) {
  Entry entry;
  entry.name = "memory";
  entry.numbers = {{"bandwidth", bandwidth},
                   {"capacity", capacity},
                   {"price_per_bandwidth", 1e-9},
                   {"power_per_bandwidth", power_per_bandwidth}};
  return entry;
}

Entry interconnect_entry(double bandwidth, double link_power_per_bandwidth, double latency) {
  Entry entry;
  entry.name = "interconnect";
  entry.numbers = {{"bandwidth", bandwidth},
                   {"latency", latency},
                   {"link_price_per_bandwidth", 2e-9},
                   {"switch_price_per_bandwidth", 24e-9},
                   {"link_power_per_bandwidth", link_power_per_bandwidth},
                   {"switch_power_per_bandwidth", 0.052e-9}};
  return entry;
}

Entry topology_entry(const std::string& letters) {
  Entry entry;
  entry.name = "topology";
  for (const char letter : letters)
    entry.text_lists["dimensions"].push_back(letter == 'r' ? "ring" : letter == 'f' ? "fully_connected" : "switch");
  return entry;
}

Entry transformer_entry(double hidden, double heads, double layers, double sequence_length, double global_batch) {
  Entry entry;
  entry.name = "transformer";
  entry.texts["kind"] = "transformer";
  entry.numbers = {{"hidden", hidden},
                   {"heads", heads},
                   {"layers", layers},
                   {"sequence_length", sequence_length},
                   {"global_batch", global_batch}};
  return entry;
}

}  // namespace dfsweep::testing
