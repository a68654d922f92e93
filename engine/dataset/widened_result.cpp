#include "engine/dataset/widened_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "engine/dataset/new_result.hpp"
#include "io/file_system.hpp"
#include "io/hdf5/sealed_dataset.hpp"
#include "io/seal.hpp"
#include "models/expect.hpp"

namespace dfsweep {

namespace {

constexpr std::string_view block_table = "provenance/block";
constexpr std::string_view checksum_table = "provenance/checksums";
constexpr std::string_view checksum_names = "provenance/checksum_column";

/// Without what HDF5 writes for dimension scales itself.
std::vector<Attribute> own_attributes(const std::vector<Attribute>& attributes) {
  std::vector<Attribute> own;
  for (const Attribute& attribute : attributes)
    if (attribute.name != "CLASS" && attribute.name != "NAME") own.push_back(attribute);
  return own;
}

/// The layout of a file as its contents and the added columns say it.
class WidenedLayout {
 public:
  WidenedLayout(const DatasetContents& contents, std::span<const AddedColumn> added,
                const std::pair<std::string, std::string>& text)
      : contents_(contents) {
    for (const DatasetColumn& column : contents.columns) add_column(column.name, column.type, column.attributes);
    for (const AddedColumn& column : added) add_column(column.name, ElementType::float64, column.attributes);
    for (const DatasetColumn& table : contents.tables) add_table(table);
    add_labels();
    for (const FixedValue& fixed : contents.fixed)
      layout_.scalars.push_back(
          {"fixed/" + fixed.name, fixed.value, {{"units", fixed.units}, {"long_name", fixed.long_name}}});
    for (const auto& [name, value] : contents.texts)
      if ("provenance/" + name != text.first) layout_.texts.emplace_back("provenance/" + name, value);
    const auto former = contents.texts.find(text.first.substr(text.first.find('/') + 1));
    layout_.texts.emplace_back(text.first, (former == contents.texts.end() ? "" : former->second) + text.second);
    add_root();
  }
  [[nodiscard]] const DatasetDescription& description() const { return layout_; }

 private:
  void add_column(const std::string& name, ElementType type, const std::vector<Attribute>& attributes) {
    layout_.columns.push_back({.path = name,
                               .type = type,
                               .extent = ColumnExtent::rows,
                               .count = contents_.columns.front().count,
                               .width = 1,
                               .scales = {"point"},
                               .attributes = own_attributes(attributes)});
    names_ += (names_.empty() ? "" : " ") + name;
    for (const char* half : {".high", ".low"}) halves_.push_back(name + half);
  }

  void add_table(const DatasetColumn& table) {
    const bool is_of_checksums = table.name == checksum_table;
    std::vector<std::string> scales = {std::string(block_table)};
    if (is_of_checksums) scales.emplace_back(checksum_names);
    layout_.columns.push_back({.path = table.name,
                               .type = table.type,
                               .extent = ColumnExtent::file,
                               .count = table.count,
                               .width = is_of_checksums ? halves_.size() : table.width,
                               .scales = std::move(scales),
                               .attributes = own_attributes(table.attributes)});
  }

  void add_labels() {
    for (const auto& [path, labels] : contents_.labels)
      if (path != checksum_names) layout_.labels.push_back({path, labels});
    layout_.labels.push_back({std::string(checksum_names), halves_});
  }

  void add_root() {
    layout_.attributes = own_attributes(contents_.attributes);
    for (Attribute& attribute : layout_.attributes)
      if (attribute.name == "columns") attribute.value = names_;
  }

  const DatasetContents& contents_;
  DatasetDescription layout_;
  std::string names_;
  std::vector<std::string> halves_;
};

/// Copies blocks and fills the added columns; gathers the checksums of all.
class WidenedCopy {
 public:
  WidenedCopy(const File& from, const std::vector<ColumnPlace>& old_places, const std::filesystem::path& name,
              NewResult& to)
      : from_(from), old_places_(old_places), name_(name), to_(to) {}

  /// Pre: `old_table` has one row of checksums for each block, over `columns` columns.
  StoredTable copy(const StoredTable& old_table, std::size_t columns, std::span<const AddedColumn> added) {
    StoredTable table{.first_rows = old_table.first_rows, .checksums = {}};
    const std::uint64_t rows = to_.places().front().count;
    for (std::size_t block = 0; block < table.first_rows.size(); ++block) {
      const std::uint64_t first = table.first_rows[block];
      const std::uint64_t end = block + 1 < table.first_rows.size() ? table.first_rows[block + 1] : rows;
      for (std::size_t c = 0; c < columns; ++c)
        table.checksums.push_back(copied(c, first, end - first, old_table.checksums[block * columns + c]));
      for (std::size_t c = 0; c < added.size(); ++c)
        table.checksums.push_back(filled(columns + c, first, end - first, added[c]));
    }
    return table;
  }

 private:
  Checksum copied(std::size_t column, std::uint64_t first, std::uint64_t count, const Checksum& expected) {
    const ColumnPlace& place = to_.places()[column];
    bytes_.resize(count * place.element_bytes);
    from_.read_at(old_places_[column].offset + first * place.element_bytes, bytes_);
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

  const File& from_;
  const std::vector<ColumnPlace>& old_places_;
  const std::filesystem::path& name_;
  NewResult& to_;
  std::vector<std::byte> bytes_;
  std::vector<double> values_;
};

}  // namespace

void write_widened(const std::filesystem::path& from, const std::filesystem::path& to,
                   std::span<const AddedColumn> added, const std::pair<std::string, std::string>& text) {
  FileSystem& files = real_file_system();
  std::unique_ptr<File> source = files.open(from, OpenFor::reading);
  const SealReading reading = read_seal(*source);
  DFSWEEP_EXPECT(reading.state == SealState::intact);
  const StoredTable old_table = read_table(*source, reading.seal, from);
  const OpenedDataset opened = open_sealed(files.open(from, OpenFor::reading), from, reading.seal);
  const WidenedLayout layout(*opened.contents, added, text);
  NewResult result(to, layout.description());
  WidenedCopy copy(*source, reading.seal.places, from, result);
  result.publish(copy.copy(old_table, opened.contents->columns.size(), added));
}

}  // namespace dfsweep
