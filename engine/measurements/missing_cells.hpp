/// Words that stand in a cell where a number was not obtained.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dfsweep {

enum class MissingCell : std::uint8_t {
  not_given,  ///< empty, "n/a", "null" or the like
  no_result,  ///< the run gave no number: "OOM", "diverged"
};

/// What such a word means, in any case and with blanks around it; nothing for other texts.
[[nodiscard]] std::optional<MissingCell> missing_cell(std::string_view text);

/// The text without blanks and tabs around it.
[[nodiscard]] std::string_view bare_text(std::string_view text);

}  // namespace dfsweep
