#include "engine/calibration/measurement_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "io/number_format.hpp"
#include "models/expect.hpp"

namespace dfsweep::operators {

namespace {

constexpr double longest_row = 0.1;    ///< s
constexpr double largest_row = 1.6e9;  ///< B

/// Scatter of measured times around the form of a known device, by family. Source: docs/measured-operators.md, closed
/// forms fitted to their tables: median errors over 0.674.
DesignPrior prior_of(Family family) {
  switch (family) {
    case Family::prompts:
      return {.spread = 0.35, .scatter = 0.13};
    case Family::decoding:
      return {.spread = 0.35, .scatter = 0.18};
    case Family::library_exchanges:
      return {.spread = 0.35, .scatter = 0.08};
    default:
      return {.spread = 0.35, .scatter = 0.107};
  }
}

/// Appends every combination of the values.
void add_grid(std::vector<Keys>& all, const std::vector<std::vector<double>>& values) {
  std::vector<std::size_t> at(values.size(), 0);
  for (;;) {
    Keys keys{};
    for (std::size_t k = 0; k < values.size(); ++k) keys[k] = values[k][at[k]];
    all.push_back(keys);
    std::size_t k = values.size();
    while (k > 0 && ++at[k - 1] == values[k - 1].size()) at[--k] = 0;
    if (k == 0) return;
  }
}

std::vector<Keys> candidates_of(Family family, double node_devices) {
  std::vector<Keys> all;
  switch (family) {
    case Family::products:  // m, n, k
      add_grid(all, {{1, 8, 32, 64, 128, 256, 512, 1024, 4096, 16384},
                     {512, 1024, 4096, 8192, 16384, 32768},
                     {512, 1024, 4096, 8192, 16384, 32768}});
      break;
    case Family::prompts:  // requests, tokens, context, heads, key heads, size of a head, window
      for (const double size : {64.0, 128.0})
        for (const double group : {1.0, 4.0, 8.0})
          for (const double heads : {8.0, 32.0})
            add_grid(all, {{1, 4}, {128, 512, 2048, 8192, 16384}, {0, 4096}, {heads}, {heads / group}, {size}, {0}});
      break;
    case Family::decoding:
      for (const double size : {64.0, 128.0})
        for (const double group : {1.0, 4.0, 8.0})
          for (const double heads : {8.0, 32.0})
            add_grid(all,
                     {{1, 8, 64, 256}, {1}, {127, 1023, 8191, 32767, 131071}, {heads}, {heads / group}, {size}, {0}});
      break;
    case Family::library_exchanges:  // devices, bytes
      for (double devices = 2.0; devices <= std::min(node_devices, 64.0); devices *= 2.0)
        for (double bytes = 1024.0; bytes <= 1024.0 * 1024.0 * 1024.0; bytes *= 4.0) all.push_back({devices, bytes});
      break;
    default:
      DFSWEEP_EXPECT(false);
  }
  return all;
}

const OperatorLayout& layout_of(Family family) {
  const auto layouts = operator_layouts();
  const auto found = std::find_if(layouts.begin(), layouts.end(),
                                  [&](const OperatorLayout& layout) { return layout.family == family; });
  DFSWEEP_EXPECT(found != layouts.end());
  return *found;
}

struct PlannedFamily {
  Family family;
  const char* variant;
  const char* format;
};
constexpr PlannedFamily planned_families[] = {{Family::products, "", "bfloat16"},
                                              {Family::prompts, "", "bfloat16"},
                                              {Family::decoding, "", "bfloat16"},
                                              {Family::library_exchanges, "all_reduce", "half"}};

PlannedTable planned_table(const PlannedFamily& planned, const TableDevice& device, std::size_t rows) {
  PlannedTable table{.layout = &layout_of(planned.family),
                     .variant = planned.variant,
                     .format = planned.format,
                     .rows = {},
                     .expected_error = {},
                     .time = Seconds{0.0}};
  OperatorTable named;
  named.family = planned.family;
  named.format = planned.format;
  named.cache = table.layout->cache.empty() ? "" : planned.format;
  named.variant = planned.variant;
  const std::optional<TableSetting> setting = setting_of(named, device);
  DFSWEEP_EXPECT(setting.has_value());
  const Numbers start = start_of(planned.family, *setting);
  const auto time_of = [&](const Keys& keys) { return form_time(planned.family, keys, *setting, start); };
  std::vector<Keys> candidates = candidates_of(planned.family, device.node_devices);
  std::erase_if(candidates, [&](const Keys& keys) {
    return time_of(keys) > Seconds{longest_row} || work_of(planned.family, keys, *setting).bytes > Bytes{largest_row};
  });
  if (candidates.empty()) return table;
  const MeasurementDesign design = measurement_design(planned.family, candidates, *setting, start,
                                                      prior_of(planned.family), std::min(rows, candidates.size()));
  for (const std::size_t row : design.rows) {
    table.rows.push_back(candidates[row]);
    table.time = table.time + time_of(candidates[row]);
  }
  table.expected_error = design.expected_error;
  return table;
}

/// A column of the file, once each.
void add_column(std::vector<std::string>& header, std::string_view name) {
  if (!name.empty() && std::find(header.begin(), header.end(), name) == header.end()) header.emplace_back(name);
}

}  // namespace

std::vector<PlannedTable> measurement_plan(const TableDevice& device, std::size_t rows) {
  DFSWEEP_EXPECT(rows > 0);
  std::vector<PlannedTable> plan;
  for (const PlannedFamily& planned : planned_families) {
    PlannedTable table = planned_table(planned, device, rows);
    if (!table.rows.empty()) plan.push_back(std::move(table));
  }
  return plan;
}

std::string planned_csv(const PlannedTable& table, const std::string& system) {
  const OperatorLayout& layout = *table.layout;
  std::vector<std::string> header = {"system", "backend", "version", "kernel_source"};
  for (const std::string_view name : {layout.format, layout.cache}) add_column(header, name);
  for (const std::string_view name : layout.variants) add_column(header, name);
  for (const std::string_view name : layout.keys) add_column(header, name);
  add_column(header, layout.time);
  std::string text = fmt::format("{}\n", fmt::join(header, ","));
  for (const Keys& keys : table.rows) {
    for (std::size_t c = 0; c + 1 < header.size(); ++c) {
      const std::string& name = header[c];
      const auto key = std::find(layout.keys.begin(), layout.keys.end(), name);
      const bool is_key = key != layout.keys.end();
      std::string cell = "default";
      if (is_key)
        cell = shortest(keys[static_cast<std::size_t>(key - layout.keys.begin())]);
      else if (name == "system")
        cell = system;
      else if (name == layout.format || name == layout.cache)
        cell = table.format;
      else if (!layout.variants.empty() && name == layout.variants.front())
        cell = table.variant;
      text += cell + ",";
    }
    text += "\n";
  }
  return text;
}

std::string planned_file(const PlannedTable& table) {
  return std::string(table.layout->file) + ".csv";
}

}  // namespace dfsweep::operators
