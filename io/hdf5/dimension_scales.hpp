/// Dimension scales (HDF5 Dimension Scale Specification): datasets that label the elements of a dimension.
///
/// The attributes are written here and not by the H5DS functions of the library: those leave the padding of
/// REFERENCE_LIST undefined, but the same description must give the same bytes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "io/hdf5/handle.hpp"

namespace dfsweep::hdf5 {

/// Dataset `path` has these scales, one per dimension.
struct ScaledDataset {
  std::string path;
  std::vector<std::string> scales;
};

/// Marks every dataset that is named as a scale, and every dataset of `more_scales`, as a dimension scale, and attaches
/// the scales to the other datasets. A dataset that names itself is only marked. Throws Failure.
void write_dimension_scales(hid_t file, const std::vector<ScaledDataset>& datasets,
                            const std::vector<std::string>& more_scales);

}  // namespace dfsweep::hdf5
