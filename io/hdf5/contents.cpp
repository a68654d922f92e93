#include "io/hdf5/contents.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/core.h>

#include "io/hdf5/attributes.hpp"
#include "io/hdf5/memory_driver.hpp"

namespace dfsweep::hdf5 {

namespace {

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) result.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return result;
}

ElementType element_type_of(const Handle& dataset) {
  const Handle type(H5Dget_type(dataset.id()), H5Tclose, "get a type");
  for (const ElementType candidate : {ElementType::uint8, ElementType::int16, ElementType::int32, ElementType::int64,
                                      ElementType::uint64, ElementType::float32, ElementType::float64})
    if (checked(H5Tequal(type.id(), element_type(candidate)), "compare types") > 0) return candidate;
  throw BadDataset("a column has a type that dfsweep never writes");
}

H5T_class_t class_of(const Handle& dataset) {
  const Handle type(H5Dget_type(dataset.id()), H5Tclose, "get a type");
  return checked(H5Tget_class(type.id()), "get a type");
}

std::vector<std::string> texts_of(const Handle& dataset) {
  const Handle space(H5Dget_space(dataset.id()), H5Sclose, "get a dataspace");
  return read_texts(
      space, [&](hid_t memory, void* to) { return H5Dread(dataset.id(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, to); });
}

std::string text_scalar(const Handle& dataset) {
  std::vector<std::string> texts = texts_of(dataset);
  return texts.empty() ? std::string() : std::move(texts.front());
}

/// Calls use(name, dataset) for every dataset of a group, in the order of names.
template <class Use>
void for_each_dataset(const Handle& file, const char* path, const Use& use) {
  if (checked(H5Lexists(file.id(), path, H5P_DEFAULT), "look for a group") == 0) return;
  const Handle group(H5Gopen2(file.id(), path, H5P_DEFAULT), H5Gclose, "open a group");
  H5G_info_t info = {};
  check(H5Gget_info(group.id(), &info), "list a group");
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    std::string name = link_name(group, i);
    const Handle dataset(H5Dopen2(group.id(), name.c_str(), H5P_DEFAULT), H5Dclose, "open a dataset");
    use(std::move(name), dataset);
  }
}

class Reading {
 public:
  Reading(const Handle& file, const std::filesystem::path& name) : file_(file), name_(name.string()) {}

  DatasetContents contents() {
    const Handle root(H5Oopen(file_.id(), "/", H5P_DEFAULT), H5Oclose, "open the root group");
    contents_.attributes = attributes_of(root.id());
    if (text_of(contents_.attributes, "format") != "dfsweep")
      throw BadDataset(
          fmt::format("{} is an HDF5 file, but not one of dfsweep (its root has no format = \"dfsweep\")", name_));
    for (const std::string& name : words(text_of(contents_.attributes, "columns")))
      contents_.columns.push_back(column(name, opened(name), ColumnExtent::rows));
    for (const std::string& name : words(text_of(contents_.attributes, "group_columns")))
      contents_.group_columns.push_back(column(name, opened(name), ColumnExtent::groups));
    if (contents_.columns.empty()) throw BadDataset(name_ + " has no columns");
    for_each_dataset(file_, "fixed", [&](std::string name, const Handle& dataset) { add_fixed(name, dataset); });
    for_each_dataset(file_, "provenance", [&](std::string name, const Handle& dataset) {
      if (class_of(dataset) != H5T_STRING)
        contents_.tables.push_back(column("provenance/" + name, dataset, ColumnExtent::file));
      else if (Handle space(H5Dget_space(dataset.id()), H5Sclose, "get a dataspace"); extents_of(space).empty())
        contents_.texts[name] = text_scalar(dataset);
    });
    return std::move(contents_);
  }

 private:
  [[nodiscard]] Handle opened(const std::string& path) const {
    return {H5Dopen2(file_.id(), path.c_str(), H5P_DEFAULT), H5Dclose, "open a dataset"};
  }

  DatasetColumn column(const std::string& name, const Handle& dataset, ColumnExtent extent) {
    const Handle space(H5Dget_space(dataset.id()), H5Sclose, "get a dataspace");
    const std::vector<hsize_t> extents = extents_of(space);
    if (extents.empty() || extents.size() > 2)
      throw BadDataset(fmt::format("{}: column {} has neither one nor two dimensions", name_, name));
    DatasetColumn column{.name = name,
                         .type = element_type_of(dataset),
                         .extent = extent,
                         .count = extents[0],
                         .width = extents.size() == 2 ? extents[1] : 1,
                         .attributes = attributes_of(dataset.id()),
                         .units = {},
                         .long_name = {},
                         .label_table = {},
                         .offset = {}};
    column.units = column.text("units");
    column.long_name = column.text("long_name");
    column.label_table = column.text("labels");
    if (const haddr_t offset = H5Dget_offset(dataset.id()); offset != HADDR_UNDEF) column.offset = offset;
    if (column.is_categorical() && !contents_.labels.contains(column.label_table))
      contents_.labels[column.label_table] = texts_of(opened(column.label_table));
    return column;
  }

  void add_fixed(const std::string& name, const Handle& dataset) {
    const std::vector<Attribute> attributes = attributes_of(dataset.id());
    FixedValue value{name, 0.0, text_of(attributes, "units"), text_of(attributes, "long_name")};
    const Handle space(H5Dget_space(dataset.id()), H5Sclose, "get a dataspace");
    if (!extents_of(space).empty()) throw BadDataset(fmt::format("{}: /fixed/{} is not a scalar", name_, name));
    const H5T_class_t kind = class_of(dataset);
    if (kind == H5T_STRING) {
      value.value = text_scalar(dataset);
    } else if (kind == H5T_INTEGER) {
      std::int64_t number = 0;
      check(H5Dread(dataset.id(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &number), "read a fixed value");
      value.value = number;
    } else {
      double number = 0.0;
      check(H5Dread(dataset.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &number), "read a fixed value");
      value.value = number;
    }
    contents_.fixed.push_back(std::move(value));
  }

  const Handle& file_;
  std::string name_;
  DatasetContents contents_;
};

}  // namespace

DatasetContents read_contents(const Handle& file, const std::filesystem::path& name) {
  return Reading(file, name).contents();
}

DatasetContents read_contents(const DatasetImage& frame, const std::filesystem::path& name) {
  MemoryFile memory;
  for (const auto& [offset, bytes] : frame.pieces) put(memory, offset, bytes);
  memory.size = frame.size;
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "create a property list");
  const Handle driver = use_memory(access.id(), memory);
  const Handle file(H5Fopen("frame", H5F_ACC_RDONLY, access.id()), H5Fclose, "open the file");
  return read_contents(file, name);
}

Handle open_for_reading(const std::filesystem::path& path) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "create a property list");
  check(H5Pset_file_locking(access.id(), 0, 1), "switch file locking off");
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose, "open the file"};
}

void read_elements(const Handle& file, const DatasetColumn& column, std::uint64_t first, std::span<std::byte> bytes) {
  const Handle dataset(H5Dopen2(file.id(), column.name.c_str(), H5P_DEFAULT), H5Dclose, "open a dataset");
  const Handle file_space(H5Dget_space(dataset.id()), H5Sclose, "get a dataspace");
  const hsize_t rows = bytes.size() / column.element_bytes();
  const std::array<hsize_t, 2> start = {first, 0};
  const std::array<hsize_t, 2> count = {rows, column.width};
  check(H5Sselect_hyperslab(file_space.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
        "select rows");
  const hsize_t wanted = rows * column.width;
  const Handle memory_space(H5Screate_simple(1, &wanted, nullptr), H5Sclose, "make a dataspace");
  check(H5Dread(dataset.id(), element_type(column.type), memory_space.id(), file_space.id(), H5P_DEFAULT, bytes.data()),
        "read a column");
}

}  // namespace dfsweep::hdf5
