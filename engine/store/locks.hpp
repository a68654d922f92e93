/// Locks of a run directory: of its parts, and of the directory while it is created or published.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/store/part.hpp"
#include "engine/store/run_directory.hpp"
#include "io/file_system.hpp"

namespace dfsweep::store {

/// Waits while another process creates or publishes this directory. Throws NotReady after a minute, naming the holder.
[[nodiscard]] std::unique_ptr<File> lock_directory(FileSystem& files, const RunDirectory& directory);

/// Takes the lock of a part. Throws NotReady, naming the holder, if another process has it.
[[nodiscard]] std::unique_ptr<File> lock_part(FileSystem& files, const RunDirectory& directory, Part part);

/// "part-2-of-3", counted from 1 as on the command line.
[[nodiscard]] std::string name_of(Part part);

/// The holder of the first lock of a part that is taken, among those whose file name `is_of_interest`; "" if all are
/// free.
[[nodiscard]] std::string working_part(FileSystem& files, const RunDirectory& directory,
                                       const std::function<bool(const std::string&)>& is_of_interest);

}  // namespace dfsweep::store
