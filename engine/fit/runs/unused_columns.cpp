/// A column is judged by its name and by the cells of the first block.
#include "engine/fit/runs/unused_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "engine/fit/runs/run_cells.hpp"
#include "io/suggestion.hpp"

namespace dfsweep::fit {

namespace {

constexpr double least_parameters = 1e6;
constexpr std::size_t most_rows = 5000;
constexpr std::array<std::string_view, 7> parts_of_names = {"param", "activ", "expert", "moe", "topk", "top_k", "nume"};

/// What the cells of a column are like.
struct Seen {
  bool is_number = true;
  bool is_large = true;  ///< whole and at least a million
  bool differs = false;
  double first = NAN;

  void add(std::string_view text) {
    const RunCell cell = run_cell(text, RunColumn::parameters);
    if (cell.kind == CellKind::malformed) is_number = false;
    if (cell.kind != CellKind::number) return;
    if (!(cell.value >= least_parameters && std::floor(cell.value) == cell.value)) is_large = false;
    if (std::isnan(first)) first = cell.value;
    differs |= cell.value != first;
  }
  [[nodiscard]] bool has_numbers() const { return is_number && !std::isnan(first); }
};

bool is_named_so(std::string_view name) {
  std::string small(name);
  std::transform(small.begin(), small.end(), small.begin(),
                 [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
  return std::any_of(parts_of_names.begin(), parts_of_names.end(),
                     [&small](std::string_view part) { return small.find(part) != std::string::npos; });
}

}  // namespace

std::vector<std::string> remarks_on_unused(const CsvFile& csv, const RunColumnMap& map) {
  if (map.has(RunColumn::activated_parameters)) return {};
  std::vector<std::size_t> unused;
  for (std::size_t c = 0; c < csv.header().size(); ++c)
    if (std::find(map.index.begin(), map.index.end(), c) == map.index.end()) unused.push_back(c);
  std::vector<Seen> seen(unused.size());
  const std::string text = csv.block(0);
  CsvBlockReader lines(text, csv.header().size(), unused, csv.separator());
  for (std::size_t row = 0; row < most_rows && lines.next(); ++row)
    for (std::size_t i = 0; i < unused.size(); ++i) seen[i].add(lines.cells()[i]);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < unused.size(); ++i) {
    const std::string& name = csv.header()[unused[i]];
    if (seen[i].has_numbers() && (is_named_so(name) || (seen[i].is_large && seen[i].differs)))
      names.push_back("'" + name + "'");
  }
  if (names.empty()) return {};
  return {
      fmt::format("{}: not used, though it looks like parameters or experts: {}. Every model counts as dense; if a "
                  "token activates only some of the parameters, name the column that says how many with --columns "
                  "activated_parameters=NAME",
                  csv.name(), listed(names))};
}

}  // namespace dfsweep::fit
