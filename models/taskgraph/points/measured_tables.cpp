#include "models/taskgraph/points/measured_tables.hpp"

#include <algorithm>

#include "models/declared_fields.hpp"
#include "models/measured_tables/columns.hpp"
#include "models/taskgraph/points/published.hpp"

namespace dfsweep::taskgraph {

namespace {

std::string folder_of(const ParameterValue& device) {
  return device.entry->text_or(DeviceField("profile"), device.entry->name);
}

/// Reads the tables and ignores problems in tables of devices outside the sweep.
ProfileReading read_tables(const SweepValues& values) {
  const auto data = std::find_if(values.data.begin(), values.data.end(),
                                 [](const SweepValues::Data& d) { return d.name == "profiles" && !d.tables.empty(); });
  if (data == values.data.end()) return {};
  ProfileReading reading = read_profiles(data->tables, data->name);
  const std::vector<ParameterValue>& devices = values[Parameter::device].values;
  for (std::vector<DataProblem>* problems : {&reading.errors, &reading.warnings})
    std::erase_if(*problems, [&devices](const DataProblem& problem) {
      const auto at = profile_path(problem.path);
      return at && std::none_of(devices.begin(), devices.end(),
                                [&at](const ParameterValue& device) { return folder_of(device) == at->place; });
    });
  return reading;
}

}  // namespace

MeasuredTables::MeasuredTables(const SweepValues& values)
    : reading_(read_tables(values)), pool_(reading_.profiles.layers, {TableReading{}}) {
  if (reading_.profiles.layers.empty()) return;
  for (const ParameterValue& device : values[Parameter::device].values)
    products_.emplace_back(reading_.profiles.layers, folder_of(device), pool_, TableReading{});
}

}  // namespace dfsweep::taskgraph
