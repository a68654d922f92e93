/// Layout of a result file: HDF5 creates it in memory; the pages that HDF5 writes become the frame.
#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <set>

#include "io/compressed_dataset.hpp"
#include "io/dataset.hpp"
#include "io/hdf5/attributes.hpp"
#include "io/hdf5/dimension_scales.hpp"
#include "io/hdf5/memory_driver.hpp"

namespace dfsweep {

namespace {

using hdf5::check;
using hdf5::Handle;

constexpr hsize_t alignment_bytes = 4096;

Handle property_list(hid_t list_class) {
  return {H5Pcreate(list_class), H5Pclose, "create a property list"};
}

Handle space_of(std::span<const hsize_t> extents) {
  if (extents.empty()) return {H5Screate(H5S_SCALAR), H5Sclose, "make a dataspace"};
  return {H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr), H5Sclose, "make a dataspace"};
}

/// Creation list of labels, scalars and texts: contiguous, allocated at once, no times.
Handle text_creation() {
  Handle list = property_list(H5P_DATASET_CREATE);
  check(H5Pset_layout(list.id(), H5D_CONTIGUOUS), "choose the contiguous layout");
  check(H5Pset_alloc_time(list.id(), H5D_ALLOC_TIME_EARLY), "choose early allocation");
  check(H5Pset_obj_track_times(list.id(), 0), "switch object times off");
  return list;
}

/// Creation list of compressed columns.
Handle chunked_creation(std::span<const hsize_t> chunk, int level) {
  Handle list = property_list(H5P_DATASET_CREATE);
  check(H5Pset_chunk(list.id(), static_cast<int>(chunk.size()), chunk.data()), "choose the size of chunks");
  check(H5Pset_shuffle(list.id()), "choose the shuffle filter");
  check(H5Pset_deflate(list.id(), static_cast<unsigned>(level)), "choose the deflate filter");
  check(H5Pset_alloc_time(list.id(), H5D_ALLOC_TIME_INCR), "choose late allocation");
  check(H5Pset_fill_time(list.id(), H5D_FILL_TIME_NEVER), "choose not to fill");
  check(H5Pset_obj_track_times(list.id(), 0), "switch object times off");
  return list;
}

/// Creation list of columns: also never filled, so that no time is spent on rows that are not yet known.
Handle column_creation() {
  Handle list = text_creation();
  check(H5Pset_fill_time(list.id(), H5D_FILL_TIME_NEVER), "choose not to fill");
  return list;
}

class Layout {
 public:
  /// `compressed`: null if all columns are contiguous.
  Layout(const DatasetDescription& description, const CompressedLayout* compressed)
      : description_(description), compressed_(compressed) {
    Handle access = property_list(H5P_FILE_ACCESS);
    if (compressed == nullptr) {
      check(H5Pset_alignment(access.id(), alignment_bytes, alignment_bytes), "set the alignment");
    } else {
      memory_.hole = memory_.hole_end = first_chunk_offset;
      for (const ChunkPlace& chunk : compressed->chunks) memory_.hole_end += chunk.bytes;
    }
    check(H5Pset_libver_bounds(access.id(), H5F_LIBVER_EARLIEST, H5F_LIBVER_V110), "choose the format");
    driver_ = hdf5::use_memory(access.id(), memory_);
    Handle creation = property_list(H5P_FILE_CREATE);
    check(H5Pset_obj_track_times(creation.id(), 0), "switch object times off");
    check(H5Pset_userblock(creation.id(), seal_bytes), "reserve space for the seal");
    file_ = Handle(H5Fcreate("layout", H5F_ACC_TRUNC, creation.id(), access.id()), H5Fclose, "create the file");
  }

  DatasetImage image() {
    DatasetImage image;
    create_groups();
    for (std::size_t c = 0; c < description_.columns.size(); ++c) {
      if (compressed_ != nullptr && c == compressed_->chunk_elements.size()) image.places.push_back(place_of_chunks());
      const bool is_compressed = compressed_ != nullptr && c < compressed_->chunk_elements.size();
      image.places.push_back(is_compressed ? create_compressed(description_.columns[c], compressed_->chunk_elements[c])
                                           : create_column(description_.columns[c]));
    }
    for (const LabelTable& table : description_.labels) create_labels(table);
    for (const ScalarDescription& scalar : description_.scalars) create_scalar(scalar);
    for (const auto& [path, text] : description_.texts) create_text(path, text);
    connect_scales();
    const Handle root(H5Oopen(file_.id(), "/", H5P_DEFAULT), H5Oclose, "open the root group");
    for (const Attribute& attribute : description_.attributes) write(root.id(), attribute, H5T_STD_I64LE);
    file_.close("close the file");
    image.size = memory_.size;
    for (const auto& [page, bytes] : memory_.pages)
      image.pieces[page * hdf5::MemoryFile::page_bytes].assign(bytes.begin(), bytes.end());
    return image;
  }

 private:
  void create_groups() {
    std::set<std::string> groups;
    const auto add_parent = [&](const std::string& path) {
      for (std::size_t at = path.find('/'); at != std::string::npos; at = path.find('/', at + 1))
        groups.insert(path.substr(0, at));
    };
    for (const ColumnDescription& column : description_.columns) add_parent(column.path);
    for (const LabelTable& table : description_.labels) add_parent(table.path);
    for (const ScalarDescription& scalar : description_.scalars) add_parent(scalar.path);
    for (const auto& [path, text] : description_.texts) add_parent(path);
    const Handle creation = property_list(H5P_GROUP_CREATE);
    check(H5Pset_obj_track_times(creation.id(), 0), "switch object times off");
    for (const std::string& path : groups) {
      Handle group(H5Gcreate2(file_.id(), path.c_str(), H5P_DEFAULT, creation.id(), H5P_DEFAULT), H5Gclose,
                   "create a group");
      group.close("close a group");
    }
  }

  Handle create(const std::string& path, hid_t type, const Handle& space, const Handle& creation) {
    return {H5Dcreate2(file_.id(), path.c_str(), type, space.id(), H5P_DEFAULT, creation.id(), H5P_DEFAULT), H5Dclose,
            "create a dataset"};
  }

  ColumnPlace create_column(const ColumnDescription& column) {
    const hid_t type = hdf5::element_type(column.type);
    std::vector<hsize_t> extents = {column.count};
    if (column.width != 1) extents.push_back(column.width);
    const Handle dataset = create(column.path, type, space_of(extents), column_creation());
    for (const Attribute& attribute : column.attributes) write(dataset.id(), attribute, type);
    const haddr_t offset = H5Dget_offset(dataset.id());
    if (offset == HADDR_UNDEF) hdf5::fail("find a column in the file");
    return {.path = column.path,
            .offset = offset,
            .element_bytes = column.width * size_of(column.type),
            .count = column.count,
            .extent = column.extent};
  }

  /// HDF5 notes where the chunks are; their bytes are dropped.
  ColumnPlace create_compressed(const ColumnDescription& column, std::uint64_t chunk_elements) {
    const hid_t type = hdf5::element_type(column.type);
    std::vector<hsize_t> extents = {column.count};
    std::vector<hsize_t> chunk = {chunk_elements};
    if (column.width != 1) extents.push_back(column.width);
    if (column.width != 1) chunk.push_back(column.width);
    const Handle dataset = create(column.path, type, space_of(extents), chunked_creation(chunk, compressed_->level));
    for (const Attribute& attribute : column.attributes) write(dataset.id(), attribute, type);
    const std::byte dropped{};
    memory_.fills_hole = true;
    for (hsize_t first = 0; first < column.count; first += chunk_elements) {
      const std::array<hsize_t, 2> at = {first, 0};
      const std::uint64_t bytes = compressed_->chunks[next_chunk_++].bytes;
      check(H5Dwrite_chunk(dataset.id(), H5P_DEFAULT, 0, at.data(), bytes, &dropped), "place a chunk");
    }
    memory_.fills_hole = false;
    return {.path = column.path,
            .offset = 0,
            .element_bytes = column.width * size_of(column.type),
            .count = column.count,
            .extent = column.extent};
  }

  [[nodiscard]] ColumnPlace place_of_chunks() const {
    return {.path = {},
            .offset = memory_.hole,
            .element_bytes = 1,
            .count = memory_.hole_end - memory_.hole,
            .extent = ColumnExtent::file};
  }

  void create_labels(const LabelTable& table) {
    const Handle type = hdf5::text_type();
    const hsize_t count = table.labels.size();
    const Handle dataset = create(table.path, type.id(), space_of({&count, 1}), text_creation());
    std::vector<const char*> texts;
    for (const std::string& label : table.labels) texts.push_back(label.c_str());
    check(H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data()), "write labels");
  }

  void create_scalar(const ScalarDescription& scalar) {
    if (const auto* text = std::get_if<std::string>(&scalar.value)) {
      write_attributes(create_text(scalar.path, *text), scalar.attributes, H5T_STD_I64LE);
    } else if (const auto* number = std::get_if<double>(&scalar.value)) {
      write_attributes(create_number(scalar.path, H5T_IEEE_F64LE, number), scalar.attributes, H5T_IEEE_F64LE);
    } else {
      write_attributes(create_number(scalar.path, H5T_STD_I64LE, &std::get<std::int64_t>(scalar.value)),
                       scalar.attributes, H5T_STD_I64LE);
    }
  }

  Handle create_number(const std::string& path, hid_t type, const void* value) {
    Handle dataset = create(path, type, space_of({}), text_creation());
    check(H5Dwrite(dataset.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value), "write a scalar");
    return dataset;
  }

  Handle create_text(const std::string& path, const std::string& text) {
    const Handle type = hdf5::text_type();
    const char* characters = text.c_str();
    return create_number(path, type.id(), &characters);
  }

  static void write_attributes(const Handle& object, const std::vector<Attribute>& attributes, hid_t type) {
    for (const Attribute& attribute : attributes) write(object.id(), attribute, type);
  }

  void connect_scales() {
    std::vector<hdf5::ScaledDataset> datasets;
    std::vector<std::string> scales;
    for (const ColumnDescription& column : description_.columns) datasets.push_back({column.path, column.scales});
    for (const LabelTable& table : description_.labels) scales.push_back(table.path);
    hdf5::write_dimension_scales(file_.id(), datasets, scales);
  }

  static void write(hid_t object, const char* name, hid_t type, hid_t memory_type, const Handle& space,
                    const void* data) {
    const Handle attribute(H5Acreate2(object, name, type, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                           "create an attribute");
    check(H5Awrite(attribute.id(), memory_type, data), "write an attribute");
  }

  static void write(hid_t object, const Attribute& attribute, hid_t column_type) {
    const char* name = attribute.name.c_str();
    const bool as_column = attribute.name == "_FillValue" || attribute.name == "flag_values";
    std::visit(
        [&](const auto& value) {
          using Value = std::decay_t<decltype(value)>;
          if constexpr (std::is_same_v<Value, std::string>) {
            const Handle type = hdf5::text_type();
            const char* text = value.c_str();
            write(object, name, type.id(), type.id(), space_of({}), &text);
          } else if constexpr (std::is_same_v<Value, double>) {
            write(object, name, as_column ? column_type : H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, space_of({}), &value);
          } else if constexpr (std::is_same_v<Value, std::int64_t>) {
            write(object, name, as_column ? column_type : H5T_STD_I64LE, H5T_NATIVE_INT64, space_of({}), &value);
          } else if constexpr (std::is_same_v<Value, std::vector<std::int64_t>>) {
            const hsize_t count = value.size();
            write(object, name, as_column ? column_type : H5T_STD_I64LE, H5T_NATIVE_INT64, space_of({&count, 1}),
                  value.data());
          } else {
            const Handle type = hdf5::text_type();
            const hsize_t count = value.size();
            std::vector<const char*> texts;
            for (const std::string& text : value) texts.push_back(text.c_str());
            write(object, name, type.id(), type.id(), space_of({&count, 1}), texts.data());
          }
        },
        attribute.value);
  }

  const DatasetDescription& description_;
  const CompressedLayout* compressed_;
  std::size_t next_chunk_ = 0;
  hdf5::MemoryFile memory_;  // must outlive the driver and the file below
  Handle driver_;
  Handle file_;
};

}  // namespace

DatasetImage lay_out_dataset(const DatasetDescription& description) {
  const hdf5::Quiet quiet;
  return Layout(description, nullptr).image();
}

DatasetImage lay_out_compressed(const DatasetDescription& description, const CompressedLayout& layout) {
  const hdf5::Quiet quiet;
  return Layout(description, &layout).image();
}

}  // namespace dfsweep
