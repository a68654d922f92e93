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
  if (version > sealed_format)
    throw BadDataset(
        fmt::format("{} has format version {}, this program reads up to {}", path.string(), version, sealed_format));
  if (version == sealed_format)
    throw BadDataset(
        fmt::format("{} has no seal: it was never published, or its first bytes are damaged", path.string()));
  return {std::make_unique<DatasetContents>(std::move(dataset.contents)), std::move(dataset.columns)};
}

std::unique_ptr<File> open_file(const std::filesystem::path& path) {
  if (std::filesystem::is_directory(path)) throw BadDataset(path.string() + " is a directory, not a result file");
  if (std::filesystem::exists(path) && !std::filesystem::is_regular_file(path))
    throw BadDataset(path.string() + " is not a regular file");
  return real_file_system().open(path, OpenFor::reading);
}

std::pair<OpenedDataset, Trust> open_published(const std::filesystem::path& path) {
  std::unique_ptr<File> file = open_file(path);
  const SealReading reading = read_seal(*file);
  switch (reading.state) {
    case SealState::newer:
      throw BadDataset(
          fmt::format("{} has a newer format version than this program reads ({})", path.string(), sealed_format));
    case SealState::damaged:
      throw BadDataset(path.string() + " is damaged: its seal does not have its checksum");
    case SealState::missing:
      return {without_seal(path), Trust::none};
    case SealState::intact:
      break;
  }
  if (is_repacked(*file, reading.seal)) return {open_repacked(path, reading.seal), Trust::columns};
  return {open_sealed(std::move(file), path, reading.seal), Trust::whole};
}

}  // namespace

DatasetReader::DatasetReader(const std::filesystem::path& file) : path_(file) {
  auto [opened, trust] = open_published(path_);
  contents_ = std::move(opened.contents);
  columns_ = std::move(opened.columns);
  trust_ = trust;
  complete_ = {{0, contents_->columns.front().count}};
}

DatasetReader::DatasetReader(const std::filesystem::path& file, ExpectedDataset expected)
    : path_(file), trust_(Trust::whole) {
  for (const RowRange& block : expected.complete.blocks) {
    if (!complete_.empty() && complete_.back().first + complete_.back().count == block.first)
      complete_.back().count += block.count;
    else
      complete_.push_back(block);
  }
  OpenedDataset opened = open_expected(open_file(path_), path_, std::move(expected));
  contents_ = std::move(opened.contents);
  columns_ = std::move(opened.columns);
}

/// Fills `values` with elements from `first` on, converted.
template <class Value>
void DatasetReader::read_converted(const DatasetColumn& column, std::uint64_t first, std::span<Value> values) const {
  const std::size_t index = index_of(column);
  const std::size_t piece = std::max<std::size_t>(converted_bytes / column.element_bytes(), 1) * column.width;
  std::vector<std::byte> bytes(std::min(piece, values.size()) * size_of(column.type));
  while (!values.empty()) {
    const std::span<Value> now = values.first(std::min(piece, values.size()));
    const std::span<std::byte> stored = std::span(bytes).first(now.size() * size_of(column.type));
    columns_->read(index, first, stored);
    convert(column.type, stored, now);
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
Trust DatasetReader::trust() const {
  return trust_;
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

}  // namespace dfsweep
