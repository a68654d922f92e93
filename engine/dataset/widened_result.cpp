#include "engine/dataset/widened_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>

#include "engine/dataset/copied_layout.hpp"
#include "engine/dataset/new_result.hpp"
#include "io/file_system.hpp"
#include "io/hdf5/sealed_dataset.hpp"
#include "io/seal.hpp"
#include "models/expect.hpp"

namespace dfsweep {

namespace {

/// The layout of a copy with the added columns behind the others, and with an added text.
DatasetDescription widened(const DatasetContents& contents, std::span<const AddedColumn> added,
                           const std::pair<std::string, std::string>& text) {
  DatasetDescription layout = describe_copy(contents);
  std::string names = text_of(contents.attributes, "columns");
  std::vector<std::string>& halves = layout.labels.back().labels;  // the names of the checksums
  auto at = layout.columns.begin() + static_cast<std::ptrdiff_t>(contents.columns.size());
  for (const AddedColumn& column : added) {
    at = layout.columns.insert(at, {.path = column.name,
                                    .type = ElementType::float64,
                                    .extent = ColumnExtent::rows,
                                    .count = contents.columns.front().count,
                                    .width = 1,
                                    .scales = {"point"},
                                    .attributes = column.attributes}) +
         1;
    names += " " + column.name;
    for (const char* half : {".high", ".low"}) halves.push_back(column.name + half);
  }
  for (ColumnDescription& column : layout.columns)
    if (column.path == checksum_table) column.width = halves.size();
  for (Attribute& attribute : layout.attributes)
    if (attribute.name == "columns") attribute.value = names;
  const auto former = std::find_if(layout.texts.begin(), layout.texts.end(),
                                   [&](const auto& each) { return each.first == text.first; });
  if (former == layout.texts.end())
    layout.texts.push_back(text);
  else
    former->second += text.second;
  return layout;
}

/// Copies blocks and fills the added columns, and writes the checksums of all.
class WidenedCopy {
 public:
  WidenedCopy(const ColumnSource& from, const std::filesystem::path& name, NewResult& to)
      : from_(from), name_(name), to_(to) {}

  /// `old_table`: reads the checksums of a block, over `columns` columns.
  void copy(const std::vector<std::uint64_t>& first_rows,
            const std::function<std::vector<Checksum>(std::size_t block)>& old_table, std::size_t columns,
            std::span<const AddedColumn> added) {
    const std::uint64_t rows = to_.places().front().count;
    for (std::size_t block = 0; block < first_rows.size(); ++block) {
      const std::uint64_t first = first_rows[block];
      const std::uint64_t end = block + 1 < first_rows.size() ? first_rows[block + 1] : rows;
      const std::vector<Checksum> expected = old_table(block);
      std::vector<Checksum> checksums;
      for (std::size_t c = 0; c < columns; ++c) checksums.push_back(copied(c, first, end - first, expected[c]));
      for (std::size_t c = 0; c < added.size(); ++c)
        checksums.push_back(filled(columns + c, first, end - first, added[c]));
      to_.write_checksums(block, checksums);
    }
  }

 private:
  Checksum copied(std::size_t column, std::uint64_t first, std::uint64_t count, const Checksum& expected) {
    const ColumnPlace& place = to_.places()[column];
    bytes_.resize(count * place.element_bytes);
    from_.read(column, first, bytes_);
    const Checksum found = xxh3_128(bytes_);
    if (found != expected)
      throw BadDataset(fmt::format("{}: rows {} to {} of {} are damaged (their checksum differs)", name_.string(),
                                   first, first + count - 1, place.path));
    to_.write(column, first, bytes_);
    return found;
  }

  Checksum filled(std::size_t column, std::uint64_t first, std::uint64_t count, const AddedColumn& added) {
    values_.assign(count, std::numeric_limits<double>::quiet_NaN());
    auto row = std::lower_bound(added.rows.begin(), added.rows.end(), first);
    for (; row != added.rows.end() && *row < first + count; ++row)
      values_[*row - first] = added.values[static_cast<std::size_t>(row - added.rows.begin())];
    const std::span<const std::byte> bytes = std::as_bytes(std::span(values_));
    to_.write(column, first, bytes);
    return xxh3_128(bytes);
  }

  const ColumnSource& from_;
  const std::filesystem::path& name_;
  NewResult& to_;
  std::vector<std::byte> bytes_;
  std::vector<double> values_;
};

}  // namespace

void write_widened(const std::filesystem::path& from, const std::filesystem::path& to,
                   std::span<const AddedColumn> added, const std::pair<std::string, std::string>& text) {
  FileSystem& files = real_file_system();
  const std::unique_ptr<File> source = files.open(from, OpenFor::reading);
  const SealReading reading = read_seal(*source);
  DFSWEEP_EXPECT(reading.state == SealState::intact);
  const StoredTables tables = read_tables(*source, reading.seal, from);
  const OpenedDataset opened = open_sealed(files.open(from, OpenFor::reading), from, reading.seal);
  NewResult result(to, widened(*opened.contents, added, text));
  WidenedCopy copy(*opened.columns, from, result);
  const std::size_t columns = opened.contents->columns.size();
  const auto old_table = [&, &place = reading.seal.tables()[1]](std::size_t block) {
    std::vector<Checksum> checksums(columns);
    source->read_at(place.offset + block * place.element_bytes, std::as_writable_bytes(std::span(checksums)));
    return checksums;
  };
  copy.copy(tables.first_rows, old_table, columns, added);
  result.publish(tables.first_rows);
}

}  // namespace dfsweep
