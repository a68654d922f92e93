#include "io/hdf5/attributes.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

namespace dfsweep::hdf5 {

namespace {

bool is_reference_attribute(std::string_view name) {
  return name == "DIMENSION_LIST" || name == "REFERENCE_LIST" || name == "CLASS" || name == "NAME";
}

/// The value, if it has one of the types that dfsweep writes; else an empty text.
decltype(Attribute::value) value_of(const Handle& attribute) {
  const Handle type(H5Aget_type(attribute.id()), H5Tclose, "get a type");
  const Handle space(H5Aget_space(attribute.id()), H5Sclose, "get a dataspace");
  const bool is_scalar = checked(H5Sget_simple_extent_type(space.id()), "get a dataspace") == H5S_SCALAR;
  const auto count = static_cast<std::size_t>(checked(H5Sget_simple_extent_npoints(space.id()), "count values"));
  if (count == 0) return std::string();
  const H5T_class_t kind = checked(H5Tget_class(type.id()), "get a type");
  if (kind == H5T_STRING && checked(H5Tis_variable_str(type.id()), "get a type") > 0) {
    std::vector<std::string> texts =
        read_texts(space, [&](hid_t memory, void* to) { return H5Aread(attribute.id(), memory, to); });
    if (is_scalar) return std::move(texts.front());
    return texts;
  }
  if (kind == H5T_INTEGER) {
    std::vector<std::int64_t> numbers(count);
    check(H5Aread(attribute.id(), H5T_NATIVE_INT64, numbers.data()), "read an attribute");
    if (is_scalar) return numbers.front();
    return numbers;
  }
  if (kind == H5T_FLOAT) {
    std::vector<double> numbers(count);
    check(H5Aread(attribute.id(), H5T_NATIVE_DOUBLE, numbers.data()), "read an attribute");
    return numbers.front();
  }
  return std::string();
}

}  // namespace

std::vector<Attribute> attributes_of(hid_t object) {
  H5O_info_t info = {};
  check(H5Oget_info2(object, &info, H5O_INFO_NUM_ATTRS), "count attributes");
  std::vector<Attribute> attributes;
  for (hsize_t i = 0; i < info.num_attrs; ++i) {
    const Handle attribute(H5Aopen_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, i, H5P_DEFAULT, H5P_DEFAULT),
                           H5Aclose, "open an attribute");
    std::array<char, 256> name = {};
    checked(H5Aget_name(attribute.id(), name.size(), name.data()), "get the name of an attribute");
    if (is_reference_attribute(name.data())) continue;
    attributes.push_back({name.data(), value_of(attribute)});
  }
  return attributes;
}

}  // namespace dfsweep::hdf5
