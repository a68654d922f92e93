#include "engine/calibration/entry_copies.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include "engine/calibration/correctable_model.hpp"
#include "engine/calibration/groups.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "models/expect.hpp"

namespace dfsweep {

namespace {

/// Converts a text to a valid entry name: letters, digits and single dashes.
std::string as_name(std::string_view text) {
  std::string name;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0)
      name += static_cast<char>(std::tolower(byte));
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  while (name.ends_with('-')) name.pop_back();
  return name;
}

SweepValues::Parameter& named_entries(MeasuredSweep& sweep) {
  return sweep.spec.values.parameters[parameter_of_entries(*sweep.spec.estimator)];
}

/// Makes the parameter that names entries a column of the point list, unless it is one.
void make_entries_a_column(MeasuredSweep& sweep) {
  SweepSpec& spec = sweep.spec;
  SweepValues::Parameter& named = named_entries(sweep);
  if (named.column != SweepValues::fixed) return;
  named.column = spec.points->codes.size();
  spec.points->codes.emplace_back(sweep.table.rows(), 0);
  spec.axes.push_back({{parameter_of_entries(*spec.estimator)}, 1});
  spec.values.column_sizes.push_back(1);
}

/// Adds a copy with a new name, and returns its code.
std::uint32_t add_copy(MeasuredSweep& sweep, std::uint32_t original, const std::string& of) {
  SweepValues::Parameter& named = named_entries(sweep);
  const Entry* entry = named.values[original].entry;
  const auto& files = sweep.spec.entries;
  const auto file = std::find_if(files.begin(), files.end(), [&](const auto& f) { return &f->entry == entry; });
  EntryFile copy = file == files.end() ? EntryFile{Entry{}, EntryOrigin::catalogue, {}, EntryPlaces{}, {}, {}} : **file;
  const std::string name = copy.entry.name.empty() ? std::string(name_without_entry) : copy.entry.name;
  copy.entry.name = name + "-" + as_name(of);
  const auto made = std::make_shared<const EntryFile>(std::move(copy));
  sweep.spec.entries.push_back(made);
  ParameterValue value = named.values[original];
  value.entry = &made->entry;
  named.values.push_back(std::move(value));
  const auto code = static_cast<std::uint32_t>(named.values.size() - 1);
  sweep.copies.push_back({code, original});
  return code;
}

}  // namespace

bool is_shared_entry(const MeasuredSweep& sweep, std::string_view column) {
  const Estimator& estimator = *sweep.spec.estimator;
  const std::string_view entries = estimator.parameters()[parameter_of_entries(estimator)].name;
  const std::optional<Groups> named = groups_by(sweep, entries), machines = groups_by(sweep, column);
  return named && machines && named->count() == 1 && machines->count() > 1;
}

void copy_entries(MeasuredSweep& sweep, std::string_view column) {
  const std::optional<Groups> groups = groups_by(sweep, column);
  DFSWEEP_EXPECT(groups.has_value());
  make_entries_a_column(sweep);
  const SweepValues::Parameter& named = named_entries(sweep);
  std::vector<std::uint32_t>& codes = sweep.spec.points->codes[named.column];
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> made;
  std::vector<std::uint32_t> renamed = codes;
  for (std::size_t i = 0; i < sweep.observations.size(); ++i) {
    const std::size_t row = sweep.observations[i].row;
    const auto [at, is_new] = made.emplace(std::pair(codes[row], groups->numbers[i]), 0);
    if (is_new) at->second = add_copy(sweep, codes[row], groups->names[groups->numbers[i]]);
    renamed[row] = at->second;
  }
  codes = std::move(renamed);
  sweep.spec.values.column_sizes[named.column] = named.values.size();
  sweep.spec.axes[named.column].size = static_cast<std::uint32_t>(named.values.size());
}

}  // namespace dfsweep
