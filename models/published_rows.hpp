/// Rows of the tables that an estimator publishes: builder functions, and a compile-time check that rows are in the
/// order of their enumerators.
#pragma once

#include <algorithm>
#include <array>

#include "models/enum_array.hpp"
#include "models/estimator.hpp"

namespace dfsweep::published {

// ------------------------------------------------------------------------------------------------------------ tables

/// A row and the enumerator of its index.
template <class Enumerator, class Info>
struct Row {
  Enumerator place;
  Info info;
};

/// Whether rows have the enumerators from `first` to before `end`, in order.
template <class Enumerator, class Info, std::size_t size>
[[nodiscard]] constexpr bool is_in_order(const std::array<Row<Enumerator, Info>, size>& rows, Enumerator first,
                                         Enumerator end) {
  if (index_of(first) + size != index_of(end)) return false;
  for (std::size_t i = 0; i < size; ++i)
    if (index_of(rows[i].place) != index_of(first) + i) return false;
  return true;
}

/// Whether row i has enumerator i, for all i below Enumerator::count.
template <class Enumerator, class Info, std::size_t size>
[[nodiscard]] constexpr bool is_in_order(const std::array<Row<Enumerator, Info>, size>& rows) {
  return is_in_order(rows, static_cast<Enumerator>(0), Enumerator::count);
}

/// The rows without their enumerators, as Estimator publishes them.
template <class Enumerator, class Info, std::size_t size>
[[nodiscard]] constexpr std::array<Info, size> infos_of(const std::array<Row<Enumerator, Info>, size>& rows) {
  std::array<Info, size> infos{};
  for (std::size_t i = 0; i < size; ++i) infos[i] = rows[i].info;
  return infos;
}

/// All elements of the arrays, in order.
template <class Element, std::size_t... sizes>
[[nodiscard]] constexpr std::array<Element, (sizes + ...)> joined(const std::array<Element, sizes>&... parts) {
  std::array<Element, (sizes + ...)> all{};
  auto next = all.begin();
  ((next = std::copy(parts.begin(), parts.end(), next)), ...);
  return all;
}

// -------------------------------------------------------------------------------------------------------- parameters

[[nodiscard]] constexpr ParameterInfo named(std::string_view name, std::string_view meaning) {
  ParameterInfo info;
  info.name = name;
  info.meaning = meaning;
  return info;
}

[[nodiscard]] constexpr ParameterInfo entry_of(std::string_view name, std::string_view catalogue,
                                               std::string_view meaning) {
  ParameterInfo info = named(name, meaning);
  info.kind = ParameterKind::entry;
  info.catalogue = catalogue;
  return info;
}

[[nodiscard]] constexpr ParameterInfo choice_of(std::string_view name, std::span<const std::string_view> choices,
                                                std::string_view meaning) {
  ParameterInfo info = named(name, meaning);
  info.kind = ParameterKind::choice;
  info.choices = choices;
  return info;
}

/// Parameter "convention": the variant of the formulas or tables.
[[nodiscard]] constexpr ParameterInfo convention_of(std::span<const std::string_view> choices,
                                                    std::string_view meaning) {
  ParameterInfo info = choice_of("convention", choices, meaning);
  info.is_convention = true;
  return info;
}

/// One of `choices`, or the path of an entry of `catalogue`.
[[nodiscard]] constexpr ParameterInfo choice_or_entry_of(std::string_view name,
                                                         std::span<const std::string_view> choices,
                                                         std::string_view catalogue, std::string_view meaning) {
  ParameterInfo info = choice_of(name, choices, meaning);
  info.kind = ParameterKind::choice_or_entry;
  info.catalogue = catalogue;
  return info;
}

[[nodiscard]] constexpr ParameterInfo text(std::string_view name, std::string_view meaning) {
  ParameterInfo info = named(name, meaning);
  info.kind = ParameterKind::text;
  return info;
}

[[nodiscard]] constexpr ParameterInfo whole(std::string_view name, double lowest, double highest,
                                            std::string_view meaning) {
  ParameterInfo info = named(name, meaning);
  info.kind = ParameterKind::integer;
  info.lowest = lowest;
  info.highest = highest;
  return info;
}

[[nodiscard]] constexpr ParameterInfo real(std::string_view name, std::string_view unit, double lowest, double highest,
                                           std::string_view meaning) {
  ParameterInfo info = named(name, meaning);
  info.kind = ParameterKind::real;
  info.unit = unit;
  info.lowest = lowest;
  info.highest = highest;
  return info;
}

/// Sets the default where the sweep does not give the parameter.
[[nodiscard]] constexpr ParameterInfo or_else(ParameterInfo info, std::string_view fallback) {
  info.absence = Absence::fallback;
  info.fallback = fallback;
  return info;
}

/// Lets the parameter have no value where the sweep does not give it; `instead` describes what is used then.
[[nodiscard]] constexpr ParameterInfo open(ParameterInfo info, std::string_view instead) {
  info.absence = Absence::from_entry;
  info.fallback = instead;
  return info;
}

/// Allows the value "best", with which the estimator chooses the value.
[[nodiscard]] constexpr ParameterInfo choosable(ParameterInfo info) {
  info.accepts_best = true;
  return info;
}

/// A number that replaces `field` ("memory.bandwidth") of the entry that the same point names.
[[nodiscard]] constexpr ParameterInfo override_of(std::string_view field, ParameterInfo info,
                                                  std::string_view instead) {
  info.overrides = field;
  return open(info, instead);
}

// ----------------------------------------------------------------------------------------------------------- metrics

[[nodiscard]] constexpr MetricInfo metric_of(std::string_view name, std::string_view unit, Better better,
                                             std::string_view meaning) {
  MetricInfo info;
  info.name = name;
  info.unit = unit;
  info.better = better;
  info.meaning = meaning;
  return info;
}

/// Allows NaN on ok points, for example where an entry has no price.
[[nodiscard]] constexpr MetricInfo if_known(MetricInfo info) {
  info.may_not_apply = true;
  return info;
}

/// Lets the metric have a value also with one of `statuses`.
template <class... Status>
[[nodiscard]] constexpr MetricInfo also_at(MetricInfo info, Status... statuses) {
  info.valid_statuses = (info.valid_statuses | ... | (1u << index_of(statuses)));
  return info;
}

/// `table` with values allowed at the statuses of `valid_statuses`, a MetricInfo::valid_statuses.
template <std::size_t size>
[[nodiscard]] constexpr std::array<MetricInfo, size> valid_at(std::array<MetricInfo, size> table,
                                                              std::uint32_t valid_statuses) {
  for (MetricInfo& info : table) info.valid_statuses = valid_statuses;
  return table;
}

/// Makes the metric absent where an entry lacks one of the `fields` ("device.price").
[[nodiscard]] constexpr MetricInfo needs(MetricInfo info, std::span<const std::string_view> fields) {
  info.may_not_apply = true;
  info.needs = fields;
  return info;
}

/// Makes the metric a flag whose values are indices into `names`.
[[nodiscard]] constexpr MetricInfo flags_of(MetricInfo info, std::span<const std::string_view> names) {
  info.type = MetricType::flags;
  info.flags = names;
  return info;
}

}  // namespace dfsweep::published
