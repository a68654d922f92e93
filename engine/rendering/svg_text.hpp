/// Text and numbers in SVG: text width, truncation to a width, coordinates.
#pragma once

#include <string>
#include <string_view>

namespace dfsweep {

/// Estimated upper bound of the width of a text in pixels. `character`: width of one character.
[[nodiscard]] double text_width(std::string_view text, double character);

/// `text` truncated to `width` pixels, with an ellipsis if it was truncated; escaped for XML.
[[nodiscard]] std::string fitted_text(std::string_view text, double width, double character);

/// A coordinate, rounded to a tenth of a pixel: "12.5".
[[nodiscard]] std::string pixels(double value);

}  // namespace dfsweep
