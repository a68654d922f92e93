#include "models/training/walk/part_run.hpp"

#include <algorithm>

#include "models/all_equal.hpp"

namespace dfsweep::training {

PartRun::PartRun(const PartSpaces& spaces) : spaces_(&spaces), varies_(spaces.columns()) {
  for (const Part part : all_of<Part>)
    numbers_[part].is_countable = spaces.size(part) < std::numeric_limits<std::uint64_t>::max();
}

bool PartRun::note_changes(std::span<const std::uint32_t> codes, Parts parts, std::size_t count) {
  if (parts == 0 || all_equal(codes)) return false;
  for (std::size_t k = 1; k < count; ++k) changes_[k] |= codes[k] != codes[k - 1] ? parts : Parts{0};
  return true;
}

std::size_t PartRun::start(const PointColumns& points, std::size_t first) {
  first_ = first;
  const std::size_t count = std::min(walk_run, points.count() - first);
  changes_.fill(Parts{0});
  for (std::size_t column = 0; column < varies_.size(); ++column) {
    const auto codes = points.column(column).subspan(first, count);
    varies_[column] = note_changes(codes, spaces_->decided_by(column), count) ? 1 : 0;
  }
  changes_[0] = all_parts;
  for (const Part part : all_of<Part>) {
    Numbers& numbers = numbers_[part];
    numbers.constant = 0;
    numbers.varying.clear();
    for (const auto& [column, weight] : spaces_->weights(part)) {
      const std::uint32_t* const codes = points.column(column).data() + first;
      if (varies_[column] != 0)
        numbers.varying.push_back({codes, weight});
      else
        numbers.constant += weight * codes[0];
    }
  }
  return count;
}

}  // namespace dfsweep::training
