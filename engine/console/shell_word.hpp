/// Words as a shell reads them.
#pragma once

#include <string>
#include <string_view>

namespace dfsweep {

/// Text that a shell reads as the one word `word`, whatever it contains: it's is 'it'\''s'. Pre: no null character.
[[nodiscard]] std::string shell_word(std::string_view word);

}  // namespace dfsweep
