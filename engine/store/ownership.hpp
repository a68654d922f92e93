/// Whose files a folder holds: what a run may restore and write there.
#pragma once

#include <string>
#include <string_view>

#include "engine/store/run_directory.hpp"
#include "io/file_system.hpp"

namespace dfsweep::store {

/// Whether a folder with this plan.json was made by dfsweep: the text says so, it has journals, or the text is no
/// document of another program and nothing in the folder has another name than the files of a run.
[[nodiscard]] bool is_run_of_ours(FileSystem& files, const RunDirectory& directory, std::string_view plan);

/// The message for a folder that is not.
[[nodiscard]] std::string not_ours(const RunDirectory& directory);

/// Throws ForeignRun if a file that a run writes, or the folder of its journals, is a symbolic link: another user may
/// have put it there.
void refuse_links(FileSystem& files, const RunDirectory& directory);

}  // namespace dfsweep::store
