#include "engine/scores/shared_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "engine/console/usage_error.hpp"
#include "engine/results/result_rows.hpp"
#include "io/suggestion.hpp"
#include "models/absent.hpp"
#include "models/expect.hpp"

namespace dfsweep {

namespace {

constexpr std::size_t distinct_limit = std::size_t{1} << 24;

const FixedValue* fixed_named(const DatasetReader& file, std::string_view name) {
  for (const FixedValue& fixed : file.fixed())
    if (fixed.name == name) return &fixed;
  return nullptr;
}

/// What one result says of an axis.
struct Said {
  const DatasetColumn* column = nullptr;
  std::string units;
  std::vector<std::string> labels;  ///< [code of the column], or the fixed label
  std::vector<double> numbers;      ///< distinct values
  [[nodiscard]] bool has_labels() const { return !labels.empty(); }
};

[[noreturn]] void refuse_unknown(std::string_view name, const NamedResult& result) {
  std::vector<std::string> known;
  for (const DatasetColumn* axis : axis_columns(*result.file)) known.push_back(axis->name);
  for (const FixedValue& fixed : result.file->fixed()) known.push_back(fixed.name);
  throw UsageError(fmt::format("--by: result {} has no parameter '{}'. {}", result.name, name,
                               did_you_mean(name, known, "It has: " + listed(known) + ".")));
}

Said said_of(std::string_view name, const NamedResult& result, const RowFilter& filter) {
  Said said;
  said.column = result.file->column(name);
  if (said.column != nullptr) {
    said.units = said.column->units;
    said.labels = value_names(*result.file, *said.column);
    if (said.column->type == ElementType::uint64 || (!said.has_labels() && is_metric(*result.file, *said.column)))
      throw UsageError(fmt::format("--by: '{}' is not a parameter of result {}.", name, result.name));
    if (!said.has_labels()) said.numbers = distinct_values(*result.file, *said.column, filter, distinct_limit);
    return said;
  }
  const FixedValue* fixed = fixed_named(*result.file, name);
  if (fixed == nullptr) refuse_unknown(name, result);
  said.units = fixed->units;
  if (const auto* label = std::get_if<std::string>(&fixed->value))
    said.labels = {*label};
  else if (const auto* whole = std::get_if<std::int64_t>(&fixed->value))
    said.numbers = {static_cast<double>(*whole)};
  else
    said.numbers = {std::get<double>(fixed->value)};
  return said;
}

void check_alike(std::string_view name, const Said& first, const Said& other, std::span<const NamedResult> results,
                 std::size_t r) {
  if (first.has_labels() != other.has_labels())
    throw UsageError(fmt::format("--by: '{}' is a name in one of the results {} and {} and a number in the other.",
                                 name, results[0].name, results[r].name));
  if (!first.has_labels() && first.units != other.units)
    throw UsageError(fmt::format("--by: '{}' has the unit {} in result {} and {} in result {}.", name, first.units,
                                 results[0].name, other.units, results[r].name));
}

std::uint32_t place_of(std::vector<std::string>& labels, const std::string& label) {
  const auto place = static_cast<std::size_t>(std::find(labels.begin(), labels.end(), label) - labels.begin());
  if (place == labels.size()) labels.push_back(label);
  return static_cast<std::uint32_t>(place);
}

}  // namespace

std::uint32_t SharedAxis::code(const Place& place, double stored) const {
  if (place.column == nullptr) return place.fixed_code;
  if (!is_given(stored)) return absent_code;
  if (!labels.empty()) {
    const bool has_label = stored >= 0.0 && stored < static_cast<double>(place.code_of_label.size());
    return has_label ? place.code_of_label[static_cast<std::size_t>(stored)] : absent_code;
  }
  const auto found = std::lower_bound(numbers.begin(), numbers.end(), stored);
  DFSWEEP_EXPECT(found != numbers.end() && *found == stored);
  return static_cast<std::uint32_t>(found - numbers.begin());
}

SharedAxis shared_axis(std::string_view name, std::span<const NamedResult> results,
                       std::span<const RowFilter> filters) {
  SharedAxis axis{.name = std::string(name), .units = {}, .labels = {}, .numbers = {}, .places = {}};
  std::vector<Said> said;
  for (std::size_t r = 0; r < results.size(); ++r) {
    said.push_back(said_of(name, results[r], filters[r]));
    check_alike(name, said.front(), said.back(), results, r);
    axis.numbers.insert(axis.numbers.end(), said[r].numbers.begin(), said[r].numbers.end());
  }
  axis.units = said.front().units;
  std::sort(axis.numbers.begin(), axis.numbers.end());
  axis.numbers.erase(std::unique(axis.numbers.begin(), axis.numbers.end()), axis.numbers.end());
  for (const Said& each : said) {
    SharedAxis::Place place{.column = each.column, .code_of_label = {}, .fixed_code = 0};
    for (const std::string& label : each.labels) place.code_of_label.push_back(place_of(axis.labels, label));
    if (each.column == nullptr)
      place.fixed_code = each.has_labels()
                             ? place.code_of_label.front()
                             : static_cast<std::uint32_t>(
                                   std::lower_bound(axis.numbers.begin(), axis.numbers.end(), each.numbers.front()) -
                                   axis.numbers.begin());
    axis.places.push_back(std::move(place));
  }
  return axis;
}

}  // namespace dfsweep
