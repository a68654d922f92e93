#include "io/hdf5/dimension_scales.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <set>

namespace dfsweep::hdf5 {

namespace {

constexpr std::size_t reference_entry_bytes = sizeof(hobj_ref_t) + sizeof(std::int32_t);  // packed: no padding

struct Use {
  hobj_ref_t dataset;
  std::int32_t dimension;
};

Handle open_dataset(hid_t file, const std::string& path) {
  return {H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose, "open a dataset"};
}

void write_attribute(hid_t object, const char* name, hid_t type, const Handle& space, hid_t memory_type,
                     const void* data) {
  const Handle attribute(H5Acreate2(object, name, type, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                         "create an attribute");
  check(H5Awrite(attribute.id(), memory_type, data), "write an attribute");
}

void write_ascii(hid_t object, const char* name, const std::string& text) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "make a text type");
  check(H5Tset_size(type.id(), text.size() + 1), "size a text type");
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, "make a dataspace");
  write_attribute(object, name, type.id(), space, type.id(), text.c_str());
}

hobj_ref_t reference_to(hid_t file, const std::string& path) {
  hobj_ref_t reference = 0;
  check(H5Rcreate(&reference, file, path.c_str(), H5R_OBJECT, H5I_INVALID_HID), "refer to a dataset");
  return reference;
}

/// DIMENSION_LIST: for each dimension a list with its one scale.
void write_dimension_list(hid_t file, const ScaledDataset& dataset) {
  std::vector<hobj_ref_t> references;
  for (const std::string& scale : dataset.scales) references.push_back(reference_to(file, scale));
  std::vector<hvl_t> lists;
  for (hobj_ref_t& reference : references) lists.push_back({1, &reference});
  const Handle type(H5Tvlen_create(H5T_STD_REF_OBJ), H5Tclose, "make a list type");
  const hsize_t count = lists.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, "make a dataspace");
  const Handle object = open_dataset(file, dataset.path);
  write_attribute(object.id(), "DIMENSION_LIST", type.id(), space, type.id(), lists.data());
}

/// REFERENCE_LIST: the datasets and dimensions that a scale is the scale of.
void write_reference_list(hid_t scale, const std::vector<Use>& uses) {
  std::vector<std::byte> bytes(uses.size() * reference_entry_bytes);
  for (std::size_t i = 0; i < uses.size(); ++i) {
    std::memcpy(bytes.data() + i * reference_entry_bytes, &uses[i].dataset, sizeof(hobj_ref_t));
    std::memcpy(bytes.data() + i * reference_entry_bytes + sizeof(hobj_ref_t), &uses[i].dimension,
                sizeof(std::int32_t));
  }
  const Handle type(H5Tcreate(H5T_COMPOUND, reference_entry_bytes), H5Tclose, "make a compound type");
  check(H5Tinsert(type.id(), "dataset", 0, H5T_STD_REF_OBJ), "make a compound type");
  check(H5Tinsert(type.id(), "dimension", sizeof(hobj_ref_t), H5T_STD_I32LE), "make a compound type");
  const hsize_t count = uses.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, "make a dataspace");
  write_attribute(scale, "REFERENCE_LIST", type.id(), space, type.id(), bytes.data());
}

}  // namespace

void write_dimension_scales(hid_t file, const std::vector<ScaledDataset>& datasets,
                            const std::vector<std::string>& more_scales) {
  std::map<std::string, std::vector<Use>> uses;
  for (const std::string& scale : more_scales) uses[scale];
  for (const ScaledDataset& dataset : datasets)
    for (const std::string& scale : dataset.scales) uses[scale];
  for (const ScaledDataset& dataset : datasets) {
    if (uses.contains(dataset.path) || dataset.scales.empty()) continue;
    write_dimension_list(file, dataset);
    const hobj_ref_t reference = reference_to(file, dataset.path);
    for (std::size_t d = 0; d < dataset.scales.size(); ++d)
      uses[dataset.scales[d]].push_back({reference, static_cast<std::int32_t>(d)});
  }
  for (const auto& [scale, used] : uses) {
    const Handle object = open_dataset(file, scale);
    write_ascii(object.id(), "CLASS", "DIMENSION_SCALE");
    write_ascii(object.id(), "NAME", scale.substr(scale.rfind('/') + 1));
    if (!used.empty()) write_reference_list(object.id(), used);
  }
}

}  // namespace dfsweep::hdf5
