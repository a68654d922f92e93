/// The short form of an explanation: what fits on one screen.
#include "engine/commands/explain_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "models/absent.hpp"

namespace dfsweep {
namespace {

constexpr std::size_t most_metrics = 12;
constexpr std::size_t most_rows = 4;

/// Depth first; null where no table has such a column.
const Explanation* section_with_times(const Explanation& section) {
  const auto& headings = section.table.headings;
  if (std::find(headings.begin(), headings.end(), "time") != headings.end() && !section.table.rows.empty())
    return &section;
  for (const Explanation& inner : section.sections)
    if (const Explanation* found = section_with_times(inner)) return found;
  return nullptr;
}

double number_of(const std::variant<double, std::string>& cell) {
  const double* number = std::get_if<double>(&cell);
  return number == nullptr || !is_given(*number) ? 0.0 : *number;
}

Explanation longest_rows(const Explanation& section) {
  Explanation result{.title = section.title, .facts = section.facts, .table = section.table, .sections = {}};
  const auto& headings = section.table.headings;
  const auto time = static_cast<std::size_t>(std::find(headings.begin(), headings.end(), "time") - headings.begin());
  auto& rows = result.table.rows;
  std::stable_sort(rows.begin(), rows.end(),
                   [time](const auto& a, const auto& b) { return number_of(a[time]) > number_of(b[time]); });
  if (rows.size() > most_rows) {
    result.title += fmt::format(": the {} longest of {}", most_rows, rows.size());
    rows.resize(most_rows);
  }
  return result;
}

/// The section without tables, and without inner sections that say nothing then.
Explanation facts_only(const Explanation& section) {
  Explanation result{.title = section.title, .facts = section.facts, .table = {}, .sections = {}};
  for (const Explanation& inner : section.sections) {
    Explanation kept = facts_only(inner);
    if (!kept.facts.empty() || !kept.sections.empty()) result.sections.push_back(std::move(kept));
  }
  return result;
}

/// The facts that say of a shown price that it is derived from the parts of a device.
std::vector<Fact> derived_prices(const std::vector<Fact>& shown, const std::vector<Fact>& all) {
  const auto is_price = [](const Fact& fact) { return fact.unit.find("USD") != std::string::npos; };
  std::vector<Fact> sources;
  if (std::none_of(shown.begin(), shown.end(), is_price)) return sources;
  std::copy_if(all.begin(), all.end(), std::back_inserter(sources), [](const Fact& fact) {
    const std::string* source = std::get_if<std::string>(&fact.value);
    return fact.label == "price_source" && source != nullptr && *source == "derived";
  });
  return sources;
}

Explanation first_metrics(std::span<const std::string_view> headline, const Explanation& metrics) {
  std::vector<Fact> facts = metrics.facts;
  std::erase_if(facts, [](const Fact& fact) {
    const double* number = std::get_if<double>(&fact.value);
    return number != nullptr && !is_given(*number);
  });
  const auto place = [&](const Fact& fact) { return std::find(headline.begin(), headline.end(), fact.label); };
  std::stable_sort(facts.begin(), facts.end(), [&](const Fact& a, const Fact& b) { return place(a) < place(b); });
  const std::vector<Fact> all = facts;
  facts.resize(std::min(facts.size(), most_metrics));
  for (Fact& source : derived_prices(facts, all)) facts.push_back(std::move(source));
  return {.title = metrics.title, .facts = std::move(facts), .table = {}, .sections = {}};
}

}  // namespace

std::vector<Explanation> explanation_summary(const StatusInfo& status, std::span<const std::string_view> headline,
                                             const Explanation& metrics, const Explanation& whole) {
  std::vector<Explanation> sections{first_metrics(headline, metrics)};
  const Explanation* times = section_with_times(whole);
  if (times == nullptr) {
    sections.push_back(facts_only(whole));
    return sections;
  }
  const bool is_feasible = status.name == "ok";
  if (!is_feasible && !whole.facts.empty())
    sections.push_back({.title = whole.title, .facts = whole.facts, .table = {}, .sections = {}});
  sections.push_back(longest_rows(*times));
  return sections;
}

}  // namespace dfsweep
