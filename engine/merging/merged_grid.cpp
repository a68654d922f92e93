#include "engine/merging/merged_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "engine/growth/code_mapping.hpp"
#include "engine/growth/no_growth.hpp"
#include "engine/merging/common_order.hpp"
#include "engine/sweep/resolved_text.hpp"
#include "models/absent.hpp"

namespace dfsweep {

namespace {

constexpr std::size_t longest_name = 128;

/// A value of each parameter of an axis.
using Values = std::vector<ParameterValue>;

std::string key_of(const Values& values) {
  std::string key;
  for (const ParameterValue& value : values) key += value_key(value);
  return key;
}

/// Numbers before texts, absent values first.
bool is_less(const ParameterValue& a, const ParameterValue& b) {
  if (a.text != b.text) return a.text < b.text;
  if (!is_given(a.number) || !is_given(b.number)) return !is_given(a.number) && is_given(b.number);
  return a.number < b.number;
}

bool comes_before(const Values& a, const Values& b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), is_less);
}

/// An axis of the merged grid.
struct MergedAxis {
  std::vector<ParameterIndex> parameters;
  std::vector<Values> values;  ///< distinct
  bool varies_in_a_part = false;
};

class GridUnion {
 public:
  explicit GridUnion(std::span<const MergePart> parts)
      : parts_(parts), root_(parts.front().spec.values.parameters.size()) {
    std::iota(root_.begin(), root_.end(), ParameterIndex{0});
    for (const MergePart& part : parts_)
      for (const Axis& axis : part.spec.axes)
        for (const ParameterIndex p : axis.parameters) root_[root_of(p)] = root_of(axis.parameters.front());
    for (ParameterIndex p = 0; p < root_.size(); ++p)
      if (root_of(p) == p) add_axis(p);
  }

  /// Without those that have one value in all parts.
  [[nodiscard]] std::vector<MergedAxis> axes() const {
    std::vector<std::vector<std::size_t>> lists;
    for (const MergePart& part : parts_) {
      std::vector<std::size_t>& list = lists.emplace_back();
      for (const Axis& axis : part.spec.axes) list.push_back(place_of(root_of(axis.parameters.front())));
    }
    const auto before = [&](std::size_t a, std::size_t b) {
      if (axes_[a].varies_in_a_part != axes_[b].varies_in_a_part) return axes_[b].varies_in_a_part;
      return axes_[a].parameters.front() < axes_[b].parameters.front();
    };
    std::vector<MergedAxis> ordered;
    for (const std::size_t a : common_order(axes_.size(), lists, before)) ordered.push_back(axes_[a]);
    return ordered;
  }

 private:
  [[nodiscard]] ParameterIndex root_of(ParameterIndex p) const {
    while (root_[p] != p) p = root_[p];
    return p;
  }
  [[nodiscard]] std::size_t place_of(ParameterIndex root) const {
    const auto found = std::find_if(axes_.begin(), axes_.end(),
                                    [&](const MergedAxis& axis) { return root_of(axis.parameters.front()) == root; });
    return static_cast<std::size_t>(found - axes_.begin());
  }

  /// The parameters that are linked to one, in their common order.
  [[nodiscard]] std::vector<ParameterIndex> linked_to(ParameterIndex root) const {
    std::vector<ParameterIndex> members;
    for (ParameterIndex p = 0; p < root_.size(); ++p)
      if (root_of(p) == root) members.push_back(p);
    std::vector<std::vector<std::size_t>> lists;
    for (const MergePart& part : parts_)
      for (const Axis& axis : part.spec.axes) {
        if (root_of(axis.parameters.front()) != root) continue;
        std::vector<std::size_t>& list = lists.emplace_back();
        for (const ParameterIndex p : axis.parameters)
          list.push_back(
              static_cast<std::size_t>(std::lower_bound(members.begin(), members.end(), p) - members.begin()));
      }
    std::vector<ParameterIndex> ordered;
    for (const std::size_t place : common_order(members.size(), lists, std::less<>()))
      ordered.push_back(members[place]);
    return ordered;
  }

  void add_axis(ParameterIndex root) {
    MergedAxis axis{.parameters = linked_to(root), .values = {}};
    std::unordered_map<std::string, std::size_t> places;
    std::vector<std::vector<std::size_t>> lists;
    std::vector<Values> values;
    for (const MergePart& part : parts_) {
      std::vector<std::size_t>& list = lists.emplace_back();
      std::unordered_set<std::size_t> listed;
      for (Values& one : values_in(part.spec, axis.parameters)) {
        const auto [place, is_new] = places.emplace(key_of(one), values.size());
        if (is_new) values.push_back(std::move(one));
        if (listed.insert(place->second).second) list.push_back(place->second);
      }
      for (const ParameterIndex p : axis.parameters)
        if (part.spec.values.parameters[p].column != SweepValues::fixed) axis.varies_in_a_part = true;
    }
    if (values.size() == 1 && !axis.varies_in_a_part) return;
    expect_given(axis.parameters, values);
    const auto before = [&](std::size_t a, std::size_t b) { return comes_before(values[a], values[b]); };
    for (const std::size_t v : common_order(values.size(), lists, before)) axis.values.push_back(values[v]);
    axes_.push_back(std::move(axis));
  }

  /// Throws NoGrowth where a part does not give a parameter, because an axis cannot say that.
  void expect_given(const std::vector<ParameterIndex>& parameters, const std::vector<Values>& values) const {
    for (const Values& one : values)
      for (std::size_t i = 0; i < one.size(); ++i)
        if (one[i].text.empty() && !is_given(one[i].number))
          throw NoGrowth(fmt::format("{} is given in one result and not in another",
                                     parts_.front().spec.estimator->parameters()[parameters[i]].name));
  }

  /// The values of these parameters together. Throws NoGrowth where the sweep varies them apart.
  static std::vector<Values> values_in(const SweepSpec& spec, const std::vector<ParameterIndex>& parameters) {
    std::size_t column = SweepValues::fixed;
    for (const ParameterIndex p : parameters) {
      const std::size_t own = spec.values.parameters[p].column;
      if (own == SweepValues::fixed) continue;
      if (column != SweepValues::fixed && column != own)
        throw NoGrowth(fmt::format("{} varies with other parameters in one result and alone in another",
                                   spec.estimator->parameters()[p].name));
      column = own;
    }
    const std::size_t size = column == SweepValues::fixed ? 1 : spec.values.column_sizes[column];
    std::vector<Values> values(size);
    for (std::size_t code = 0; code < size; ++code)
      for (const ParameterIndex p : parameters) {
        const SweepValues::Parameter& parameter = spec.values.parameters[p];
        values[code].push_back(parameter.values[parameter.column == SweepValues::fixed ? 0 : code]);
      }
    return values;
  }

  std::span<const MergePart> parts_;
  std::vector<ParameterIndex> root_;  ///< [parameter] another one that is linked to it, or itself
  std::vector<MergedAxis> axes_;
};

using Expressions = std::set<std::string>;

Expressions expressions_of(const SweepSpec& spec) {
  Expressions expressions;
  for (const Filter& filter : spec.filters) expressions.insert(filter.expression);
  return expressions;
}

/// Those of the first part that all parts have, in its order; then "(a && b) || c" of the others.
std::vector<Filter> merged_filters(std::span<const MergePart> parts) {
  std::vector<Expressions> left;
  for (const MergePart& part : parts) left.push_back(expressions_of(part.spec));
  std::vector<std::vector<std::size_t>> lists;
  std::vector<std::string> common;
  for (const std::string& one : Expressions(left.front()))
    if (std::all_of(left.begin(), left.end(), [&](const Expressions& own) { return own.contains(one); }))
      common.push_back(one);
  for (const MergePart& part : parts) {
    std::vector<std::size_t>& list = lists.emplace_back();
    for (const Filter& filter : part.spec.filters) {
      const auto found = std::lower_bound(common.begin(), common.end(), filter.expression);
      const auto place = static_cast<std::size_t>(found - common.begin());
      if (found != common.end() && *found == filter.expression &&
          std::find(list.begin(), list.end(), place) == list.end())
        list.push_back(place);
    }
  }
  std::vector<Filter> filters;
  for (const std::size_t f : common_order(common.size(), lists, std::less<>())) filters.push_back({common[f], {}});
  Expressions alternatives;
  for (Expressions& own : left) {
    for (const std::string& one : common) own.erase(one);
    if (own.empty()) return filters;  // all that its filters keep is kept
    std::string all;
    for (const std::string& one : own) all += fmt::format("{}({})", all.empty() ? "" : " && ", one);
    alternatives.insert(std::move(all));
  }
  std::string either;
  for (const std::string& one : alternatives) either += fmt::format("{}({})", either.empty() ? "" : " || ", one);
  filters.push_back({std::move(either), {}});
  return filters;
}

}  // namespace

std::string merged_name(std::span<const MergePart> parts, const std::string& name) {
  if (!name.empty()) return name;
  std::set<std::string> names;
  for (const MergePart& part : parts) names.insert(part.spec.name);
  std::string all;
  for (const std::string& one : names) all += (all.empty() ? "" : "+") + one;
  return all.size() <= longest_name ? all : *names.begin();
}

std::string merged_description(std::span<const MergePart> parts) {
  const std::string& description = parts.front().spec.description;
  const auto has_it = [&](const MergePart& part) { return part.spec.description == description; };
  return std::all_of(parts.begin(), parts.end(), has_it) ? description : "";
}

std::vector<MetricIndex> merged_metrics(std::span<const MergePart> parts) {
  std::set<MetricIndex> metrics;
  for (const MergePart& part : parts) metrics.insert(part.spec.metrics.begin(), part.spec.metrics.end());
  return {metrics.begin(), metrics.end()};
}

std::string merged_sweep(std::span<const MergePart> parts, const std::string& name) {
  SweepSpec spec = parts.front().spec;
  spec.name = merged_name(parts, name);
  spec.description = merged_description(parts);
  spec.metrics = merged_metrics(parts);
  spec.filters = merged_filters(parts);
  spec.inputs.clear();
  spec.axes.clear();
  spec.values.column_sizes.clear();
  const std::vector<MergedAxis> axes = GridUnion(parts).axes();
  for (const MergedAxis& axis : axes) {
    for (std::size_t i = 0; i < axis.parameters.size(); ++i) {
      SweepValues::Parameter& parameter = spec.values.parameters[axis.parameters[i]];
      parameter = {.values = {}, .column = spec.axes.size()};
      for (const Values& values : axis.values) parameter.values.push_back(values[i]);
    }
    spec.axes.push_back({axis.parameters, static_cast<std::uint32_t>(axis.values.size())});
    spec.values.column_sizes.push_back(axis.values.size());
  }
  return resolved_text(spec);
}

}  // namespace dfsweep
