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

/// The tables of a sweep, or null.
const ProfileTables* tables_of(const SweepValues& values) {
  for (const SweepValues::Data& data : values.data)
    if (data.profiles != nullptr && !data.profiles->tables().empty()) return data.profiles.get();
  return nullptr;
}

}  // namespace

MeasuredTables::MeasuredTables(const SweepValues& values) {
  const ProfileTables* const tables = tables_of(values);
  if (tables == nullptr) return;
  const std::vector<ParameterValue>& devices = values[Parameter::device].values;
  findings_ = tables->findings({}, [&](const std::string& path) {
    const auto at = profile_path(path);
    return !at || std::any_of(devices.begin(), devices.end(),
                              [&at](const ParameterValue& device) { return folder_of(device) == at->place; });
  });
  if (tables->profiles().layers.empty()) return;
  for (const ParameterValue& device : devices) products_.emplace_back(*tables, folder_of(device), TableReading{});
}

}  // namespace dfsweep::taskgraph
