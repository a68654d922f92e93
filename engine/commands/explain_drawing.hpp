/// The picture of `explain --drawing`: a mapping or a timeline, written to a file.
#pragma once

#include <filesystem>
#include <string>

#include "models/explanation.hpp"

namespace dfsweep {

/// Throws UsageError where the name ends neither with .svg nor with .dot. An empty one means no picture.
void check_drawing_name(const std::filesystem::path& file);

/// Writes what the explanation draws. Throws UsageError where it draws nothing, or nothing in that format.
/// Pre: check_drawing_name() accepts the name, which is not empty.
void write_drawing(const std::filesystem::path& file, const Explanation& explanation, const std::string& title);

}  // namespace dfsweep
