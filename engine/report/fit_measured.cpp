/// Measured against predicted, of a fitted law: the best runs of groups beside what laws and surfaces say.
#include "engine/report/measured.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "models/absent.hpp"

namespace dfsweep::report {

namespace {

constexpr std::size_t most_laws = 6;  ///< colours repeat beyond

using Numbers = std::vector<double>;
using Texts = std::vector<std::string>;

template <class T>
const T* column_of(const TableFileTable& table, std::string_view name) {
  for (const TableFileColumn& column : table.columns)
    if (column.name == name) return std::get_if<T>(&column.values);
  return nullptr;
}

/// Of each group of runs a number; none where the file lacks the column.
std::map<std::string, double> by_group(const TableFile& file, std::string_view name) {
  std::map<std::string, double> found;
  const TableFileTable* groups = table_named(file, "groups");
  const Texts* names = groups != nullptr ? column_of<Texts>(*groups, "group") : nullptr;
  const Numbers* values = groups != nullptr ? column_of<Numbers>(*groups, name) : nullptr;
  if (names == nullptr || values == nullptr) return found;
  for (std::size_t row = 0; row < std::min(names->size(), values->size()); ++row)
    found.emplace((*names)[row], (*values)[row]);
  return found;
}

/// The laws whose runs are on average closest to the best run of a group.
std::set<std::string> best_laws(const TableFileTable& judged, const Texts& laws) {
  const Numbers* regrets = column_of<Numbers>(judged, "regret_quad1");
  std::map<std::string, std::pair<double, double>> sums;  // regret, groups
  for (std::size_t row = 0; row < laws.size(); ++row) {
    auto& [sum, count] = sums[laws[row]];
    const double regret = regrets != nullptr && row < regrets->size() ? (*regrets)[row] : absent;
    if (!is_given(regret)) continue;
    sum += regret;
    count += 1.0;
  }
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [law, of] : sums)
    order.emplace_back(of.second > 0.0 ? of.first / of.second : std::numeric_limits<double>::infinity(), law);
  std::sort(order.begin(), order.end());
  std::set<std::string> best;
  for (const auto& [regret, law] : order)
    if (best.size() < most_laws) best.insert(law);
  return best;
}

/// A row of each group that has both numbers or a reason why it lacks one.
void add_row(MeasuredMetric& all, const std::map<std::string, double>& measured, const std::string& group,
             std::string series, double predicted) {
  const auto found = measured.find(group);
  if (found == measured.end() || !is_given(found->second)) return;
  all.rows.push_back({.line = 0,
                      .name = group,
                      .group = std::move(series),
                      .measured = found->second,
                      .predicted = predicted,
                      .problem = is_given(predicted) ? "" : "there is no optimum"});
}

/// What laws say of one quantity at the groups that they are judged by.
MeasuredMetric of_laws(const TableFile& file, const TableFileTable& judged, const std::string& quantity,
                       const std::string& units) {
  MeasuredMetric all{.metric = "optimal_" + quantity, .units = units, .about = "", .rows = {}};
  all.about = judged.path == "cross_validation"
                  ? "Each row is a group of runs: its best run, and what a law says that was not fitted to the group. "
                    "Shown are the laws that cost least."
                  : "Each row is a group of runs: its best run, and what a law says that was fitted to it as well. "
                    "Shown are the laws that cost least.";
  const std::map<std::string, double> measured = by_group(file, "argmin_" + quantity);
  const Texts* laws = column_of<Texts>(judged, "law");
  const Texts* groups = column_of<Texts>(judged, "group");
  const Texts* splits = column_of<Texts>(judged, "split");
  const Numbers* predicted = column_of<Numbers>(judged, quantity);
  if (laws == nullptr || groups == nullptr || predicted == nullptr) return all;
  const std::set<std::string> best = best_laws(judged, *laws);
  for (std::size_t row = 0; row < laws->size(); ++row)
    if (best.contains((*laws)[row]) && (splits == nullptr || (*splits)[row] == splits->front()))
      add_row(all, measured, (*groups)[row], (*laws)[row], (*predicted)[row]);
  return all;
}

MeasuredMetric of_surfaces(const TableFile& file) {
  MeasuredMetric all{.metric = "least_loss",
                     .units = "1",
                     .about =
                         "Each row is a group of runs: its least loss, and the minimum of the surface fitted to its "
                         "runs within that share of it.",
                     .rows = {}};
  const TableFileTable* surfaces = table_named(file, "surfaces");
  if (surfaces == nullptr) return all;
  const std::map<std::string, double> measured = by_group(file, "min_loss");
  const Texts* groups = column_of<Texts>(*surfaces, "group");
  const Numbers* windows = column_of<Numbers>(*surfaces, "window");
  const Numbers* minima = column_of<Numbers>(*surfaces, "min_loss");
  if (groups == nullptr || windows == nullptr || minima == nullptr) return all;
  constexpr double percent = 100.0;
  for (std::size_t row = 0; row < groups->size(); ++row)
    add_row(all, measured, (*groups)[row], fmt::format("within {:g} %", percent * (*windows)[row]), (*minima)[row]);
  return all;
}

}  // namespace

const TableFileTable* table_named(const TableFile& file, std::string_view path) {
  const auto found = std::find_if(file.tables.begin(), file.tables.end(),
                                  [&](const TableFileTable& table) { return table.path == path; });
  return found == file.tables.end() || found->columns.empty() ? nullptr : &*found;
}

std::vector<MeasuredMetric> fit_measured(const TableFile& file) {
  std::vector<MeasuredMetric> found;
  for (const std::string_view path : {"cross_validation", "scores"}) {
    const TableFileTable* judged = table_named(file, path);
    if (judged == nullptr || !found.empty()) continue;
    found.push_back(of_laws(file, *judged, "learning_rate", "1"));
    found.push_back(of_laws(file, *judged, "batch_tokens", "tokens"));
    std::erase_if(found, [](const MeasuredMetric& all) { return all.joined() == 0; });
  }
  found.push_back(of_surfaces(file));
  std::erase_if(found, [](const MeasuredMetric& all) { return all.joined() == 0; });
  return found;
}

}  // namespace dfsweep::report
