/// Suggestions for mistyped names, by edit distance.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dfsweep {

/// Least number of insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`. Ignores case;
/// '_' equals '-'.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The nearest of `names`, at most a third of the letters of `name` away; of equally near ones the first. Empty if
/// there is none.
[[nodiscard]] std::string nearest(std::string_view name, std::span<const std::string> names);

/// Names of which a part matches `name` better than any whole name does: "llama3" matches "llama3-8b", "h100" matches
/// "dgx-h100". A quarter of the letters may differ. In the order of `names`; words end at '-', '_', '/', '.', ':', and
/// between letters and digits.
[[nodiscard]] std::vector<std::string> names_with_part(std::string_view name, std::span<const std::string> names);

/// "Did you mean 'h100'?", with several names "Did you mean one of a, b?", or else `otherwise`.
[[nodiscard]] std::string did_you_mean(std::string_view name, std::span<const std::string> names,
                                       std::string_view otherwise = {});

/// "a, b, c and 4 more": at most `most` names are written.
[[nodiscard]] std::string listed(std::span<const std::string> names, std::size_t most = 12);

}  // namespace dfsweep
