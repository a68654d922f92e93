/// Element types of columns as HDF5 types, and the extents of datasets.
#pragma once

#include "io/dataset.hpp"
#include "io/hdf5/handle.hpp"

namespace dfsweep::hdf5 {

/// The type in the file and in memory alike (little-endian processors only); owned by the library, never closed.
[[nodiscard]] hid_t element_type(ElementType type);

/// Variable-length UTF-8 text.
[[nodiscard]] Handle text_type();

/// Sizes of the dimensions; empty for a scalar.
[[nodiscard]] std::vector<hsize_t> extents_of(const Handle& space);

}  // namespace dfsweep::hdf5
