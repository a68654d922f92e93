/// Opening a run directory: making it, recognising it, and repairing what can be repaired without evaluating.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/plan/plan.hpp"
#include "engine/store/part.hpp"
#include "engine/store/run_directory.hpp"
#include "io/file_system.hpp"

namespace dfsweep::store {

/// Waits until no other process makes or publishes this directory. Throws NotReady after a minute, naming the holder.
[[nodiscard]] std::unique_ptr<File> lock_directory(FileSystem& files, const RunDirectory& directory);

/// Takes the lock of a part. Throws NotReady naming the holder if another process has it.
[[nodiscard]] std::unique_ptr<File> lock_part(FileSystem& files, const RunDirectory& directory, Part part);

/// "part-2-of-3", counted from 1 as on the command line.
[[nodiscard]] std::string name_of(Part part);

enum class DirectoryState : std::uint8_t { writable, published };

struct OpenedDirectory {
  DirectoryState state = DirectoryState::writable;
  RunRecord record;
  std::vector<std::string> notes;
};

/// Makes the directory ready for this plan: new, resumed, or published. Pre: the lock of the directory is held.
[[nodiscard]] OpenedDirectory open_directory(FileSystem& files, const RunDirectory& directory, const Plan& plan);

/// Removes the files of a run, and no others. Throws NotReady if a part is running, ForeignRun where the directory is
/// not ours.
void remove_run(FileSystem& files, const RunDirectory& directory, Part own_part);

}  // namespace dfsweep::store
