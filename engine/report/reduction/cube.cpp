#include "engine/report/reduction/cube.hpp"

#include "models/expect.hpp"

namespace dfsweep::report {

void Cube::join(const Cube& other) {
  DFSWEEP_EXPECT(cells_ == other.cells_ && statuses_ == other.statuses_ && objectives_ == other.objectives_);
  for (const std::uint32_t cell : other.touched_) {
    touch(cell);
    for (std::size_t s = 0; s < statuses_; ++s) counts_[s * cells_ + cell] += other.counts_[s * cells_ + cell];
    for (std::size_t o = 0; o < objectives_; ++o) {
      const BestRow& best = other.best_[o * cells_ + cell];
      best_[o * cells_ + cell].offer(best.cost, best.row);
    }
  }
}

void Cube::clear() {
  for (const std::uint32_t cell : touched_) {
    is_touched_[cell] = 0;
    for (std::size_t s = 0; s < statuses_; ++s) counts_[s * cells_ + cell] = 0;
    for (std::size_t o = 0; o < objectives_; ++o) best_[o * cells_ + cell] = {};
  }
  touched_.clear();
}

Cube Cube::without_last_axis(std::size_t size) const {
  DFSWEEP_EXPECT(size != 0 && cells_ % size == 0);
  Cube smaller(cells_ / size, statuses_, objectives_);
  for (const std::uint32_t cell : touched_) {
    const std::size_t to = cell / size;
    smaller.touch(to);
    for (std::size_t s = 0; s < statuses_; ++s) smaller.counts_[s * smaller.cells_ + to] += counts_[s * cells_ + cell];
    for (std::size_t o = 0; o < objectives_; ++o) {
      const BestRow& best = best_[o * cells_ + cell];
      smaller.best_[o * smaller.cells_ + to].offer(best.cost, best.row);
    }
  }
  return smaller;
}

}  // namespace dfsweep::report
