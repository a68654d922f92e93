/// Tables are independent tasks; their errors are joined in the order of the tables.
#include "engine/profiles/operator_validation.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "engine/parallel/threads.hpp"

namespace dfsweep::operators {

namespace {

constexpr float long_seconds = 100e-6F;

using Group = std::pair<Family, std::string>;

std::string joined_words(std::string_view first, std::string_view second) {
  return std::string(first) + (first.empty() || second.empty() ? "" : " ") + std::string(second);
}

/// Devices on a switch exchange in another way than those that share buses of their host.
std::string_view wires_of(const TableSetting& setting) {
  return setting.link < slowest_switch ? "by buses of the host" : "";
}

Group group_of(const OperatorTable& table, const TableSetting& setting) {
  switch (table.family) {
    case Family::products:
    case Family::experts:
      return {table.family, table.format};
    case Family::library_exchanges:
      return {table.family, joined_words(table.variant, wires_of(setting))};
    case Family::own_all_reduces:
      return {table.family, std::string(wires_of(setting))};
    default:
      return {table.family, ""};
  }
}

/// What is left out together: exchanges are among few numbers of devices.
LeftOut left_out_of(Family family) {
  return family == Family::library_exchanges || family == Family::own_all_reduces ? LeftOut::sizes : LeftOut::shapes;
}

/// The groups of a table: with formats apart, and all formats together.
std::vector<Group> groups_of(const OperatorTable& table, const TableSetting& setting) {
  std::vector<Group> groups{group_of(table, setting)};
  if (table.family == Family::products || table.family == Family::experts) groups.push_back({table.family, ""});
  return groups;
}

/// Errors of one table.
struct TableErrors {
  std::vector<LeftOutError> left_out;
  std::vector<float> none;
  std::vector<float> twenty;
};

/// Numbers fitted to the other systems of a group.
using SharedNumbers = std::map<std::pair<Group, std::string>, Numbers>;

/// The tables of a group on other systems than one.
std::vector<SetTable> other_systems(const OperatorFolder& folder, const Group& group, const std::string& system) {
  std::vector<SetTable> others;
  for (std::size_t i = 0; i < folder.tables.size(); ++i)
    if (group_of(folder.tables[i], folder.settings[i]) == group && folder.tables[i].system != system)
      others.push_back({&folder.tables[i], folder.settings[i]});
  return others;
}

/// The setting of the first table of a group on a system. Pre: it has one.
const TableSetting& setting_on(const OperatorFolder& folder, const Group& group, const std::string& system) {
  std::size_t i = 0;
  while (group_of(folder.tables[i], folder.settings[i]) != group || folder.tables[i].system != system) ++i;
  return folder.settings[i];
}

SharedNumbers shared_of(const OperatorFolder& folder, unsigned threads) {
  std::set<std::pair<Group, std::string>> wanted;
  for (std::size_t i = 0; i < folder.tables.size(); ++i)
    wanted.emplace(group_of(folder.tables[i], folder.settings[i]), folder.tables[i].system);
  const std::vector<std::pair<Group, std::string>> list(wanted.begin(), wanted.end());
  std::vector<std::vector<Numbers>> numbers(list.size());  // empty where there is no other system
  parallel_for(list.size(), threads, [&](std::size_t i) {
    const std::vector<SetTable> others = other_systems(folder, list[i].first, list[i].second);
    if (!others.empty())
      numbers[i].push_back(shared_numbers(others, setting_on(folder, list[i].first, list[i].second)));
  });
  SharedNumbers shared;
  for (std::size_t i = 0; i < list.size(); ++i)
    if (!numbers[i].empty()) shared.emplace(list[i], numbers[i][0]);
  return shared;
}

TableErrors errors_of(const OperatorTable& table, const TableSetting& setting, const SharedNumbers& shared) {
  TableErrors errors;
  errors.left_out = left_out_errors(table, setting, left_out_of(table.family));
  const auto found = shared.find({group_of(table, setting), table.system});
  if (errors.left_out.empty() || found == shared.end()) return errors;
  errors.none = errors_without_rows({&table, setting}, found->second);
  errors.twenty = errors_with_twenty_rows({&table, setting}, found->second);
  return errors;
}

/// All rows of a group.
struct JoinedErrors {
  std::size_t tables = 0;
  std::set<std::string> systems;
  std::vector<float> form;
  std::vector<float> form_long;
  std::vector<float> table;
  std::vector<float> none;
  std::vector<float> twenty;
  std::size_t covered = 0;
};

void join(JoinedErrors& joined, const OperatorTable& table, const TableErrors& errors) {
  ++joined.tables;
  joined.systems.insert(table.system);
  for (const LeftOutError& one : errors.left_out) {
    joined.form.push_back(one.form);
    if (one.seconds > long_seconds) joined.form_long.push_back(one.form);
    joined.table.push_back(one.table);
    if (one.table <= one.bound) ++joined.covered;
  }
  joined.none.insert(joined.none.end(), errors.none.begin(), errors.none.end());
  joined.twenty.insert(joined.twenty.end(), errors.twenty.begin(), errors.twenty.end());
}

GroupErrors summary_of(const Group& group, const JoinedErrors& joined) {
  GroupErrors errors;
  errors.family = group.first;
  errors.group = group.second;
  errors.tables = joined.tables;
  errors.rows = joined.table.size();
  errors.systems = joined.systems.size();
  errors.form = error_pair(joined.form);
  if (!joined.form_long.empty()) errors.form_long = error_pair(joined.form_long);
  errors.long_rows = joined.form_long.size();
  errors.table = error_pair(joined.table);
  errors.covered = static_cast<double>(joined.covered) / static_cast<double>(joined.table.size());
  if (!joined.none.empty()) errors.none = error_pair(joined.none);
  if (!joined.twenty.empty()) errors.twenty = error_pair(joined.twenty);
  return errors;
}

}  // namespace

std::vector<GroupErrors> validate_operators(const OperatorFolder& folder, unsigned threads) {
  const SharedNumbers shared = shared_of(folder, threads);
  std::vector<TableErrors> errors(folder.tables.size());
  parallel_for(errors.size(), threads,
               [&](std::size_t i) { errors[i] = errors_of(folder.tables[i], folder.settings[i], shared); });
  std::map<Group, JoinedErrors> groups;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    if (errors[i].left_out.empty()) continue;
    for (const Group& group : groups_of(folder.tables[i], folder.settings[i]))
      join(groups[group], folder.tables[i], errors[i]);
  }
  std::vector<GroupErrors> all;
  for (const auto& [group, joined] : groups) all.push_back(summary_of(group, joined));
  return all;
}

}  // namespace dfsweep::operators
