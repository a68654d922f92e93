#include "io/hdf5/dataset_reader.hpp"

#include <algorithm>
#include <cerrno>

#include <fmt/core.h>

#include "io/file_system.hpp"
#include "io/hdf5/foreign_dataset.hpp"
#include "io/hdf5/sealed_dataset.hpp"
#include "io/seal.hpp"

namespace dfsweep {

namespace {

/// Size of the buffer for type conversion.
constexpr std::size_t converted_bytes = std::size_t{1} << 18;

template <class Stored, class Value>
void convert(std::span<const std::byte> bytes, std::span<Value> values) {
  const auto* stored = reinterpret_cast<const Stored*>(bytes.data());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<Value>(stored[i]);
}

template <class Value>
void convert(ElementType type, std::span<const std::byte> bytes, std::span<Value> values) {
  switch (type) {
    case ElementType::uint8:
      return convert<std::uint8_t>(bytes, values);
    case ElementType::int16:
      return convert<std::int16_t>(bytes, values);
    case ElementType::int32:
      return convert<std::int32_t>(bytes, values);
    case ElementType::int64:
      return convert<std::int64_t>(bytes, values);
    case ElementType::uint64:
      return convert<std::uint64_t>(bytes, values);
    case ElementType::float32:
      return convert<float>(bytes, values);
    case ElementType::float64:
      return convert<double>(bytes, values);
  }
}

bool is_real(ElementType type) {
  return type == ElementType::float32 || type == ElementType::float64;
}

/// A file without a seal: its format must be older than seals.
OpenedDataset without_seal(const std::filesystem::path& path) {
  ForeignDataset dataset = open_foreign(path);
  const std::int64_t version = integer_of(dataset.contents.attributes, "format_version").value_or(1);
  if (version > newest_format)
    throw BadDataset(
        fmt::format("{} has format version {}, this program reads up to {}", path.string(), version, newest_format));
  if (version >= first_sealed_format)
    throw BadDataset(
        fmt::format("{} has no seal: it was never published, or its first bytes are damaged", path.string()));
  return {std::make_unique<DatasetContents>(std::move(dataset.contents)), std::move(dataset.columns)};
}

/// Codes below `first_code` in the file come after all others in the program, so that `ok` is 0 in files of each
/// version.
constexpr std::string_view first_code_name = "first_code";

std::uint64_t first_code_of(const DatasetColumn& column) {
  return static_cast<std::uint64_t>(integer_of(column.attributes, first_code_name).value_or(0));
}

/// How many codes a column has: its labels, or with one count for each code its width.
std::uint64_t codes_of(const DatasetColumn& column, const DatasetContents& contents) {
  const auto labels = contents.labels.find(column.label_table);
  return labels == contents.labels.end() ? column.width : labels->second.size();
}

/// Puts the labels of columns with a first code into the order of the program. Throws BadDataset if there is no such
/// code.
void turn_labels(DatasetContents& contents, const std::filesystem::path& path) {
  for (std::size_t i = 0; i < contents.filled_columns(); ++i) {
    const DatasetColumn& column = contents.column(i);
    const std::uint64_t first = first_code_of(column);
    if (first == 0) continue;
    if (first >= codes_of(column, contents) || is_real(column.type))
      throw BadDataset(fmt::format("{}: column {} does not have its first code {}", path.string(), column.name, first));
    const auto labels = contents.labels.find(column.label_table);
    if (labels == contents.labels.end()) continue;
    std::rotate(labels->second.begin(), labels->second.begin() + static_cast<std::ptrdiff_t>(first),
                labels->second.end());
  }
}

/// Turns the codes of a column, or the counts of each of its rows, as its labels were turned.
template <class Value>
void turn_codes(const DatasetColumn& column, std::uint64_t first, std::uint64_t codes, std::span<Value> values) {
  if (column.width > 1) {
    for (std::size_t row = 0; row < values.size(); row += column.width) {
      const std::span<Value> counts = values.subspan(row, column.width);
      std::rotate(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(first), counts.end());
    }
    return;
  }
  const auto least = static_cast<Value>(first);
  const auto count = static_cast<Value>(codes);
  for (Value& value : values)
    if (value < count) value = value >= least ? value - least : value + count - least;
}

std::unique_ptr<File> open_file(const std::filesystem::path& path) {
  if (std::filesystem::is_directory(path)) throw BadDataset(path.string() + " is a directory, not a result file");
  if (std::filesystem::exists(path) && !std::filesystem::is_regular_file(path))
    throw BadDataset(path.string() + " is not a regular file");
  return real_file_system().open(path, OpenFor::reading);
}

std::pair<OpenedDataset, Verifiable> open_published(const std::filesystem::path& path) {
  std::unique_ptr<File> file = open_file(path);
  const SealReading reading = read_seal(*file);
  switch (reading.state) {
    case SealState::newer:
      throw BadDataset(
          fmt::format("{} has a newer format version than this program reads ({})", path.string(), newest_format));
    case SealState::damaged:
      throw BadDataset(path.string() + " is damaged: its seal does not have its checksum");
    case SealState::missing:
      return {without_seal(path), Verifiable::none};
    case SealState::intact:
      break;
  }
  if (is_repacked(*file, reading.seal)) return {open_repacked(path, reading.seal), Verifiable::columns};
  return {open_sealed(std::move(file), path, reading.seal), Verifiable::whole};
}

}  // namespace

DatasetReader::DatasetReader(const std::filesystem::path& file) : path_(file) {
  auto [opened, verifiable] = open_published(path_);
  contents_ = std::move(opened.contents);
  columns_ = std::move(opened.columns);
  turn_labels(*contents_, path_);
  verifiable_ = verifiable;
  complete_ = {{0, contents_->columns.front().count}};
}

DatasetReader::DatasetReader(const std::filesystem::path& file, ExpectedDataset expected)
    : path_(file), verifiable_(Verifiable::whole) {
  for (const RowRange& block : expected.complete.blocks) {
    if (!complete_.empty() && complete_.back().first + complete_.back().count == block.first)
      complete_.back().count += block.count;
    else
      complete_.push_back(block);
  }
  OpenedDataset opened = open_expected(open_file(path_), path_, std::move(expected));
  contents_ = std::move(opened.contents);
  columns_ = std::move(opened.columns);
  turn_labels(*contents_, path_);
}

/// Fills `values` with elements from `first` on, converted.
template <class Value>
void DatasetReader::read_converted(const DatasetColumn& column, std::uint64_t first, std::span<Value> values) const {
  const std::size_t index = index_of(column);
  const std::uint64_t first_code = first_code_of(column);
  const std::uint64_t codes = first_code == 0 ? 0 : codes_of(column, *contents_);
  const std::size_t piece = std::max<std::size_t>(converted_bytes / column.element_bytes(), 1) * column.width;
  std::vector<std::byte> bytes(std::min(piece, values.size()) * size_of(column.type));
  while (!values.empty()) {
    const std::span<Value> now = values.first(std::min(piece, values.size()));
    const std::span<std::byte> stored = std::span(bytes).first(now.size() * size_of(column.type));
    columns_->read(index, first, stored);
    convert(column.type, stored, now);
    if (first_code != 0) turn_codes(column, first_code, codes, now);
    first += now.size() / column.width;
    values = values.subspan(now.size());
  }
}

std::size_t DatasetReader::index_of(const DatasetColumn& column) const {
  for (std::size_t i = 0; i < contents_->column_count(); ++i)
    if (contents_->column(i).name == column.name) return i;
  throw std::logic_error("column " + column.name + " belongs to another file");
}

const std::filesystem::path& DatasetReader::file() const {
  return path_;
}
Verifiable DatasetReader::verifiable() const {
  return verifiable_;
}
std::uint64_t DatasetReader::row_count() const {
  return columns().front().count;
}
const std::vector<RowRange>& DatasetReader::complete() const {
  return complete_;
}

std::uint64_t DatasetReader::complete_count() const {
  std::uint64_t count = 0;
  for (const RowRange& range : complete()) count += range.count;
  return count;
}

std::string DatasetReader::attribute(std::string_view name) const {
  return text_of(attributes(), name);
}
const std::vector<Attribute>& DatasetReader::attributes() const {
  return contents_->attributes;
}
const std::vector<DatasetColumn>& DatasetReader::columns() const {
  return contents_->columns;
}
const std::vector<DatasetColumn>& DatasetReader::group_columns() const {
  return contents_->group_columns;
}
const std::vector<DatasetColumn>& DatasetReader::tables() const {
  return contents_->tables;
}

const DatasetColumn* DatasetReader::column(std::string_view name) const {
  for (const DatasetColumn& column : columns())
    if (column.name == name) return &column;
  return nullptr;
}

const std::vector<std::string>& DatasetReader::labels(const DatasetColumn& column) const {
  static const std::vector<std::string> none;
  const auto found = contents_->labels.find(column.label_table);
  return found == contents_->labels.end() ? none : found->second;
}

const std::vector<FixedValue>& DatasetReader::fixed() const {
  return contents_->fixed;
}

std::string DatasetReader::provenance(std::string_view name) const {
  const auto found = contents_->texts.find(name);
  if (found == contents_->texts.end())
    throw BadDataset(fmt::format("{} has no text /provenance/{}", file().string(), name));
  return found->second;
}

bool DatasetReader::has_provenance(std::string_view name) const {
  return contents_->texts.contains(name);
}

void DatasetReader::read(const DatasetColumn& column, std::uint64_t first, std::span<double> values) const {
  if (column.type != ElementType::float64) return read_converted(column, first, values);
  columns_->read(index_of(column), first, std::as_writable_bytes(values));  // where they go
}

void DatasetReader::read(const DatasetColumn& column, std::uint64_t first, std::span<std::int64_t> values) const {
  if (is_real(column.type) || column.type == ElementType::uint64)
    throw std::logic_error("column " + column.name + " does not fit 64-bit signed integers");
  read_converted(column, first, values);
}

void DatasetReader::read(const DatasetColumn& column, std::uint64_t first, std::span<std::uint64_t> values) const {
  if (column.type != ElementType::uint64 && column.type != ElementType::uint8)
    throw std::logic_error("column " + column.name + " does not fit 64-bit unsigned integers");
  read_converted(column, first, values);
}

void DatasetReader::read(const DatasetColumn& column, std::uint64_t first, std::span<std::int32_t> values) const {
  if (is_real(column.type) || size_of(column.type) > sizeof(std::int32_t))
    throw std::logic_error("column " + column.name + " does not fit 32-bit signed integers");
  read_converted(column, first, values);
}

void DatasetReader::read_stored(const DatasetColumn& column, std::uint64_t first, std::span<std::byte> bytes) const {
  if (first_code_of(column) != 0) throw std::logic_error("column " + column.name + " has codes of another order");
  columns_->read(index_of(column), first, bytes);
}

}  // namespace dfsweep
