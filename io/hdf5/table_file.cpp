/// HDF5 creates the file in memory; it is returned as bytes.
#include "io/hdf5/table_file.hpp"

#include "io/hdf5/attributes.hpp"
#include "io/hdf5/handle.hpp"

namespace dfsweep {

namespace {

using hdf5::check;
using hdf5::Handle;

constexpr std::size_t growth_bytes = std::size_t{1} << 20;

Handle scalar_space() {
  return {H5Screate(H5S_SCALAR), H5Sclose, "make a dataspace"};
}

void add_attribute(const Handle& object, const std::string& name, const std::string& text) {
  const Handle type = hdf5::text_type();
  const Handle space = scalar_space();
  const Handle attribute(H5Acreate2(object.id(), name.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose, "create an attribute");
  const char* pointer = text.c_str();
  check(H5Awrite(attribute.id(), type.id(), &pointer), "write an attribute");
}

Handle untimed(hid_t list_class) {
  Handle list(H5Pcreate(list_class), H5Pclose, "create a property list");
  check(H5Pset_obj_track_times(list.id(), 0), "switch object times off");
  return list;
}

void add_column(const Handle& group, const TableFileColumn& column) {
  const auto* numbers = std::get_if<std::vector<double>>(&column.values);
  const auto* texts = std::get_if<std::vector<std::string>>(&column.values);
  const std::size_t count = numbers != nullptr ? numbers->size() / column.width : texts->size();
  const hsize_t extents[2] = {count, column.width};
  const Handle space(H5Screate_simple(column.width > 1 ? 2 : 1, extents, nullptr), H5Sclose, "make a dataspace");
  const Handle type = hdf5::text_type();
  const hid_t element = numbers != nullptr ? hdf5::element_type(ElementType::float64) : type.id();
  const Handle creation = untimed(H5P_DATASET_CREATE);
  const Handle dataset(
      H5Dcreate2(group.id(), column.name.c_str(), element, space.id(), H5P_DEFAULT, creation.id(), H5P_DEFAULT),
      H5Dclose, "create a column");
  std::vector<const char*> pointers;
  if (texts != nullptr)
    for (const std::string& text : *texts) pointers.push_back(text.c_str());
  const void* data = numbers != nullptr ? static_cast<const void*>(numbers->data()) : pointers.data();
  if (count > 0) check(H5Dwrite(dataset.id(), element, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), "write a column");
  if (numbers != nullptr) add_attribute(dataset, "units", column.units);
  if (!column.meaning.empty()) add_attribute(dataset, "long_name", column.meaning);
}

}  // namespace

std::vector<std::byte> table_file(std::span<const TableFileTable> tables,
                                  std::span<const std::pair<std::string, std::string>> attributes) {
  const hdf5::Quiet quiet;
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "create a property list");
  check(H5Pset_fapl_core(access.id(), growth_bytes, 0), "select the memory driver");
  check(H5Pset_libver_bounds(access.id(), H5F_LIBVER_EARLIEST, H5F_LIBVER_V110), "choose the format");
  const Handle file_creation = untimed(H5P_FILE_CREATE);
  const Handle file(H5Fcreate("tables", H5F_ACC_TRUNC, file_creation.id(), access.id()), H5Fclose, "create the file");
  for (const auto& [name, text] : attributes) add_attribute(file, name, text);
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "create a property list");
  check(H5Pset_create_intermediate_group(links.id(), 1), "choose intermediate groups");
  const Handle group_creation = untimed(H5P_GROUP_CREATE);
  for (const TableFileTable& table : tables) {
    const Handle group(H5Gcreate2(file.id(), table.path.c_str(), links.id(), group_creation.id(), H5P_DEFAULT),
                       H5Gclose, "create a group");
    for (const auto& [name, text] : table.attributes) add_attribute(group, name, text);
    for (const TableFileColumn& column : table.columns) add_column(group, column);
  }
  check(H5Fflush(file.id(), H5F_SCOPE_GLOBAL), "flush the file");
  const ssize_t size = H5Fget_file_image(file.id(), nullptr, 0);
  if (size < 0) hdf5::fail("get the size of the file");
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  if (H5Fget_file_image(file.id(), bytes.data(), bytes.size()) < 0) hdf5::fail("get the file image");
  return bytes;
}

}  // namespace dfsweep
