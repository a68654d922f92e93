#include "engine/merging/common_order.hpp"

#include <algorithm>
#include <numeric>
#include <queue>

namespace dfsweep {

std::vector<std::size_t> common_order(std::size_t count, std::span<const std::vector<std::size_t>> lists,
                                      const std::function<bool(std::size_t, std::size_t)>& comes_before) {
  std::vector<std::vector<std::size_t>> followers(count);
  std::vector<std::size_t> waits_for(count, 0);
  for (const std::vector<std::size_t>& list : lists)
    for (std::size_t i = 1; i < list.size(); ++i) {
      followers[list[i - 1]].push_back(list[i]);
      ++waits_for[list[i]];
    }
  const auto comes_after = [&](std::size_t a, std::size_t b) { return comes_before(b, a); };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(comes_after)> next(comes_after);
  for (std::size_t member = 0; member < count; ++member)
    if (waits_for[member] == 0) next.push(member);
  std::vector<std::size_t> order;
  order.reserve(count);
  while (!next.empty()) {
    order.push_back(next.top());
    next.pop();
    for (const std::size_t follower : followers[order.back()])
      if (--waits_for[follower] == 0) next.push(follower);
  }
  if (order.size() == count) return order;
  order.resize(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), comes_before);
  return order;
}

}  // namespace dfsweep
