#include "engine/commands/picture_file.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "engine/console/output.hpp"
#include "engine/console/usage_error.hpp"
#include "io/atomic_file.hpp"
#include "io/external_program.hpp"
#include "io/file_system.hpp"

namespace dfsweep {
namespace {

/// Prints the PNG of an SVG on its standard input.
const std::vector<std::string> converter = {"rsvg-convert",       "--format", "png", "--zoom", "2",
                                            "--background-color", "white"};

bool can_convert() {
  try {
    return run_external({converter.front(), "--version"}, "").status == 0;
  } catch (const IoError&) {
    return false;
  }
}

}  // namespace

PictureFormat picture_format(const std::filesystem::path& file) {
  return file.extension() == ".png" ? PictureFormat::png : PictureFormat::svg;
}

std::filesystem::path with_ending(std::filesystem::path file, PictureFormat format) {
  return file.replace_extension(format == PictureFormat::png ? ".png" : ".svg");
}

void check_picture_format(std::string_view option, PictureFormat format) {
  if (format == PictureFormat::png && !can_convert())
    throw UsageError(fmt::format(
        "{}: PNG needs the program '{}', which is not on the PATH (Debian package librsvg2-bin). Ask for SVG, or "
        "install it.",
        option, converter.front()));
}

void check_picture_name(std::string_view option, const std::filesystem::path& file) {
  if (file.empty()) return;
  if (file.extension() != ".svg" && file.extension() != ".png")
    throw UsageError(
        fmt::format("{} '{}': the file name must end with .svg or .png.", option, printable(file.string())));
  check_picture_format(option, picture_format(file));
}

void write_picture(const std::filesystem::path& file, std::string_view svg) {
  if (picture_format(file) == PictureFormat::svg) return write_user_file(file, svg);
  const ExternalResult png = run_external(converter, svg);
  if (png.status != 0)
    throw UsageError(fmt::format("{}: '{}' ended with status {}. Write .svg instead.", printable(file.string()),
                                 converter.front(), png.status));
  write_user_file(file, png.out);
}

}  // namespace dfsweep
