/// What would help most at a point, for people and for JSON.
#include "engine/commands/explain_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/console/usage_error.hpp"
#include "engine/parallel/threads.hpp"
#include "engine/run/waiting_line.hpp"
#include "io/number_format.hpp"
#include "models/absent.hpp"
#include "models/place_of_name.hpp"

namespace dfsweep {
namespace {

using Cell = std::variant<double, std::string>;

void cut(ExplanationTable& table, std::vector<Fact>& facts, std::size_t most_rows) {
  if (table.rows.size() <= most_rows) return;
  facts.push_back(
      {"left out", fmt::format("{} weaker ones; explain --full prints all", table.rows.size() - most_rows), ""});
  table.rows.resize(most_rows);
}

Explanation numbers_of(const SweepSpec& spec, const Sensitivity& found, std::span<const MetricIndex> metrics,
                       std::size_t most_rows) {
  Explanation section{
      .title = "metrics in per cent, for 1 % more of a number", .facts = {}, .table = {}, .sections = {}};
  section.table.headings = {"number", "now"};
  for (const MetricIndex m : metrics) section.table.headings.emplace_back(spec.estimator->metrics()[m].name);
  section.table.units.assign(section.table.headings.size(), "");
  for (const Elasticity& each : found.elasticities) {
    std::vector<Cell> row{each.name,
                          is_given(each.value) ? input_with_unit(each.value, each.unit) : std::string("a list")};
    for (const double of : each.of) row.emplace_back(is_given(of) ? fmt::format("{:+.3f}", of) : std::string("-"));
    section.table.rows.push_back(std::move(row));
  }
  cut(section.table, section.facts, most_rows);
  return section;
}

/// Possible changes, the best on the first metric first.
std::vector<Change> possible_changes(const SweepSpec& spec, const Sensitivity& found, MetricIndex first) {
  std::vector<Change> possible;
  for (const Change& change : found.changes)
    if (change.status == status_ok) possible.push_back(change);
  const bool higher = spec.estimator->metrics()[first].better == Better::higher;
  const auto cost = [higher](const Change& change) {
    const double ratio = change.ratio.front();
    return !is_given(ratio) ? 2.0e300 : higher ? -ratio : ratio;
  };
  std::stable_sort(possible.begin(), possible.end(),
                   [&](const Change& a, const Change& b) { return cost(a) < cost(b); });
  return possible;
}

/// One fact for each status that a change leads to, with the first changes that do.
std::vector<Fact> impossible_changes(const SweepSpec& spec, const Sensitivity& found) {
  constexpr std::size_t most_named = 4;
  std::map<std::uint8_t, std::vector<std::string>> of_status;
  for (const Change& change : found.changes)
    if (change.status != status_ok)
      of_status[change.status].push_back(
          fmt::format("{} {}", spec.estimator->parameters()[change.parameter].name, change.to));
  std::vector<Fact> facts;
  for (const auto& [status, names] : of_status) {
    const auto last = names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), most_named));
    std::string text = fmt::format("{}", fmt::join(names.begin(), last, ", "));
    if (names.size() > most_named) text += fmt::format(" and {} more", names.size() - most_named);
    facts.push_back({std::string(spec.estimator->statuses()[status].name), std::move(text), ""});
  }
  return facts;
}

Explanation choices_of(const SweepSpec& spec, const Sensitivity& found, std::span<const MetricIndex> metrics,
                       std::size_t most_rows) {
  Explanation section{.title = "metrics with another value of one parameter, as multiples of now",
                      .facts = {},
                      .table = {},
                      .sections = {}};
  section.table.headings = {"parameter", "now", "then"};
  for (const MetricIndex m : metrics) section.table.headings.emplace_back(spec.estimator->metrics()[m].name);
  section.table.units.assign(section.table.headings.size(), "");
  for (const Change& change : possible_changes(spec, found, metrics.front())) {
    std::vector<Cell> row{std::string(spec.estimator->parameters()[change.parameter].name), change.from, change.to};
    for (const double ratio : change.ratio)
      row.emplace_back(is_given(ratio) ? fmt::format("{:.4f}", ratio) : std::string("-"));
    section.table.rows.push_back(std::move(row));
  }
  cut(section.table, section.facts, most_rows);
  for (Fact& fact : impossible_changes(spec, found)) section.facts.push_back(std::move(fact));
  return section;
}

}  // namespace

std::vector<MetricIndex> sensitivity_metrics(const SweepSpec& spec, const std::vector<std::string>& names) {
  const auto all = spec.estimator->metrics();
  std::vector<MetricIndex> metrics;
  for (const std::string& name : names) {
    const auto place = place_of_name(all, name);
    if (!place || all[*place].type == MetricType::flags)
      throw UsageError(
          fmt::format("--sensitivity '{}': no metric of numbers has that name. 'dfsweep describe {}' lists them.", name,
                      spec.estimator->name()));
    metrics.push_back(*place);
  }
  return metrics;
}

Sensitivity sensitivity_with_progress(const SweepSpec& spec, std::span<const std::uint32_t> codes,
                                      std::span<const MetricIndex> metrics) {
  WaitingLine line("sensitivity");
  return sensitivity_of(spec, codes, metrics,
                        {.threads = allowed_cores(), .progress = [&line](std::size_t done, std::size_t all) {
                           line.set_text(fmt::format("sensitivity: {} of {}", done, all));
                         }});
}

Explanation sensitivity_explanation(const SweepSpec& spec, const Sensitivity& found,
                                    std::span<const MetricIndex> metrics, std::size_t most_rows) {
  Explanation all{.title = "sensitivity", .facts = {}, .table = {}, .sections = {}};
  if (!found.kept.empty())
    all.facts.push_back({"kept where feasible",
                         fmt::format("what the search of the point found for {}", fmt::join(found.kept, ", ")), ""});
  all.sections = {numbers_of(spec, found, metrics, most_rows), choices_of(spec, found, metrics, most_rows)};
  return all;
}

}  // namespace dfsweep
