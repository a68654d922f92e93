#include "engine/report/reduction/front.hpp"

#include <algorithm>

namespace dfsweep::report {

bool Front::is_beaten(const FrontMember& member) const {
  auto next = std::upper_bound(steps_.begin(), steps_.end(), member.x,
                               [](double x, const FrontMember& step) { return x < step.x; });
  if (next == steps_.begin()) return false;
  const FrontMember& step = *std::prev(next);
  return step.y < member.y || (step.y == member.y && (step.x < member.x || step.row < member.row));
}

void Front::settle() {
  if (waiting_.empty()) return;
  std::sort(waiting_.begin(), waiting_.end());
  const auto middle = static_cast<std::ptrdiff_t>(steps_.size());
  steps_.insert(steps_.end(), waiting_.begin(), waiting_.end());
  std::inplace_merge(steps_.begin(), steps_.begin() + middle, steps_.end());
  waiting_.clear();
  std::size_t kept = 0;
  for (const FrontMember& member : steps_)
    if (kept == 0 || member.y < steps_[kept - 1].y) steps_[kept++] = member;
  steps_.resize(kept);
}

void Front::thin(std::size_t most) {
  const std::size_t size = steps_.size();
  if (size <= most) return;
  for (std::size_t i = 0; i < most; ++i) steps_[i] = steps_[i * (size - 1) / (most - 1)];
  steps_.resize(most);
}

}  // namespace dfsweep::report
