#include "engine/console/build_info.hpp"

#include <fmt/core.h>

#include "build_commit.hpp"

namespace dfsweep {

std::string_view program_version() {
  return DFSWEEP_VERSION;
}
std::string_view program_commit() {
  return DFSWEEP_COMMIT;
}
std::string_view source_data_folder() {
  return DFSWEEP_SOURCE_DATA_DIR;
}

std::filesystem::path installed_data_folder() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return {};
  std::filesystem::path folder = program.parent_path().parent_path() / "share" / "dfsweep";
  return std::filesystem::is_directory(folder / "catalogue", error) ? folder : std::filesystem::path();
}

std::string build_text() {
  return fmt::format("program = dfsweep {}\ncommit = {}\ncompiler = {}\nflags = {}\nbuild_type = {}\n",
                     program_version(), program_commit(), DFSWEEP_COMPILER, DFSWEEP_FLAGS, DFSWEEP_BUILD_TYPE);
}

}  // namespace dfsweep
