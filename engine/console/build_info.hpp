/// Build info: version, commit, compiler and flags of this program, and the folders of its data.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace dfsweep {

[[nodiscard]] std::string_view program_version();
[[nodiscard]] std::string_view program_commit();
/// Folder of the catalogue and the studies in the source tree, for a program that is not installed.
[[nodiscard]] std::string_view source_data_folder();
/// Folder of the catalogue, the studies and the jobs of an installed program; empty if it is not installed.
[[nodiscard]] std::filesystem::path installed_data_folder();
/// Version, commit, compiler and flags, one "key = value" per line.
[[nodiscard]] std::string build_text();

}  // namespace dfsweep
