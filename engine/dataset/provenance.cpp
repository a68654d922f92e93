#include "engine/dataset/provenance.hpp"

#include <fmt/core.h>

#include "engine/console/build_info.hpp"
#include "engine/sweep/resolved_text.hpp"

namespace dfsweep {

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
