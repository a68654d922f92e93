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

std::string build_text() {
  return fmt::format("program = dfsweep {}\ncommit = {}\ncompiler = {}\nflags = {}\nbuild_type = {}\n",
                     program_version(), program_commit(), DFSWEEP_COMPILER, DFSWEEP_FLAGS, DFSWEEP_BUILD_TYPE);
}

}  // namespace dfsweep
