/// The picture of `explain --drawing`: a mapping or a timeline, written to a file.
#include "engine/commands/explain_parts.hpp"

#include <fmt/format.h>

#include <span>

#include "engine/console/usage_error.hpp"
#include "engine/rendering/drawing.hpp"
#include "io/atomic_file.hpp"

namespace dfsweep {
namespace {

template <class DrawingKind>
DrawingKind titled(DrawingKind drawing, const std::string& title) {
  drawing.title = title;
  return drawing;
}

std::string picture(const std::filesystem::path& file, const Explanation& explanation, const std::string& title) {
  const bool is_svg = file.extension() == ".svg";
  if (explanation.drawing) {
    const Drawing drawing = titled(*explanation.drawing, title);
    return is_svg ? drawing_svg(drawing) : drawing_dot(drawing);
  }
  if (!explanation.timeline)
    throw UsageError(fmt::format(
        "--drawing '{}': this point has neither a mapping nor a timeline to draw, or a timeline of too many tasks.",
        file.string()));
  if (!is_svg)
    throw UsageError(fmt::format("--drawing '{}': a timeline is drawn as SVG only. Name a file .svg.", file.string()));
  return timeline_svg(titled(*explanation.timeline, title + explanation.timeline->title));
}

}  // namespace

void check_drawing_name(const std::filesystem::path& file) {
  if (!file.empty() && file.extension() != ".svg" && file.extension() != ".dot")
    throw UsageError(fmt::format("--drawing '{}': the file name must end with .svg or .dot.", file.string()));
}

void write_drawing(const std::filesystem::path& file, const Explanation& explanation, const std::string& title) {
  write_user_file(file, picture(file, explanation, title));
}

}  // namespace dfsweep
