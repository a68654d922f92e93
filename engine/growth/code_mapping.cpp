/// Values are the same if their numbers have the same bits and their texts are equal.
#include "engine/growth/code_mapping.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <unordered_map>

#include <fmt/format.h>

#include "engine/sweep/resolved_text.hpp"
#include "models/absent.hpp"

namespace dfsweep {
namespace {

std::string_view name_of(const SweepSpec& spec, ParameterIndex parameter) {
  return spec.estimator->parameters()[parameter].name;
}

std::string shown(const SweepSpec& spec, ParameterIndex parameter) {
  const std::string text = label(spec.estimator->parameters()[parameter], spec.values.parameters[parameter].values[0]);
  return text.empty() ? "not given" : text;
}

/// The parameters of a code column, ascending.
std::vector<ParameterIndex> parameters_of(const SweepSpec& spec, std::size_t column) {
  std::vector<ParameterIndex> parameters;
  for (ParameterIndex p = 0; p < spec.values.parameters.size(); ++p)
    if (spec.values.parameters[p].column == column) parameters.push_back(p);
  return parameters;
}

/// The keys of the values that `parameters` have at a code; parameters that do not vary have one value.
std::string keys_at(const SweepSpec& spec, const std::vector<ParameterIndex>& parameters, std::uint32_t code) {
  std::string keys;
  for (const ParameterIndex p : parameters) {
    const SweepValues::Parameter& parameter = spec.values.parameters[p];
    keys += value_key(parameter.values[parameter.column == SweepValues::fixed ? 0 : code]);
  }
  return keys;
}

}  // namespace

std::string value_key(const ParameterValue& value) {
  const double number = is_given(value.number) ? value.number : absent;
  return fmt::format("{:016x} {} {} ", std::bit_cast<std::uint64_t>(number), value.text.size(), value.text);
}

CodeMapping::CodeMapping(const SweepSpec& former, const SweepSpec& grown) : sizes_(grown.values.column_sizes) {
  for (std::size_t column = 0; column < former.values.column_sizes.size(); ++column)
    tables_.push_back(table_of(former, grown, column));
  for (ParameterIndex p = 0; p < former.values.parameters.size(); ++p)
    if (former.values.parameters[p].column == SweepValues::fixed) add_fixed(former, grown, p);
}

CodeMapping::Table CodeMapping::table_of(const SweepSpec& former, const SweepSpec& grown, std::size_t column) const {
  const std::vector<ParameterIndex> parameters = parameters_of(former, column);
  Table table;
  for (const ParameterIndex p : parameters) {
    const std::size_t source = grown.values.parameters[p].column;
    if (source == SweepValues::fixed) continue;
    if (table.source != SweepValues::fixed && table.source != source)
      throw NoGrowth(fmt::format("it varies {} together with other parameters, and this sweep each of them alone",
                                 name_of(former, p)));
    table.source = source;
  }
  std::unordered_map<std::string, std::uint32_t> code_of;
  for (std::uint32_t code = 0; code < former.values.column_sizes[column]; ++code)
    code_of.emplace(keys_at(former, parameters, code), code);
  const std::size_t size = table.source == SweepValues::fixed ? 1 : sizes_[table.source];
  for (std::uint32_t code = 0; code < size; ++code) {
    const auto found = code_of.find(keys_at(grown, parameters, code));
    table.codes.push_back(found == code_of.end() ? no_code : found->second);
  }
  if (std::all_of(table.codes.begin(), table.codes.end(), [](std::uint32_t code) { return code == no_code; }))
    throw NoGrowth(fmt::format("it has none of the values of {}", name_of(former, parameters.front())));
  return table;
}

void CodeMapping::add_fixed(const SweepSpec& former, const SweepSpec& grown, ParameterIndex parameter) {
  const std::string wanted = value_key(former.values.parameters[parameter].values.front());
  const SweepValues::Parameter& now = grown.values.parameters[parameter];
  if (now.column == SweepValues::fixed) {
    if (value_key(now.values.front()) != wanted)
      throw NoGrowth(fmt::format("its {} is {}, not {}", name_of(former, parameter), shown(former, parameter),
                                 shown(grown, parameter)));
    return;
  }
  Condition condition{now.column, {}};
  for (const ParameterValue& value : now.values) condition.is_same.push_back(value_key(value) == wanted);
  if (std::find(condition.is_same.begin(), condition.is_same.end(), true) == condition.is_same.end())
    throw NoGrowth(fmt::format("its {} is {}, a value that this sweep does not have", name_of(former, parameter),
                               shown(former, parameter)));
  conditions_.push_back(std::move(condition));
}

bool CodeMapping::map(const PointBuffer& points, std::size_t place, std::span<std::uint32_t> codes) const {
  for (const Condition& condition : conditions_)
    if (!condition.is_same[points.codes[condition.source][place]]) return false;
  for (std::size_t column = 0; column < tables_.size(); ++column) {
    const Table& table = tables_[column];
    codes[column] = table.codes[table.source == SweepValues::fixed ? 0 : points.codes[table.source][place]];
    if (codes[column] == no_code) return false;
  }
  return true;
}

std::vector<bool> CodeMapping::shared_codes(std::size_t column) const {
  std::vector<bool> is_shared(sizes_[column], true);
  for (const Table& table : tables_)
    for (std::size_t code = 0; table.source == column && code < is_shared.size(); ++code)
      if (table.codes[code] == no_code) is_shared[code] = false;
  for (const Condition& condition : conditions_)
    for (std::size_t code = 0; condition.source == column && code < is_shared.size(); ++code)
      if (!condition.is_same[code]) is_shared[code] = false;
  return is_shared;
}

}  // namespace dfsweep
