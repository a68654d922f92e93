/// Element types of columns as HDF5 types, and the extents of datasets.
#include "io/hdf5/attributes.hpp"

#include <array>

namespace dfsweep {

std::size_t size_of(ElementType type) {
  switch (type) {
    case ElementType::uint8:
      return 1;
    case ElementType::int16:
      return 2;
    case ElementType::int32:
    case ElementType::float32:
      return 4;
    case ElementType::int64:
    case ElementType::uint64:
    case ElementType::float64:
      return 8;
  }
  return 8;
}

namespace hdf5 {

hid_t element_type(ElementType type) {
  switch (type) {
    case ElementType::uint8:
      return H5T_STD_U8LE;
    case ElementType::int16:
      return H5T_STD_I16LE;
    case ElementType::int32:
      return H5T_STD_I32LE;
    case ElementType::int64:
      return H5T_STD_I64LE;
    case ElementType::uint64:
      return H5T_STD_U64LE;
    case ElementType::float32:
      return H5T_IEEE_F32LE;
    case ElementType::float64:
      return H5T_IEEE_F64LE;
  }
  return H5T_IEEE_F64LE;
}

Handle text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "make a text type");
  check(H5Tset_size(type.id(), H5T_VARIABLE), "make a text type of variable length");
  check(H5Tset_cset(type.id(), H5T_CSET_UTF8), "make a UTF-8 text type");
  return type;
}

std::vector<hsize_t> extents_of(const Handle& space) {
  std::vector<hsize_t> extents(
      static_cast<std::size_t>(checked(H5Sget_simple_extent_ndims(space.id()), "get a dataspace")));
  if (!extents.empty()) check(H5Sget_simple_extent_dims(space.id(), extents.data(), nullptr), "get a dataspace");
  return extents;
}

std::string link_name(const Handle& group, hsize_t index) {
  std::array<char, 256> name = {};
  checked(H5Lget_name_by_idx(group.id(), ".", H5_INDEX_NAME, H5_ITER_INC, index, name.data(), name.size(), H5P_DEFAULT),
          "get a name");
  return name.data();
}

}  // namespace hdf5
}  // namespace dfsweep
