/// Reads [parameters] and [[together]]: names, arrays, linked axes, defaults.
#include "engine/sweep/parameter_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "engine/sweep/other_words.hpp"
#include "engine/sweep/ranges.hpp"
#include "engine/sweep/resolved_text.hpp"
#include "io/number_format.hpp"
#include "io/suggestion.hpp"
#include "models/expect.hpp"
#include "models/place_of_name.hpp"

namespace dfsweep {

std::optional<ParameterIndex> ParameterReader::index_of(std::string_view name, const SourcePosition& at,
                                                        std::string_view where) {
  const auto table = estimator_.parameters();
  if (const auto place = place_of_name(table, name)) return place;
  std::vector<std::string> names;
  for (const ParameterInfo& info : table) names.emplace_back(info.name);
  const std::string own = own_word(name, names);
  meant_.push_back(own.empty() ? nearest(name, names) : own);
  problems_.add(at, fmt::format("unknown parameter '{}'{}", name, where),
                fmt::format("estimator '{}' has no such parameter", estimator_.name()),
                unknown_parameter_hint(name, estimator_, values_.estimators()));
  return std::nullopt;
}

void ParameterReader::read_parameters(const Document& table) {
  for (const DocumentMember& member : table.members) {
    read_one(member, " in [parameters]");
    const auto name = [&](const ParameterInfo& info) { return info.name == member.key; };
    const auto infos = estimator_.parameters();
    const auto index = static_cast<ParameterIndex>(std::find_if(infos.begin(), infos.end(), name) - infos.begin());
    const auto given = given_.find(index);
    if (given == given_.end() || !given->second.is_axis) continue;
    if (given->second.continuous)
      drawn_.push_back(index);
    else
      axes_.push_back({index});
  }
}

void ParameterReader::read_together(const NodeList& groups) {
  for (const Node& group : groups) {
    const Document* table = group.table();
    if (table == nullptr) {
      problems_.add(group.at, "'together' is not a table",
                    "each [[together]] links parameters by arrays of equal length");
      continue;
    }
    std::vector<ParameterIndex> members;
    for (const DocumentMember& member : table->members) {
      if (member.value.array() == nullptr && member.value.table() == nullptr) {
        problems_.add(member.value.at, fmt::format("'{}' in [[together]] is {}", member.key, member.value.type_name()),
                      "an array or a range is needed", "Put a fixed value into [parameters]");
        continue;
      }
      const std::size_t before = given_.size();
      read_one(member, " in [[together]]");
      if (given_.size() == before) continue;
      for (const auto& [index, given] : given_) {
        if (estimator_.parameters()[index].name != member.key) continue;
        members.push_back(index);
        if (given.continuous)
          problems_.add(member.value.at, fmt::format("'{}' in [[together]] is a continuous range", member.key),
                        "linked parameters have listed values", "Give the range points");
      }
    }
    if (table->members.empty())
      problems_.add(group.at, "[[together]] is empty", "", "Name the parameters that it links");
    if (members.empty()) continue;
    groups_.push_back(std::move(members));
  }
}

void ParameterReader::read_one(const DocumentMember& member, std::string_view where) {
  const auto index = index_of(member.key, member.at, where);
  if (!index) return;
  if (const auto earlier = given_.find(*index); earlier != given_.end()) {
    problems_.add(member.at, fmt::format("parameter '{}' is given twice", member.key),
                  fmt::format("first in line {}", earlier->second.at.line), "Keep one of them");
    return;
  }
  GivenParameter given;
  given.parameter = *index;
  given.at = member.at;
  const ParameterInfo& info = estimator_.parameters()[*index];
  read_values(given, info, member.value);
  given_.emplace(*index, std::move(given));
}

void ParameterReader::read_values(GivenParameter& given, const ParameterInfo& info, const Node& value) {
  given.is_axis = value.array() != nullptr || value.table() != nullptr;
  given.is_range = value.table() != nullptr;
  if (const Document* range = value.table()) return read_range(given, info, value, *range);
  const auto take = [&](const Node& one) {
    if (auto decoded = values_.from_toml(info, one)) {
      given.values.push_back(std::move(*decoded));
      given.positions.push_back(one.at);
    }
  };
  const NodeList* array = value.array();
  if (array == nullptr) {
    take(value);
    return;
  }
  if (array->empty())
    problems_.add(value.at, fmt::format("axis '{}' is empty", info.name), "", "Give at least one value");
  for (const Node& element : *array) take(element);
  given.written = array->size();
}

void ParameterReader::reject_duplicates(const std::vector<ParameterIndex>& members) {
  const GivenParameter& first_member = given_.at(members.front());
  std::string names;
  for (const ParameterIndex member : members) {
    if (given_.at(member).positions.size() != first_member.positions.size()) return;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", estimator_.parameters()[member].name);
  }
  std::unordered_map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < first_member.positions.size(); ++i) {
    std::string labels;
    for (const ParameterIndex member : members)
      labels += fmt::format("{}{}", labels.empty() ? "" : ", ",
                            label(estimator_.parameters()[member], given_.at(member).values[i]));
    const auto [first, is_new] = seen.emplace(std::move(labels), i);
    const SourcePosition& before = first_member.positions[first->second];
    if (!is_new)
      problems_.add(first_member.positions[i], fmt::format("axis '{}' holds {} twice", names, first->first),
                    fmt::format("first at {}:{}", before.line, before.column));
  }
}

void ParameterReader::resolve_references() {
  for (const Reference& reference : references_) {
    const std::string& name = *reference.to->text();
    GivenParameter& given = given_.at(reference.parameter);
    const ParameterInfo& info = estimator_.parameters()[reference.parameter];
    const auto index = index_of(name, reference.to->at, " in divisors_of");
    if (!index) continue;
    const ParameterInfo& divided = estimator_.parameters()[*index];
    const bool is_reference = std::any_of(references_.begin(), references_.end(),
                                          [&](const Reference& other) { return other.parameter == *index; });
    const auto fail = [&](std::string reason) {
      problems_.add(reference.to->at, fmt::format("divisors of '{}' are not defined", name), std::move(reason),
                    "Name a parameter with whole numbers, or write the number");
    };
    if (is_reference) {
      fail("its values are divisors of another parameter themselves");
      continue;
    }
    std::vector<ParameterValue> whole;
    if (const auto found = given_.find(*index); found != given_.end())
      whole = found->second.values;
    else if (divided.absence == Absence::fallback)
      if (auto value = values_.from_text(divided, divided.fallback, reference.to->at))
        whole.push_back(std::move(*value));
    std::vector<std::uint64_t> numbers;
    for (const ParameterValue& value : whole)
      if (value.number >= 1.0 && value.number <= largest_exact_whole &&
          value.number == static_cast<double>(static_cast<std::uint64_t>(value.number)))
        numbers.push_back(static_cast<std::uint64_t>(value.number));
    if (numbers.empty() || numbers.size() != whole.size()) {
      fail(whole.empty() ? "it has no value in this sweep" : "not all of its values are whole numbers from 1");
      continue;
    }
    take_numbers(given, info, divisors_of_any(numbers), reference.to->at);
  }
}

void ParameterReader::reject_axes() {
  for (const auto& [index, given] : given_)
    if (given.is_axis)
      problems_.add(given.at, fmt::format("axis '{}' with [points]", estimator_.parameters()[index].name),
                    "every point is a line of the list", "Give a single value, or a column of the list");
}

void ParameterReader::reject(ParameterIndex parameter, const std::string& point_list) {
  const auto given = given_.find(parameter);
  if (given != given_.end())
    problems_.add(given->second.at,
                  fmt::format("parameter '{}' is given twice", estimator_.parameters()[parameter].name),
                  fmt::format("it is a column of {}", point_list), "Keep one of them");
}

void ParameterReader::finish(SweepSpec& spec, const SourcePosition& at, const std::vector<ParameterIndex>& varying) {
  resolve_references();
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const GivenParameter& first = given_.at(groups_[g].front());
    for (const ParameterIndex index : groups_[g]) {
      const GivenParameter& member = given_.at(index);
      const bool both_known = member.written > 0 && first.written > 0;  // the length of a range with errors is unknown
      if (both_known && member.written != first.written)
        problems_.add(member.at,
                      fmt::format("'{}' has {}", estimator_.parameters()[index].name, counted(member.written, "value")),
                      fmt::format("'{}' of the same [[together]] has {}", estimator_.parameters()[first.parameter].name,
                                  first.written),
                      "Linked parameters need lists of equal length");
    }
  }
  for (const std::vector<ParameterIndex>& axis : axes_)
    if (!given_.at(axis.front()).is_range) reject_duplicates(axis);
  for (const std::vector<ParameterIndex>& group : groups_) reject_duplicates(group);
  const auto infos = estimator_.parameters();
  spec.values.parameters.resize(infos.size());
  spec.value_positions.resize(infos.size());
  for (ParameterIndex p = 0; p < infos.size(); ++p) {
    auto& values = spec.values.parameters[p].values;
    if (const auto found = given_.find(p); found != given_.end()) {
      values = std::move(found->second.values);
      spec.value_positions[p] = std::move(found->second.positions);
    } else if (std::find(varying.begin(), varying.end(), p) != varying.end()) {
      continue;
    } else if (infos[p].absence == Absence::required) {
      if (std::find(meant_.begin(), meant_.end(), infos[p].name) != meant_.end()) continue;
      problems_.add(at, fmt::format("parameter '{}' is missing", infos[p].name), std::string(infos[p].meaning),
                    "Give it in [parameters]");
    } else if (infos[p].absence == Absence::fallback) {
      if (auto value = values_.from_text(infos[p], infos[p].fallback, at)) values.push_back(std::move(*value));
      spec.value_positions[p].push_back(at);
    } else {
      values.emplace_back();
      spec.value_positions[p].push_back(at);
    }
  }
  std::vector<std::vector<ParameterIndex>> axes = axes_;
  axes.insert(axes.end(), groups_.begin(), groups_.end());
  for (std::vector<ParameterIndex>& members : axes) {
    const std::size_t size = spec.values.parameters[members.front()].values.size();
    for (const ParameterIndex p : members) spec.values.parameters[p].column = spec.axes.size();
    spec.axes.push_back({std::move(members), static_cast<std::uint32_t>(size)});
    spec.values.column_sizes.push_back(size);
  }
  if (!drawn_.empty()) draw_ranges(spec);
}

void ParameterReader::draw_ranges(SweepSpec& spec) {
  Sample& sample = *spec.sample;
  for (const ParameterIndex p : drawn_) sample.ranges.push_back(*given_.at(p).continuous);
  const std::uint64_t rows = *sample.count;
  const Design design = range_design(sample);
  for (std::size_t d = 0; d < drawn_.size(); ++d) {
    SweepValues::Parameter& parameter = spec.values.parameters[drawn_[d]];
    parameter.column = spec.axes.size();
    parameter.values.resize(rows);
    for (std::uint64_t row = 0; row < rows; ++row)
      parameter.values[row].number = number_at(sample.ranges[d], design.at(row, d));
  }
  spec.axes.push_back({drawn_, static_cast<std::uint32_t>(rows)});
  spec.values.column_sizes.push_back(rows);
}

}  // namespace dfsweep
