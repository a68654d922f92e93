#include "engine/provenance.hpp"

#include <fmt/core.h>

#include "build_commit.hpp"

namespace dfsweep {

std::string_view program_version() {
  return DFSWEEP_VERSION;
}
std::string_view program_commit() {
  return DFSWEEP_COMMIT;
}

std::string build_text() {
  return fmt::format("program = dfsweep {}\ncommit = {}\ncompiler = {}\nflags = {}\nbuild_type = {}\n",
                     program_version(), program_commit(), DFSWEEP_COMPILER, DFSWEEP_FLAGS, DFSWEEP_BUILD_TYPE);
}

std::vector<std::pair<std::string, std::string>> provenance_texts(const SweepSpec& spec) {
  std::string inputs;
  std::string catalogue;
  for (const InputFile& input : spec.inputs) {
    inputs += fmt::format("{} {}\n", input.checksum, input.name);
    if (!input.text.empty()) catalogue += fmt::format("# {}\n{}\n", input.name, input.text);
  }
  std::string overridden;
  for (const std::string& field : spec.overridden) overridden += field + "\n";
  return {{"provenance/sweep", resolved_text(spec)},
          {"provenance/inputs", inputs},
          {"provenance/catalogue", catalogue},
          {"provenance/overridden", overridden},
          {"provenance/build", build_text()}};
}

}  // namespace dfsweep
