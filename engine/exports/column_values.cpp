#include "engine/exports/column_values.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>

#include "engine/results/result_rows.hpp"
#include "io/json.hpp"

namespace dfsweep {

namespace {

ExportedType type_of(const DatasetColumn& column, bool has_names) {
  if (has_names) return ExportedType::label;
  switch (column.type) {
    case ElementType::uint64:
      return ExportedType::uint64;
    case ElementType::float32:
      return ExportedType::float32;
    case ElementType::float64:
      return ExportedType::float64;
    case ElementType::int64:
      return ExportedType::int64;
    case ElementType::uint8:
    case ElementType::int16:
    case ElementType::int32:
      return ExportedType::int32;
  }
  return ExportedType::float64;
}

/// The elements of `bytes` from byte `begin` on.
template <class Element>
std::span<Element> elements(std::vector<std::byte>& bytes, std::size_t begin, std::size_t count) {
  return {reinterpret_cast<Element*>(bytes.data() + begin), count};
}

/// Moves the elements with a 1 in `kept` to the front; returns how many.
template <class Element>
std::size_t compact(std::span<Element> values, std::span<const std::uint8_t> kept) {
  std::size_t used = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[used] = values[i];
    used += kept[i];
  }
  return used;
}

std::size_t compact(ExportedType type, std::vector<std::byte>& bytes, std::size_t begin,
                    std::span<const std::uint8_t> kept) {
  return size_of(type) == sizeof(std::uint32_t) ? compact(elements<std::uint32_t>(bytes, begin, kept.size()), kept)
                                                : compact(elements<std::uint64_t>(bytes, begin, kept.size()), kept);
}

void read_stretch(const DatasetReader& file, const ExportColumn& column, std::uint64_t first,
                  std::span<std::byte> bytes) {
  const bool is_stored_so = column.type != ExportedType::label && size_of(column.column->type) == size_of(column.type);
  if (is_stored_so) return file.read_stored(*column.column, first, bytes);
  file.read(*column.column, first,
            std::span(reinterpret_cast<std::int32_t*>(bytes.data()), bytes.size() / sizeof(std::int32_t)));
}

/// Notes which values `has_value` takes for one. Most columns have no missing values, and then no list either.
template <class Element, class HasValue>
void find_missing(ColumnValues& values, HasValue has_value) {
  const std::span<Element> all = elements<Element>(values.bytes, 0, values.rows);
  std::uint64_t missing = 0;
  for (const Element one : all) missing += has_value(one) ? 0 : 1;
  values.missing = missing;
  values.is_present.clear();
  if (missing == 0) return;
  values.is_present.resize(values.rows);
  for (std::size_t i = 0; i < all.size(); ++i) values.is_present[i] = has_value(all[i]) ? 1 : 0;
}

void find_missing_labels(const ExportColumn& column, ColumnValues& values) {
  const std::span<const std::uint8_t> is_named(column.is_named);
  find_missing<std::int32_t>(values, [is_named](std::int32_t code) {
    const auto place = static_cast<std::uint32_t>(code);
    return place < is_named.size() && is_named[place] != 0;
  });
  if (values.missing == 0) return;
  const std::span<std::int32_t> codes = elements<std::int32_t>(values.bytes, 0, values.rows);
  for (std::size_t i = 0; i < codes.size(); ++i)
    if (values.is_present[i] == 0) codes[i] = 0;
}

template <class Element>
void find_missing_wholes(const ExportColumn& column, ColumnValues& values) {
  const std::optional<double> fill = fill_value(*column.column);
  if (!fill) {
    values.is_present.clear();
    values.missing = 0;
    return;
  }
  const auto none = static_cast<Element>(*fill);
  find_missing<Element>(values, [none](Element one) { return one != none; });
}

}  // namespace

std::size_t size_of(ExportedType type) {
  switch (type) {
    case ExportedType::int32:
    case ExportedType::float32:
    case ExportedType::label:
      return 4;
    case ExportedType::int64:
    case ExportedType::uint64:
    case ExportedType::float64:
      return 8;
  }
  return 8;
}

std::vector<ExportColumn> export_columns(const DatasetReader& file, const std::vector<const DatasetColumn*>& columns) {
  std::vector<ExportColumn> exported;
  for (const DatasetColumn* column : columns) {
    std::vector<std::string> names = value_names(file, *column);
    ExportColumn& one = exported.emplace_back();
    one.column = column;
    one.type = type_of(*column, !names.empty());
    for (const std::string& name : names) one.is_named.push_back(name.empty() ? 0 : 1);
    one.labels = std::move(names);
  }
  return exported;
}

void read_values(const DatasetReader& file, const ExportColumn& column, const ExportGroup& group,
                 ColumnValues& values) {
  const std::size_t element = size_of(column.type);
  std::size_t used = 0;  // elements
  for (const RowStretch& stretch : group.stretches) {
    if (values.bytes.size() < (used + stretch.count) * element) values.bytes.resize((used + stretch.count) * element);
    read_stretch(file, column, stretch.first, std::span(values.bytes).subspan(used * element, stretch.count * element));
    used += stretch.kept.empty() ? stretch.count : compact(column.type, values.bytes, used * element, stretch.kept);
  }
  values.bytes.resize(used * element);
  values.rows = used;
  switch (column.type) {
    case ExportedType::label:
      return find_missing_labels(column, values);
    case ExportedType::float64:
      return find_missing<double>(values, [](double one) { return one == one; });
    case ExportedType::float32:
      return find_missing<float>(values, [](float one) { return one == one; });
    case ExportedType::int32:
      return find_missing_wholes<std::int32_t>(column, values);
    case ExportedType::int64:
      return find_missing_wholes<std::int64_t>(column, values);
    case ExportedType::uint64:  // points, which each row has
      values.is_present.clear();
      values.missing = 0;
  }
}

void leave_out_missing(ExportedType type, ColumnValues& values) {
  if (values.missing == 0) return;
  const std::size_t present = compact(type, values.bytes, 0, values.is_present);
  values.bytes.resize(present * size_of(type));
}

std::string export_notes(const DatasetReader& file, const std::vector<ExportColumn>& columns) {
  JsonObject meanings;
  for (const ExportColumn& exported : columns) {
    const DatasetColumn& column = *exported.column;
    JsonObject entry{{"units", column.units}, {"long_name", column.long_name}};
    if (const std::string better = column.text("better"); !better.empty()) entry.emplace_back("better", better);
    meanings.emplace_back(column.name, std::move(entry));
  }
  JsonObject fixed;
  for (const FixedValue& one : file.fixed()) {
    const Json value = std::visit([](const auto& held) { return Json(held); }, one.value);
    fixed.emplace_back(one.name, JsonObject{{"value", value}, {"units", one.units}, {"long_name", one.long_name}});
  }
  return to_text(Json(JsonObject{{"title", file.attribute("title")},
                                 {"estimator", file.attribute("estimator")},
                                 {"plan_fingerprint", file.attribute("plan_fingerprint")},
                                 {"columns", std::move(meanings)},
                                 {"fixed", std::move(fixed)},
                                 {"sweep", file.provenance("sweep")}}));
}

}  // namespace dfsweep
