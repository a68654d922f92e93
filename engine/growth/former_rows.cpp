/// Which rows of a former result a sweep may take, and their estimates.
#include "engine/growth/former_rows.hpp"

#include <algorithm>
#include <utility>

#include "engine/growth/common_grid.hpp"
#include "engine/plan/descent.hpp"
#include "io/diagnostic.hpp"

namespace dfsweep {
namespace {

constexpr std::uint64_t points_at_once = 4096;

}  // namespace

FormerRows::FormerRows(std::shared_ptr<const DatasetReader> file, const SweepSpec& grown, const RowSource& rows,
                       const GivenData& data)
    : FormerResult(file, restored_former(*file, grown, data), grown), grown_rows_(&rows) {
  if (grown.search || former().search) throw NoGrowth("a search does not keep the rows of all points");
  mapping_.emplace(former(), grown);
  std::vector<FilterEffect> effects;
  rows_.emplace(former(), effects);
  if (rows_->kept() != reader().row_count()) throw NoGrowth("its number of rows is not that of its sweep");
  estimates_.emplace(reader(), former(), grown);
}

std::vector<RowOfPoint> FormerRows::places_of(const PointBuffer& points) const {
  std::vector<RowOfPoint> places;
  std::vector<std::uint32_t> codes(mapping_->columns());
  for (std::size_t i = 0; i < points.points.size(); ++i)
    if (mapping_->map(points, i, codes))
      if (const auto row = rank_of(rows_->grid(), codes)) places.push_back({*row, i});
  std::sort(places.begin(), places.end(), [](const RowOfPoint& a, const RowOfPoint& b) { return a.row < b.row; });
  return places;
}

void FormerRows::fill(const PointBuffer& points, EstimateBuffer& estimates, std::span<std::uint8_t> is_known) const {
  std::fill(is_known.begin(), is_known.end(), std::uint8_t{0});
  std::vector<RowOfPoint> places = places_of(points);
  for (const std::span<const RowOfPoint> stretch : stretches_of(places, reader().complete())) {
    try {
      estimates_->read(stretch, estimates, is_known);
    } catch (const BadDataset&) {  // damaged rows are evaluated, as those that failed
      continue;
    }
    for (const RowOfPoint& place : stretch)
      if (estimates.status[place.point] == status_failed) is_known[place.point] = 0;
  }
}

void FormerRows::find(const PointBuffer& points, EstimateBuffer& estimates, std::span<std::uint8_t> is_found) const {
  std::fill(is_found.begin(), is_found.end(), std::uint8_t{0});
  std::vector<RowOfPoint> places = places_of(points);
  for (const std::span<const RowOfPoint> stretch : stretches_of(places, reader().complete()))
    estimates_->read(stretch, estimates, is_found);
}

std::uint64_t FormerRows::count() const {
  if (!grown().points && !grown().sample) {
    const std::optional<GridRows> common = common_grid(former(), grown(), *mapping_);
    return common ? common->kept() : 0;
  }
  std::uint64_t count = 0;
  PointBuffer points;
  for (std::uint64_t first = 0; first < grown_rows_->kept(); first += points_at_once) {
    grown_rows_->decode(first, std::min(points_at_once, grown_rows_->kept() - first), points);
    count += places_of(points).size();
  }
  return count;
}

}  // namespace dfsweep
