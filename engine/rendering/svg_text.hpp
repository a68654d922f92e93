/// Text and numbers inside SVG: how wide text is, text cut to a width, coordinates.
#pragma once

#include <string>
#include <string_view>

namespace dfsweep {

/// Pixels that a text takes at most, for letters of common width. `character`: pixels of one character.
[[nodiscard]] double text_width(std::string_view text, double character);

/// The first characters that fit into `width` pixels, escaped for XML, with an ellipsis where that is not all.
[[nodiscard]] std::string fitted_text(std::string_view text, double width, double character);

/// A coordinate, rounded to a tenth of a pixel: "12.5".
[[nodiscard]] std::string pixels(double value);

}  // namespace dfsweep
