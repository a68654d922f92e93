/// ExpectedDataset: what the file of an unfinished run must hold, so that it can be compared before HDF5 parses it.
#pragma once

#include <cstdint>
#include <vector>

#include "io/column_source.hpp"
#include "io/seal.hpp"

namespace dfsweep {

/// What the bytes of the file of an unfinished run must be, from its plan and its journals.
struct ExpectedDataset {
  std::uint64_t file_size = 0;
  Checksum frame;
  std::vector<ColumnPlace> places;  ///< in file order, those that blocks fill first
  BlockChecksums complete;          ///< rows outside these blocks hold no meaning
};

}  // namespace dfsweep
