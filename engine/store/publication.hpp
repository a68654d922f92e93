/// Publication: verifies the dataset, writes checksum table and seal, and renames it. Needs only the run directory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "engine/parallel/communicator.hpp"
#include "engine/plan/plan.hpp"
#include "io/file_system.hpp"

namespace dfsweep::store {

enum class Completeness : std::uint8_t {
  whole,    ///< do nothing if blocks are missing
  partial,  ///< write result.incomplete.h5, missing rows with status `missing`; the run can be resumed
};

enum class PublishOutcome : std::uint8_t {
  published,   ///< result.h5 (or, if requested, result.incomplete.h5) exists and is verified
  unfinished,  ///< blocks are missing; nothing was changed
  damaged,     ///< blocks or the frame failed verification: recorded in damage.journal, repaired by the next run
};

struct PublishReport {
  PublishOutcome outcome = PublishOutcome::unfinished;
  std::filesystem::path file;  ///< the published file; empty if there is none
  std::uint64_t rows = 0;
  std::uint64_t verified_bytes = 0;
  std::uint32_t missing_blocks = 0;
  std::vector<BlockId> damaged;   ///< stored blocks, ascending
  bool is_frame_damaged = false;  ///< damage outside the columns, or of the checksum table or the seal
};

/// Collective; every rank gets the same report. Reads and verifies every block with `threads` threads per rank, also if
/// the result was published before. Throws ForeignRun, NotReady, IoError.
[[nodiscard]] PublishReport publish(FileSystem& files, const std::filesystem::path& directory, Communicator& ranks,
                                    std::uint32_t threads, Completeness completeness = Completeness::whole);

}  // namespace dfsweep::store
