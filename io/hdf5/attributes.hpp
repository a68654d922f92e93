/// Element types of columns as HDF5 types, extents of datasets, and attributes and texts of objects, read into values.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "io/dataset.hpp"
#include "io/hdf5/handle.hpp"

namespace dfsweep::hdf5 {

/// The type, the same in the file and in memory (little-endian processors only); owned by the library, never closed.
[[nodiscard]] hid_t element_type(ElementType type);

/// Variable-length UTF-8 text.
[[nodiscard]] Handle text_type();

/// Sizes of the dimensions; empty for a scalar.
[[nodiscard]] std::vector<hsize_t> extents_of(const Handle& space);

/// The name of a link of a group, in the order of names. Pre: index < links of the group.
[[nodiscard]] std::string link_name(const Handle& group, hsize_t index);

/// Variable-length texts of an attribute or dataset; `read(memory type, buffer)` fills the buffer.
template <class Read>
std::vector<std::string> read_texts(const Handle& space, const Read& read) {
  const hssize_t count = H5Sget_simple_extent_npoints(space.id());
  const Handle type = hdf5::text_type();
  std::vector<char*> pointers(static_cast<std::size_t>(std::max<hssize_t>(count, 0)));
  check(read(type.id(), pointers.data()), "read a text");
  std::vector<std::string> texts;
  for (const char* pointer : pointers) texts.emplace_back(pointer == nullptr ? "" : pointer);
  H5Dvlen_reclaim(type.id(), space.id(), H5P_DEFAULT, pointers.data());
  return texts;
}

/// Attributes of an object by name, except those of dimension scales. An attribute of a type that dfsweep never writes
/// has an empty value.
[[nodiscard]] std::vector<Attribute> attributes_of(hid_t object);

}  // namespace dfsweep::hdf5
