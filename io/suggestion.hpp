/// Suggestions for mistyped names, by edit distance.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dfsweep {

/// Fewest insertions, deletions, replacements and swaps of neighbours that turn `a` into `b` (letters of either case
/// are equal; '_' and '-' are equal).
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The name nearest to `name`, if near enough to be meant (a third of its length at most); ties: the first. Empty if
/// none.
[[nodiscard]] std::string nearest(std::string_view name, std::span<const std::string> names);

/// Names with words that are nearer to `name` than any whole name is: "llama3" stands for "llama3-8b", "h100" for
/// "dgx-h100". A quarter of its letters may differ. In the order of `names`; words end at '-', '_', '/', '.', ':', and
/// where digits begin or end.
[[nodiscard]] std::vector<std::string> names_with_part(std::string_view name, std::span<const std::string> names);

/// "Did you mean 'h100'?", with several names "Did you mean one of a, b?", or else `otherwise`.
[[nodiscard]] std::string did_you_mean(std::string_view name, std::span<const std::string> names,
                                       std::string_view otherwise = {});

/// "a, b, c", at most `most` of them and then how many more.
[[nodiscard]] std::string listed(std::span<const std::string> names, std::size_t most = 12);

}  // namespace dfsweep
