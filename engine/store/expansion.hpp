/// Expansion: the file of a run from its compressed result, in which blocks are to be repaired.
#pragma once

#include "engine/store/run_directory.hpp"
#include "io/file_system.hpp"

namespace dfsweep::store {

/// Fills the columns of `file`, which has the frame of the run, from result.h5. Blocks that do not have the checksums
/// of the journals are recorded as damaged. Pre: the run is published and compressed. Throws IoError.
void expand_result(FileSystem& files, const RunDirectory& directory, const RunRecord& record, File& file);

}  // namespace dfsweep::store
