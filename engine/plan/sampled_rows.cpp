#include "engine/plan/sampled_rows.hpp"

#include <algorithm>

#include "engine/plan/drawing.hpp"

namespace dfsweep {

namespace {

std::vector<std::size_t> axes_but(const SweepSpec& spec, const std::vector<std::size_t>& strata) {
  std::vector<std::size_t> axes;
  for (std::size_t a = 0; a < spec.axes.size(); ++a)
    if (std::find(strata.begin(), strata.end(), a) == strata.end()) axes.push_back(a);
  return axes;
}

}  // namespace

SampledPoints::SampledPoints(const SweepSpec& spec, std::vector<FilterEffect>& effects) : spec_(&spec) {
  const std::vector<std::size_t>& strata = spec.sample->strata;
  const std::vector<std::size_t> inner = strata.empty() ? std::vector<std::size_t>() : axes_but(spec, strata);
  const GridRows rows = GridRows(spec, inner, effects);
  grid_size_ = rows.grid_size();
  population_ = rows.kept();
  points_ = drawn_ranks(rows, Unit::points, *spec.sample);
  for (std::uint64_t& rank : points_) {
    Descent row(rows.grid(), Unit::points, rows.kept());
    while (row.position() < row.end()) row.choose(rank - row.rank());
    rank = row.point();
  }
  std::sort(points_.begin(), points_.end());
}

void SampledPoints::decode(std::uint64_t first, std::size_t count, PointBuffer& buffer) const {
  const auto begin = points_.begin() + static_cast<std::ptrdiff_t>(first);
  buffer.points.assign(begin, begin + static_cast<std::ptrdiff_t>(count));
  buffer.codes.resize(spec_->axes.size());
  std::vector<std::uint64_t> rest = buffer.points;
  for (std::size_t axis = spec_->axes.size(); axis-- > 0;) {
    const std::uint64_t size = spec_->axes[axis].size;
    std::vector<std::uint32_t>& codes = buffer.codes[axis];
    codes.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t quotient = rest[i] / size;
      codes[i] = static_cast<std::uint32_t>(rest[i] - quotient * size);
      rest[i] = quotient;
    }
  }
}

SampledGroups::SampledGroups(const SweepSpec& spec, std::vector<FilterEffect>& effects)
    : rows_(spec, effects), groups_(drawn_ranks(rows_, Unit::groups, *spec.sample)), begins_{0} {
  std::sort(groups_.begin(), groups_.end());
  for (const std::uint64_t group : groups_) {
    const std::uint64_t points = rows_.group_begin(group + 1) - rows_.group_begin(group);
    begins_.push_back(begins_.back() + points);
    largest_group_ = std::max(largest_group_, points);
  }
}

void SampledGroups::decode(std::uint64_t first, std::size_t count, PointBuffer& buffer) const {
  buffer.points.resize(count);
  buffer.codes.resize(rows_.grid().positions.size());
  for (auto& column : buffer.codes) column.resize(count);
  const auto after = std::upper_bound(begins_.begin(), begins_.end(), first);
  auto group = static_cast<std::size_t>(after - begins_.begin()) - 1;
  PointBuffer part;
  for (std::size_t done = 0; done < count; ++group) {
    const std::uint64_t skipped = first + done - begins_[group];
    const std::size_t points = std::min<std::uint64_t>(begins_[group + 1] - begins_[group] - skipped, count - done);
    rows_.decode(rows_.group_begin(groups_[group]) + skipped, points, part);
    const auto place = static_cast<std::ptrdiff_t>(done);
    std::copy(part.points.begin(), part.points.end(), buffer.points.begin() + place);
    for (std::size_t axis = 0; axis < part.codes.size(); ++axis)
      std::copy(part.codes[axis].begin(), part.codes[axis].end(), buffer.codes[axis].begin() + place);
    done += points;
  }
}

}  // namespace dfsweep
