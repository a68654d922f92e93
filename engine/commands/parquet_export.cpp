#include "engine/commands/parquet_export.hpp"

#include <algorithm>
#include <cstring>

#include "engine/console/build_info.hpp"
#include "engine/parallel/threads.hpp"
#include "engine/results/result_rows.hpp"
#include "io/json.hpp"
#include "models/absent.hpp"

namespace dfsweep {
namespace {

/// A row group is a few blocks: enough rows for long runs, few enough to keep in memory.
constexpr std::uint64_t rows_per_group = 131'072;

ParquetType type_of(const DatasetColumn& column, bool has_names) {
  if (has_names) return ParquetType::label;
  switch (column.type) {
    case ElementType::uint64:
      return ParquetType::uint64;
    case ElementType::float32:
      return ParquetType::float32;
    case ElementType::float64:
      return ParquetType::float64;
    case ElementType::int64:
      return ParquetType::int64;
    case ElementType::uint8:
    case ElementType::int16:
    case ElementType::int32:
      return ParquetType::int32;
  }
  return ParquetType::float64;
}

std::vector<ParquetColumn> fields_of(const DatasetReader& file, std::span<const DatasetColumn* const> columns) {
  std::vector<ParquetColumn> fields;
  for (const DatasetColumn* column : columns) {
    std::vector<std::string> names = value_names(file, *column);
    const ParquetType type = type_of(*column, !names.empty());
    fields.push_back({column->name, type, std::move(names)});
  }
  return fields;
}

/// Appends the kept values of a chunk as elements of type Element; `is_value`: whether a number is one.
template <class Element, class Number, class IsValue>
void append_plain(std::span<const Number> numbers, std::span<const std::uint8_t> kept, ParquetValues& values,
                  IsValue is_value) {
  std::size_t used = values.plain.size();
  std::size_t rows = values.is_present.size();
  values.plain.resize(used + numbers.size() * sizeof(Element));
  values.is_present.resize(rows + numbers.size());
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    if (kept[row] == 0) continue;
    const bool has_value = is_value(numbers[row]);
    const auto element = has_value ? static_cast<Element>(numbers[row]) : Element();
    std::memcpy(values.plain.data() + used, &element, sizeof element);
    used += has_value ? sizeof element : 0;  // the next element replaces one without a value
    values.is_present[rows++] = has_value ? 1 : 0;
  }
  values.plain.resize(used);
  values.is_present.resize(rows);
}

void append_codes(std::span<const std::int64_t> codes, std::span<const std::uint8_t> kept,
                  const std::vector<std::string>& labels, ParquetValues& values) {
  std::vector<std::uint8_t> is_named;
  for (const std::string& label : labels) is_named.push_back(label.empty() ? 0 : 1);
  std::size_t used = values.codes.size();
  std::size_t rows = values.is_present.size();
  values.codes.resize(used + codes.size());
  values.is_present.resize(rows + codes.size());
  for (std::size_t row = 0; row < codes.size(); ++row) {
    if (kept[row] == 0) continue;
    const auto code = static_cast<std::uint64_t>(codes[row]);
    const bool has_value = code < is_named.size() && is_named[code] != 0;
    values.codes[used] = static_cast<std::uint32_t>(code);
    used += has_value ? 1 : 0;
    values.is_present[rows++] = has_value ? 1 : 0;
  }
  values.codes.resize(used);
  values.is_present.resize(rows);
}

/// What the columns mean, and what all rows have in common.
std::string notes_of(const DatasetReader& file, std::span<const DatasetColumn* const> columns) {
  JsonObject meanings;
  for (const DatasetColumn* column : columns) {
    JsonObject entry{{"units", column->units}, {"long_name", column->long_name}};
    if (const std::string better = column->text("better"); !better.empty()) entry.emplace_back("better", better);
    meanings.emplace_back(column->name, std::move(entry));
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

}  // namespace

ParquetExport::ParquetExport(const DatasetReader& file, std::vector<const DatasetColumn*> columns,
                             ParquetWriter::Append append)
    : file_(&file),
      columns_(std::move(columns)),
      fields_(fields_of(file, columns_)),
      writer_(fields_, std::move(append)),
      pending_(columns_.size()),
      threads_(allowed_cores()) {}

void ParquetExport::add_rows(std::size_t column, const RowChunk& chunk) {
  const DatasetColumn& from = *columns_[column];
  ParquetValues& values = pending_[column];
  const std::size_t count = chunk.kept.size();
  if (fields_[column].type == ParquetType::uint64) {
    std::vector<std::uint64_t> numbers(count);
    file_->read(from, chunk.first_row, std::span(numbers));
    append_plain<std::uint64_t>(std::span<const std::uint64_t>(numbers), chunk.kept, values,
                                [](std::uint64_t) { return true; });
  } else if (from.type == ElementType::float64 || from.type == ElementType::float32) {
    std::vector<double> numbers(count);
    file_->read(from, chunk.first_row, std::span(numbers));
    const std::span<const double> read(numbers);
    const auto has_number = [](double number) { return is_given(number); };
    if (from.type == ElementType::float64)
      append_plain<double>(read, chunk.kept, values, has_number);
    else
      append_plain<float>(read, chunk.kept, values, has_number);
  } else {
    std::vector<std::int64_t> numbers(count);
    file_->read(from, chunk.first_row, std::span(numbers));
    const std::span<const std::int64_t> read(numbers);
    const std::optional<double> fill = fill_value(from);
    const auto is_value = [&](std::int64_t number) { return !fill || static_cast<double>(number) != *fill; };
    if (fields_[column].type == ParquetType::label)
      append_codes(read, chunk.kept, fields_[column].labels, values);
    else if (fields_[column].type == ParquetType::int64)
      append_plain<std::int64_t>(read, chunk.kept, values, is_value);
    else
      append_plain<std::int32_t>(read, chunk.kept, values, is_value);
  }
}

void ParquetExport::write(const RowChunk& chunk) {
  parallel_for(columns_.size(), threads_, [&](std::size_t column) { add_rows(column, chunk); });
  pending_rows_ += static_cast<std::uint64_t>(std::count(chunk.kept.begin(), chunk.kept.end(), std::uint8_t{1}));
  if (pending_rows_ >= rows_per_group) flush();
}

void ParquetExport::flush() {
  if (pending_rows_ == 0) return;
  std::vector<ParquetChunk> chunks(columns_.size());
  parallel_for(columns_.size(), threads_, [&](std::size_t column) {
    chunks[column] = encode_chunk(fields_[column], pending_[column]);
    pending_[column].plain.clear();
    pending_[column].codes.clear();
    pending_[column].is_present.clear();
  });
  writer_.add_row_group(chunks);
  rows_ += pending_rows_;
  pending_rows_ = 0;
}

std::uint64_t ParquetExport::finish() {
  flush();
  const std::pair<std::string, std::string> notes[] = {{"dfsweep", notes_of(*file_, columns_)}};
  writer_.finish(notes, "dfsweep version " + std::string(program_version()));
  return rows_;
}

}  // namespace dfsweep
