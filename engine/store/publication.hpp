/// Publication: the verified dataset gets its checksum table and its final name. Needs the run directory alone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "engine/parallel/communicator.hpp"
#include "engine/plan/plan.hpp"
#include "io/file_system.hpp"

namespace dfsweep::store {

enum class Completeness : std::uint8_t {
  whole,    ///< refuse while blocks are missing
  partial,  ///< write result.incomplete.h5 beside the run, missing rows with status `missing`; the run can go on
};

enum class PublishOutcome : std::uint8_t {
  published,   ///< result.h5 (or, asked for, result.incomplete.h5) exists and every block of it verified
  unfinished,  ///< blocks are missing; nothing was changed
  damaged,     ///< some blocks or the frame did not verify: damage.journal says so, and the next run repairs them
};

struct PublishReport {
  PublishOutcome outcome = PublishOutcome::unfinished;
  std::filesystem::path file;  ///< what was written or found; empty if nothing was
  std::uint64_t rows = 0;
  std::uint64_t verified_bytes = 0;
  std::uint32_t missing_blocks = 0;
  std::vector<BlockId> damaged;   ///< stored blocks, ascending
  bool is_frame_damaged = false;  ///< something outside the columns, the checksum table, or the seal
};

/// Collective over all ranks of `ranks`; every rank gets the same report. Re-reads every block through `files` with
/// `threads` threads per rank, also if the directory is published already. Throws ForeignRun, NotReady, IoError.
[[nodiscard]] PublishReport publish(FileSystem& files, const std::filesystem::path& directory, Communicator& ranks,
                                    std::uint32_t threads, Completeness completeness = Completeness::whole);

}  // namespace dfsweep::store
