#include "engine/report/fit_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/report/measured.hpp"
#include "engine/report/report_json.hpp"
#include "io/number_format.hpp"
#include "io/terminal.hpp"
#include "models/absent.hpp"

namespace dfsweep::report {

namespace {

std::size_t rows_of(const TableFileTable& table) {
  return std::visit([](const auto& values) { return values.size(); }, table.columns.front().values);
}

/// Columns that have a value somewhere.
html::Table plain_table(const TableFileTable& table, std::string caption) {
  html::Table plain;
  plain.caption = std::move(caption);
  plain.rows.resize(rows_of(table));
  const auto add = [&](const TableFileColumn& column, bool is_number, const std::vector<std::string>& cells) {
    plain.headers.push_back(printable(column.name));
    plain.numeric.push_back(is_number);
    for (std::size_t row = 0; row < plain.rows.size(); ++row) plain.rows[row].push_back(printable(cells[row]));
  };
  for (const TableFileColumn& column : table.columns)
    if (const auto* texts = std::get_if<std::vector<std::string>>(&column.values);
        texts != nullptr && texts->size() == plain.rows.size())
      add(column, false, *texts);
  for (const TableFileColumn& column : table.columns) {
    const auto* numbers = std::get_if<std::vector<double>>(&column.values);
    if (numbers == nullptr || numbers->size() != plain.rows.size()) continue;
    if (std::none_of(numbers->begin(), numbers->end(), [](double value) { return is_given(value); })) continue;
    std::vector<std::string> cells;
    for (const double value : *numbers) cells.push_back(with_unit(value, column.units == "1" ? "1" : column.units));
    add(column, true, cells);
  }
  return plain;
}

const std::vector<std::string>* texts_of(const TableFileTable& table, std::string_view name) {
  for (const TableFileColumn& column : table.columns)
    if (column.name == name) return std::get_if<std::vector<std::string>>(&column.values);
  return nullptr;
}

/// Mean and worst value of a metric over the groups of runs.
struct OverGroups {
  double sum = 0.0;
  double worst = absent;
  std::uint64_t groups = 0;
  void add(double value) {
    if (!is_given(value)) return;
    sum += value;
    worst = is_given(worst) ? std::max(worst, value) : value;
    ++groups;
  }
  [[nodiscard]] double mean() const { return groups != 0 ? sum / static_cast<double>(groups) : absent; }
};

/// What each law costs over all groups, apart for each way to leave groups out where the table has several.
TableFileTable costs_of_laws(const TableFileTable& scores) {
  const std::vector<std::string>* laws = texts_of(scores, "law");
  const std::vector<std::string>* splits = texts_of(scores, "split");
  TableFileTable costs{.path = scores.path, .columns = {}};
  if (laws == nullptr) return costs;
  std::map<std::pair<std::string, std::string>, std::size_t> places;
  std::vector<std::size_t> place_of_row;
  std::vector<std::string> law_names;
  std::vector<std::string> split_names;
  for (std::size_t row = 0; row < laws->size(); ++row) {
    const std::string split = splits != nullptr ? (*splits)[row] : std::string();
    const auto [found, is_new] = places.try_emplace({(*laws)[row], split}, places.size());
    place_of_row.push_back(found->second);
    if (!is_new) continue;
    law_names.push_back((*laws)[row]);
    split_names.push_back(split);
  }
  costs.columns.push_back({"law", law_names});
  if (splits != nullptr) costs.columns.push_back({"split", split_names});
  for (const TableFileColumn& column : scores.columns) {
    const auto* values = std::get_if<std::vector<double>>(&column.values);
    if (values == nullptr || !column.name.starts_with("regret_")) continue;
    std::vector<OverGroups> over(places.size());
    for (std::size_t row = 0; row < place_of_row.size(); ++row) over[place_of_row[row]].add((*values)[row]);
    std::vector<double> means;
    std::vector<double> worsts;
    for (const OverGroups& each : over) {
      means.push_back(each.mean());
      worsts.push_back(each.worst);
    }
    costs.columns.push_back({"mean_" + column.name, std::move(means), "1", "mean over groups of runs"});
    costs.columns.push_back({"worst_" + column.name, std::move(worsts), "1", "of the group where it is largest"});
  }
  return costs;
}

/// Costs at groups that laws were not fitted to, else at those that they were, else the groups alone.
TableFileTable main_table(const TableFile& file) {
  for (const std::string_view path : {"cross_validation", "scores"})
    if (const TableFileTable* table = table_named(file, path); table != nullptr && rows_of(*table) != 0)
      return costs_of_laws(*table);
  const TableFileTable* groups = table_named(file, "groups");
  return groups != nullptr ? *groups : TableFileTable{};
}

std::string description_of(const TableFileTable& table) {
  if (table.path == "cross_validation")
    return "What each law costs at groups of runs that it was not fitted to: the relative loss above the best run of a "
           "group.";
  if (table.path == "scores") return "What each law costs at the groups of runs that it was fitted to.";
  return "Groups of runs with the same recipe, parameters and tokens.";
}

}  // namespace

html::Page fit_page(const TableFile& file, const std::string& name) {
  html::Page page;
  page.title = printable(name);
  page.heading = page.title;
  const std::pair<const char*, const char*> shown[] = {{"predictions", "Predictions"},
                                                       {"next_groups", "Runs that would narrow the interval most"},
                                                       {"groups", "Groups"},
                                                       {"fits", "Laws"}};
  for (const auto& [path, caption] : shown)
    if (const TableFileTable* table = table_named(file, path); table != nullptr && rows_of(*table) != 0)
      page.tables.push_back(plain_table(*table, caption));
  const TableFileTable table = main_table(file);
  if (table.columns.empty()) page.notices.emplace_back("The fit has no groups of runs.");
  page.description = description_of(table);
  if (const TableFileTable* groups = table_named(file, "groups"))
    page.counts.emplace_back("groups", std::to_string(rows_of(*groups)));
  if (const TableFileTable* laws = table_named(file, "fits"))
    page.counts.emplace_back("laws", std::to_string(rows_of(*laws)));
  for (const auto& [key, text] : file.attributes) page.provenance.emplace_back(printable(key), printable(text));
  const TableView view{.name = page.title,
                       .kind = "fit of a law",
                       .description = page.description,
                       .minimized = {"mean_regret_quad1", "worst_regret_quad1", "mean_regret_bilinear",
                                     "mean_regret_nearest", "min_loss"}};
  JsonObject data = table_data(table, view);
  JsonArray comparisons;
  for (const MeasuredMetric& rows : fit_measured(file)) {
    comparisons.push_back(measured_json(rows));
    page.tables.push_back(measured_table(rows));
  }
  if (!comparisons.empty()) data.emplace_back("measured", std::move(comparisons));
  page.data = to_text(data, JsonStyle::one_line);
  return page;
}

}  // namespace dfsweep::report
