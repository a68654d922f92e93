/// Common order: one order of the members of several lists, which does not depend on the order of the lists.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace dfsweep {

/// The members 0 ... count - 1, each as early as the lists allow: a member follows those before it in any list, and of
/// those that may come next the first by `comes_before` does. Where lists contradict each other, all are in the order
/// of `comes_before`. Pre: a list has no member twice; `comes_before` is a strict order of all members.
[[nodiscard]] std::vector<std::size_t> common_order(std::size_t count, std::span<const std::vector<std::size_t>> lists,
                                                    const std::function<bool(std::size_t, std::size_t)>& comes_before);

}  // namespace dfsweep
