/// Reading of sweep files: from text to a SweepSpec, with every problem at its place.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "engine/sweep/sweep.hpp"

namespace dfsweep {

/// Reads and resolves a sweep file; a path "-" is standard input. Throws UserError with every problem found, IoError if
/// there is no such file.
[[nodiscard]] SweepSpec read_sweep(const std::filesystem::path& path, const SweepReading& reading);

/// The same from its text; messages name `source`, and paths in it are relative to `base`.
[[nodiscard]] SweepSpec read_sweep_text(std::string_view text, const std::string& source,
                                        const std::filesystem::path& base, const SweepReading& reading);

}  // namespace dfsweep
