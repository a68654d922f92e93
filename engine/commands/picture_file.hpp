/// Picture files of the command line: SVG as it is drawn, or PNG, which rsvg-convert makes of it.
#pragma once

#include <filesystem>
#include <string_view>

namespace dfsweep {

enum class PictureFormat { svg, png };

/// The format that the name of a file asks for; svg for every other ending than .png.
[[nodiscard]] PictureFormat picture_format(const std::filesystem::path& file);

/// The file with the ending of the format.
[[nodiscard]] std::filesystem::path with_ending(std::filesystem::path file, PictureFormat format);

/// Throws UsageError where pictures of this format cannot be made: PNG needs the program rsvg-convert. To be called
/// before the work whose result is drawn. `option`: that asked for it, for the message.
void check_picture_format(std::string_view option, PictureFormat format);

/// The same for a file that an option names, which must end with .svg or .png. An empty name passes.
void check_picture_name(std::string_view option, const std::filesystem::path& file);

/// Writes a picture in the format that the name of the file asks for. A PNG has two pixels for each unit of the SVG,
/// on white. Throws IoError, and UsageError where rsvg-convert fails.
void write_picture(const std::filesystem::path& file, std::string_view svg);

}  // namespace dfsweep
