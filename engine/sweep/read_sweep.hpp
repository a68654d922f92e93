/// Reads sweep files: text to SweepSpec; all problems have positions.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "engine/sweep/sweep.hpp"

namespace dfsweep {

/// Reads and resolves a sweep file; "-" is standard input. Throws UserError with all problems, IoError if there is no
/// such file.
[[nodiscard]] SweepSpec read_sweep(const std::filesystem::path& path, const SweepReading& reading);

/// The same from a text; messages name `source`, paths in the text are relative to `base`.
[[nodiscard]] SweepSpec read_sweep_text(std::string_view text, const std::string& source,
                                        const std::filesystem::path& base, const SweepReading& reading);

}  // namespace dfsweep
