#include "engine/report/fit_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/report/report_json.hpp"
#include "engine/report/table_data.hpp"
#include "io/number_format.hpp"
#include "io/terminal.hpp"
#include "models/absent.hpp"

namespace dfsweep::report {

namespace {

const TableFileTable* table_named(const TableFile& file, std::string_view path) {
  const auto found = std::find_if(file.tables.begin(), file.tables.end(),
                                  [&](const TableFileTable& table) { return table.path == path; });
  return found == file.tables.end() || found->columns.empty() ? nullptr : &*found;
}

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

/// What is scored: groups that laws were not fitted to, else groups that they were, else the groups alone.
const TableFileTable* main_table(const TableFile& file) {
  for (const std::string_view path : {"cross_validation", "scores", "groups"})
    if (const TableFileTable* table = table_named(file, path); table != nullptr && rows_of(*table) != 0) return table;
  return nullptr;
}

std::string description_of(const TableFileTable& table) {
  if (table.path == "cross_validation")
    return "What each law costs at groups of runs that it was not fitted to: the loss above the best run of the group.";
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
  const TableFileTable* table = main_table(file);
  TableFileTable nothing;
  if (table == nullptr) {
    page.notices.emplace_back("The fit has no groups of runs.");
    table = &nothing;
  }
  page.description = description_of(*table);
  if (const TableFileTable* groups = table_named(file, "groups"))
    page.counts.emplace_back("groups", std::to_string(rows_of(*groups)));
  if (const TableFileTable* laws = table_named(file, "fits"))
    page.counts.emplace_back("laws", std::to_string(rows_of(*laws)));
  for (const auto& [key, text] : file.attributes) page.provenance.emplace_back(printable(key), printable(text));
  const TableView view{.name = page.title,
                       .kind = "fit of a law",
                       .description = page.description,
                       .minimized = {"regret_quad1", "regret_bilinear", "regret_nearest", "min_loss"}};
  page.data = to_text(table_data(*table, view), JsonStyle::one_line);
  return page;
}

}  // namespace dfsweep::report
