/// Provenance: what a result came from, as texts of the file: the sweep, its inputs, and the build of the program.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/sweep/sweep.hpp"

namespace dfsweep {

/// Path and text of everything under /provenance but the checksums: sweep, inputs (checksum and name of each, one per
/// line), catalogue (the entries used, whole) and build.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> provenance_texts(const SweepSpec& spec);

}  // namespace dfsweep
