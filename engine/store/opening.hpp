/// Opens a run directory: creates it or checks that it belongs to the plan, and repairs what needs no evaluation.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/plan/plan.hpp"
#include "engine/store/part.hpp"
#include "engine/store/run_directory.hpp"
#include "io/file_system.hpp"

namespace dfsweep::store {

enum class DirectoryState : std::uint8_t { writable, published };

/// Whether a run may replace the published result of another sweep, because it takes rows from it.
struct Succession {
  bool is_allowed = false;  ///< that result is renamed to result.former.h5, which stays until the new one is published
  std::string obstacle;     ///< why it is not allowed, for the message
};

struct OpenedDirectory {
  DirectoryState state = DirectoryState::writable;
  RunRecord record;
  std::vector<std::string> notes;
  std::uint64_t reserved = 0;  ///< bytes of the file, from its start, whose space is known to be reserved
};

/// Prepares the directory for this plan: creates it, resumes it, or finds it published. Pre: the caller holds the locks
/// of the part and of the directory.
///
/// The first run with --part writes the number of parts to plan.json. Throws UsageError if `part` belongs to another
/// number of parts, because blocks would be left out, and NotReady while a run of another number of parts is working.
/// A whole run evaluates all that is missing, also of a run that was divided into parts. A published result of another
/// sweep is set aside if `succession` allows it.
[[nodiscard]] OpenedDirectory open_directory(FileSystem& files, const RunDirectory& directory, const Plan& plan,
                                             Part part, const Succession& succession = {});

/// Removes the files of a run and no others. Throws NotReady if a part is running, ForeignRun if it is not a run
/// directory.
void remove_run(FileSystem& files, const RunDirectory& directory, Part own_part);

}  // namespace dfsweep::store
