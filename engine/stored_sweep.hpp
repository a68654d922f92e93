/// The sweep that a result file was made from, read back from the texts it carries.
#pragma once

#include "engine/sweep_spec.hpp"
#include "io/dataset_reader.hpp"

namespace dfsweep {

/// Resolved against the catalogue entries stored in the file, not against today's catalogue. Files that are stored by
/// checksum only (point lists, measured tables) are read where the sweep names them, relative to the working folder;
/// throws UserError where they are not there, BadDataset where the texts of the file are damaged.
[[nodiscard]] SweepSpec stored_sweep(const DatasetReader& file);

}  // namespace dfsweep
