/// Reading of result files with HDF5: columns, attributes, texts.
#include "io/dataset_reader.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>

#include <fmt/core.h>

#include "io/file_system.hpp"
#include "io/hdf5/attributes.hpp"
#include "io/hdf5/types.hpp"

namespace dfsweep {

namespace {

using hdf5::attributes_of;
using hdf5::check;
using hdf5::extents_of;
using hdf5::Handle;
using hdf5::read_texts;
using hdf5::text_of;

constexpr std::int64_t newest_format = 1;

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) result.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return result;
}

ElementType element_type_of(hid_t dataset) {
  const Handle type(H5Dget_type(dataset), H5Tclose, "ask a type");
  for (const ElementType candidate : {ElementType::uint8, ElementType::int16, ElementType::int32, ElementType::int64,
                                      ElementType::uint64, ElementType::float32, ElementType::float64})
    if (H5Tequal(type.id(), hdf5::element_type(candidate)) > 0) return candidate;
  throw BadDataset("a column has a type that dfsweep never writes");
}

Handle open_file(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) throw IoError("open", path, ENOENT);
  if (std::filesystem::is_directory(path)) throw BadDataset(path.string() + " is a directory, not a result file");
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "create a property list");
  check(H5Pset_file_locking(access.id(), 0, 1), "switch file locking off");
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose, "open the file"};
}

}  // namespace

std::string DatasetColumn::text(std::string_view attribute) const {
  return text_of(attributes, attribute);
}

class DatasetReader::Implementation {
 public:
  Implementation(std::filesystem::path path, std::optional<std::vector<RowRange>> complete_rows)
      : path_(std::move(path)) {
    const hdf5::Quiet quiet;
    try {
      file_ = open_file(path_);
      open(std::move(complete_rows));
    } catch (const hdf5::Failure& failure) {
      const std::string why = failure.what();
      throw BadDataset(why.ends_with("file signature not found")
                           ? fmt::format("{} is not a result file (it is not in HDF5)", path_.string())
                           : fmt::format("{} is not a result file, or is damaged ({})", path_.string(), why));
    }
  }

  void open(std::optional<std::vector<RowRange>> complete_rows) {
    const Handle root(H5Oopen(file_.id(), "/", H5P_DEFAULT), H5Oclose, "open the root group");
    attributes_ = attributes_of(root.id());
    if (text_of(attributes_, "format") != "dfsweep")
      throw BadDataset(fmt::format("{} is an HDF5 file, but not one of dfsweep (its root has no format = \"dfsweep\")",
                                   path_.string()));
    for (const Attribute& attribute : attributes_)
      if (const auto* version = std::get_if<std::int64_t>(&attribute.value);
          attribute.name == "format_version" && version != nullptr && *version > newest_format)
        throw BadDataset(fmt::format("{} has format version {}, this program reads up to {}", path_.string(), *version,
                                     newest_format));
    for (const std::string& name : words(text_of(attributes_, "columns")))
      columns_.push_back(open_column(name, ColumnExtent::rows));
    for (const std::string& name : words(text_of(attributes_, "group_columns")))
      groups_.push_back(open_column(name, ColumnExtent::groups));
    if (columns_.empty()) throw BadDataset(path_.string() + " has no columns");
    complete_ = complete_rows ? std::move(*complete_rows) : std::vector<RowRange>{{0, columns_.front().count}};
    read_fixed();
  }

  [[nodiscard]] Handle dataset(const std::string& name) const {
    return {H5Dopen2(file_.id(), name.c_str(), H5P_DEFAULT), H5Dclose, "open a dataset"};
  }

  /// Fills `values` with elements from `first` on; the memory type is that of Value.
  template <class Value>
  void read(const DatasetColumn& column, std::uint64_t first, std::span<Value> values, hid_t memory_type) const {
    read(column, first, values.size(), values.data(), memory_type);
  }

  void read(const DatasetColumn& column, std::uint64_t first, std::size_t elements, void* values,
            hid_t memory_type) const {
    if (elements == 0) return;
    const hdf5::Quiet quiet;
    try {
      const Handle opened = dataset(column.name);
      const Handle file_space(H5Dget_space(opened.id()), H5Sclose, "ask a dataspace");
      const std::array<hsize_t, 2> start = {first, 0};
      const std::array<hsize_t, 2> count = {elements / column.width, column.width};
      check(H5Sselect_hyperslab(file_space.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
            "select rows");
      const hsize_t wanted = elements;
      const Handle memory_space(H5Screate_simple(1, &wanted, nullptr), H5Sclose, "make a dataspace");
      check(H5Dread(opened.id(), memory_type, memory_space.id(), file_space.id(), H5P_DEFAULT, values),
            "read a column");
    } catch (const hdf5::Failure& failure) {
      throw BadDataset(fmt::format("{}: cannot read rows {} to {} of {} ({})", path_.string(), first,
                                   first + elements / column.width, column.name, failure.what()));
    }
  }

  [[nodiscard]] std::string provenance(const std::string& name) const {
    const hdf5::Quiet quiet;
    try {
      return text_scalar(dataset("provenance/" + name));
    } catch (const hdf5::Failure&) {
      throw BadDataset(fmt::format("{} has no text /provenance/{}", path_.string(), name));
    }
  }

  [[nodiscard]] std::optional<DatasetColumn> find(const std::string& name) {
    const hdf5::Quiet quiet;
    try {
      return open_column(name, ColumnExtent::file);
    } catch (const hdf5::Failure&) {
      return std::nullopt;
    }
  }

  std::filesystem::path path_;
  Handle file_;
  std::vector<Attribute> attributes_;
  std::vector<DatasetColumn> columns_;
  std::vector<DatasetColumn> groups_;
  std::vector<RowRange> complete_;
  std::vector<FixedValue> fixed_;
  std::map<std::string, std::vector<std::string>, std::less<>> labels_;  ///< by path of the table

 private:
  DatasetColumn open_column(const std::string& name, ColumnExtent extent) {
    const Handle opened = dataset(name);
    const Handle space(H5Dget_space(opened.id()), H5Sclose, "ask a dataspace");
    const std::vector<hsize_t> extents = extents_of(space);
    if (extents.empty() || extents.size() > 2)
      throw BadDataset(fmt::format("{}: column {} has an odd shape", path_.string(), name));
    DatasetColumn column{.name = name,
                         .type = element_type_of(opened.id()),
                         .extent = extent,
                         .count = extents[0],
                         .width = extents.size() == 2 ? extents[1] : 1,
                         .attributes = attributes_of(opened.id()),
                         .units = {},
                         .long_name = {},
                         .label_table = {},
                         .offset = {}};
    column.units = column.text("units");
    column.long_name = column.text("long_name");
    column.label_table = column.text("labels");
    if (const haddr_t offset = H5Dget_offset(opened.id()); offset != HADDR_UNDEF) column.offset = offset;
    if (column.is_categorical() && !labels_.contains(column.label_table)) {
      const Handle table = dataset(column.label_table);
      const Handle table_space(H5Dget_space(table.id()), H5Sclose, "ask a dataspace");
      labels_[column.label_table] = read_texts(table_space, [&](hid_t memory, void* to) {
        return H5Dread(table.id(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, to);
      });
    }
    return column;
  }

  static std::string text_scalar(const Handle& opened) {
    const Handle space(H5Dget_space(opened.id()), H5Sclose, "ask a dataspace");
    std::vector<std::string> texts = read_texts(
        space, [&](hid_t memory, void* to) { return H5Dread(opened.id(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, to); });
    return texts.empty() ? std::string() : std::move(texts.front());
  }

  void read_fixed() {
    if (H5Lexists(file_.id(), "fixed", H5P_DEFAULT) <= 0) return;
    const Handle group(H5Gopen2(file_.id(), "fixed", H5P_DEFAULT), H5Gclose, "open /fixed");
    H5G_info_t info = {};
    check(H5Gget_info(group.id(), &info), "list /fixed");
    for (hsize_t i = 0; i < info.nlinks; ++i) {
      std::array<char, 256> name = {};
      H5Lget_name_by_idx(group.id(), ".", H5_INDEX_NAME, H5_ITER_INC, i, name.data(), name.size(), H5P_DEFAULT);
      const Handle opened(H5Dopen2(group.id(), name.data(), H5P_DEFAULT), H5Dclose, "open a fixed value");
      const Handle type(H5Dget_type(opened.id()), H5Tclose, "ask a type");
      const std::vector<Attribute> attributes = attributes_of(opened.id());
      FixedValue value{name.data(), 0.0, text_of(attributes, "units"), text_of(attributes, "long_name")};
      if (H5Tget_class(type.id()) == H5T_STRING) {
        value.value = text_scalar(opened);
      } else if (H5Tget_class(type.id()) == H5T_INTEGER) {
        std::int64_t number = 0;
        check(H5Dread(opened.id(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &number), "read a fixed value");
        value.value = number;
      } else {
        double number = 0.0;
        check(H5Dread(opened.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &number), "read a fixed value");
        value.value = number;
      }
      fixed_.push_back(std::move(value));
    }
  }
};

DatasetReader::DatasetReader(const std::filesystem::path& file)
    : implementation_(std::make_unique<Implementation>(file, std::nullopt)) {}
DatasetReader::DatasetReader(const std::filesystem::path& file, std::vector<RowRange> complete)
    : implementation_(std::make_unique<Implementation>(file, std::move(complete))) {}
DatasetReader::~DatasetReader() = default;
DatasetReader::DatasetReader(DatasetReader&&) noexcept = default;
DatasetReader& DatasetReader::operator=(DatasetReader&&) noexcept = default;

const std::filesystem::path& DatasetReader::file() const {
  return implementation_->path_;
}
std::uint64_t DatasetReader::row_count() const {
  return implementation_->columns_.front().count;
}
const std::vector<RowRange>& DatasetReader::complete() const {
  return implementation_->complete_;
}

std::uint64_t DatasetReader::complete_count() const {
  std::uint64_t count = 0;
  for (const RowRange& range : complete()) count += range.count;
  return count;
}

std::string DatasetReader::attribute(std::string_view name) const {
  return text_of(implementation_->attributes_, name);
}
const std::vector<Attribute>& DatasetReader::attributes() const {
  return implementation_->attributes_;
}
const std::vector<DatasetColumn>& DatasetReader::columns() const {
  return implementation_->columns_;
}
const std::vector<DatasetColumn>& DatasetReader::group_columns() const {
  return implementation_->groups_;
}

const DatasetColumn* DatasetReader::column(std::string_view name) const {
  for (const DatasetColumn& column : columns())
    if (column.name == name) return &column;
  return nullptr;
}

const std::vector<std::string>& DatasetReader::labels(const DatasetColumn& column) const {
  static const std::vector<std::string> none;
  const auto found = implementation_->labels_.find(column.label_table);
  return found == implementation_->labels_.end() ? none : found->second;
}

const std::vector<FixedValue>& DatasetReader::fixed() const {
  return implementation_->fixed_;
}
std::string DatasetReader::provenance(std::string_view name) const {
  return implementation_->provenance(std::string(name));
}

void DatasetReader::read(const DatasetColumn& column, std::uint64_t first, std::span<double> values) const {
  implementation_->read(column, first, values, H5T_NATIVE_DOUBLE);
}

void DatasetReader::read(const DatasetColumn& column, std::uint64_t first, std::span<std::int64_t> values) const {
  if (column.type == ElementType::float32 || column.type == ElementType::float64 || column.type == ElementType::uint64)
    throw std::logic_error("column " + column.name + " does not fit 64-bit signed integers");
  implementation_->read(column, first, values, H5T_NATIVE_INT64);
}

void DatasetReader::read(const DatasetColumn& column, std::uint64_t first, std::span<std::uint64_t> values) const {
  if (column.type != ElementType::uint64 && column.type != ElementType::uint8)
    throw std::logic_error("column " + column.name + " does not fit 64-bit unsigned integers");
  implementation_->read(column, first, values, H5T_NATIVE_UINT64);
}

std::optional<DatasetColumn> DatasetReader::find(std::string_view path) const {
  return implementation_->find(std::string(path));
}

void DatasetReader::read_bytes(const DatasetColumn& column, std::uint64_t first, std::span<std::byte> bytes) const {
  implementation_->read(column, first, bytes.size() / size_of(column.type), bytes.data(),
                        hdf5::element_type(column.type));
}

}  // namespace dfsweep
