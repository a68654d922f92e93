/// The picture of `explain --drawing`: a mapping or a timeline, written to a file.
#include "engine/commands/explain_parts.hpp"

#include <fmt/format.h>

#include <span>

#include "engine/commands/picture_file.hpp"
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
  const bool is_dot = file.extension() == ".dot";
  if (explanation.drawing) {
    const Drawing drawing = titled(*explanation.drawing, title);
    return is_dot ? drawing_dot(drawing) : drawing_svg(drawing);
  }
  if (!explanation.timeline)
    throw UsageError(fmt::format(
        "--drawing '{}': this point has neither a mapping nor a timeline to draw, or a timeline of too many tasks.",
        file.string()));
  if (is_dot)
    throw UsageError(
        fmt::format("--drawing '{}': a timeline is drawn as SVG or PNG. Name a file .svg or .png.", file.string()));
  return timeline_svg(titled(*explanation.timeline, title + explanation.timeline->title));
}

}  // namespace

void check_drawing_name(const std::filesystem::path& file) {
  if (file.empty() || file.extension() == ".dot") return;
  if (file.extension() != ".svg" && file.extension() != ".png")
    throw UsageError(fmt::format("--drawing '{}': the file name must end with .svg, .png or .dot.", file.string()));
  check_picture_format("--drawing", picture_format(file));
}

void write_drawing(const std::filesystem::path& file, const Explanation& explanation, const std::string& title) {
  const std::string text = picture(file, explanation, title);
  if (file.extension() == ".dot")
    write_user_file(file, text);
  else
    write_picture(file, text);
}

}  // namespace dfsweep
