/// Compression: writes the compressed form of a complete result beside it, for publication.
#pragma once

#include "engine/parallel/communicator.hpp"
#include "engine/store/run_directory.hpp"
#include "io/file_system.hpp"

namespace dfsweep::store {

/// Collective. Writes result.compressing.h5, sealed and durable, from result.partial.h5: all ranks compress chunks with
/// `threads` threads each, rank 0 writes them. The bytes depend on the values and the level alone, not on ranks and
/// threads. Where that fails on rank 0, the file is removed. Pre: record.compression_level is set, and
/// result.partial.h5 has the checksums of the values in their table; they are copied and not compared. Throws IoError,
/// BadDataset.
void write_compressed(FileSystem& files, const RunDirectory& directory, const RunRecord& record, Communicator& ranks,
                      unsigned threads);

}  // namespace dfsweep::store
