/// A reported point is taken as a whole: its best points, and how many points had which status.
#include "engine/growth/former_groups.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "engine/evaluation/search_evaluation.hpp"
#include "engine/growth/common_grid.hpp"
#include "engine/plan/descent.hpp"
#include "engine/sweep/statuses.hpp"
#include "models/absent.hpp"

namespace dfsweep {
namespace {

std::vector<std::string> expressions(const std::vector<Filter>& filters) {
  std::vector<std::string> texts;
  for (const Filter& filter : filters) texts.push_back(filter.expression);
  return texts;
}

bool has_same_values(const SweepSpec& a, const SweepSpec& b, ParameterIndex parameter) {
  const std::vector<ParameterValue>& left = a.values.parameters[parameter].values;
  const std::vector<ParameterValue>& right = b.values.parameters[parameter].values;
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](const ParameterValue& x, const ParameterValue& y) { return value_key(x) == value_key(y); });
}

/// The searched axes have the same parameters and values in the same order, so that points of a group are in one order.
void expect_same_space(const SweepSpec& former, const SweepSpec& grown) {
  const std::vector<std::size_t>& before = former.search->axes;
  const std::vector<std::size_t>& now = grown.search->axes;
  if (before.size() != now.size()) throw NoGrowth("it searches other axes");
  for (std::size_t i = 0; i < now.size(); ++i) {
    const Axis& axis = grown.axes[now[i]];
    if (former.axes[before[i]].parameters != axis.parameters) throw NoGrowth("it searches other axes");
    for (const ParameterIndex p : axis.parameters)
      if (!has_same_values(former, grown, p))
        throw NoGrowth(fmt::format("it searches other values of {}", grown.estimator->parameters()[p].name));
  }
}

void expect_same_search(const SweepSpec& former, const SweepSpec& grown) {
  const Search& before = *former.search;
  const Search& now = *grown.search;
  expect_same_space(former, grown);
  if (before.metric != now.metric || before.direction != now.direction)
    throw NoGrowth("it searches for something else");
  if (before.ties != now.ties) throw NoGrowth("it keeps ties in another way");
  if (before.top != now.top) throw NoGrowth("it keeps another number of rows for each reported point");
  if (expressions(before.conditions) != expressions(now.conditions)) throw NoGrowth("its search has other conditions");
  if (expressions(former.filters) != expressions(grown.filters)) throw NoGrowth("its filters are others");
}

SweepSpec restored_search(const DatasetReader& file, const SweepSpec& grown, const GivenData& data) {
  if (grown.points || grown.sample) throw NoGrowth("this search has a point list or a sample");
  if (is_bounded(grown))
    throw NoGrowth("a search counts points that its bounds exclude, and this depends on the whole sweep");
  SweepSpec former = restored_former(file, grown, data);
  expect_same_search(former, grown);
  return former;
}

std::vector<std::uint64_t> strides_of(const SweepSpec& spec) {
  std::vector<std::uint64_t> strides(spec.axes.size(), 1);
  for (std::size_t axis = spec.axes.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * spec.axes[axis].size;
  return strides;
}

/// The group of a grid whose first kept point is `kept` and that has `size` points; nothing if it has none.
std::optional<std::uint64_t> group_at(const GridRows& rows, std::uint64_t kept, std::uint64_t size) {
  std::uint64_t low = 0;  // group_begin(low) <= kept < group_begin(high)
  std::uint64_t high = rows.groups();
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (rows.group_begin(middle) <= kept ? low : high) = middle;
  }
  const bool is_same = rows.group_begin(low) == kept && rows.group_begin(low + 1) - kept == size;
  return is_same ? std::optional(low) : std::nullopt;
}

}  // namespace

/// Columns of the file for several groups.
struct FormerGroups::Stored {
  EstimateBuffer estimates;             ///< of `top` rows for each group
  std::vector<std::uint8_t> is_found;   ///< [row]
  std::vector<std::uint64_t> points;    ///< [row] index in the grid of the former sweep
  std::vector<std::uint64_t> statuses;  ///< `width` counts for each group
};

FormerGroups::FormerGroups(std::shared_ptr<const DatasetReader> file, const Plan& plan, const GivenData& data)
    : FormerResult(file, restored_search(*file, plan.spec(), data), plan.spec()),
      plan_(&plan),
      former_rows_(former(), effects_),
      mapping_(former(), plan.spec()),
      estimates_(reader(), former(), plan.spec()),
      point_(reader().column("point")),
      strides_(strides_of(plan.spec())),
      former_strides_(strides_of(former())) {
  for (const DatasetColumn& column : reader().group_columns())
    if (column.name == "rejections") rejections_ = &column;
  if (point_ == nullptr || rejections_ == nullptr || rejections_->width < statuses_of(grown()).size() ||
      former_rows_.groups() * plan.rows_per_group() != reader().row_count())
    throw NoGrowth("its rows are not those of its sweep");
}

std::uint64_t FormerGroups::count() const {
  const std::optional<GridRows> common = common_grid(former(), grown(), mapping_);
  return common ? common->groups() * plan_->rows_per_group() : 0;
}

std::optional<FormerGroups::SharedGroup> FormerGroups::shared_group(std::uint64_t group, PointBuffer& buffer) const {
  const std::uint64_t begin = plan_->rows().group_begin(group);
  plan_->rows().decode(begin, 1, buffer);
  std::vector<std::uint32_t> codes(mapping_.columns());
  if (!mapping_.map(buffer, 0, codes)) return std::nullopt;
  const std::optional<std::uint64_t> rank = rank_of(former_rows_.grid(), codes);
  if (!rank) return std::nullopt;
  const auto former = group_at(former_rows_, *rank, plan_->rows().group_begin(group + 1) - begin);
  if (!former) return std::nullopt;
  SharedGroup shared{.former = *former, .first_point = buffer.points.front(), .codes = {}};
  for (const auto& column : buffer.codes) shared.codes.push_back(column.front());
  return shared;
}

void FormerGroups::find_groups(std::uint64_t first, std::span<std::optional<GroupResult>> groups) const {
  std::vector<SharedGroup> shared;
  PointBuffer buffer;
  for (std::size_t place = 0; place < groups.size(); ++place) {
    groups[place].reset();
    if (auto one = shared_group(first + place, buffer)) {
      one->place = place;
      shared.push_back(std::move(*one));
    }
  }
  if (shared.empty()) return;
  const Stored stored = read(shared);
  for (std::size_t index = 0; index < shared.size(); ++index)
    groups[shared[index].place] = result_of(shared[index], index, stored);
}

FormerGroups::Stored FormerGroups::read(std::span<const SharedGroup> shared) const {
  const std::size_t top = plan_->rows_per_group();
  const std::size_t width = rejections_->width;
  Stored stored{.estimates = {},
                .is_found = std::vector<std::uint8_t>(shared.size() * top),
                .points = std::vector<std::uint64_t>(shared.size() * top),
                .statuses = std::vector<std::uint64_t>(shared.size() * width)};
  resize_estimates(*grown().estimator, {.metrics = grown().metrics}, shared.size() * top, stored.estimates);
  std::vector<RowOfPoint> rows;
  for (std::size_t index = 0; index < shared.size(); ++index)
    for (std::size_t row = 0; row < top; ++row) rows.push_back({shared[index].former * top + row, index * top + row});
  std::sort(rows.begin(), rows.end(), [](const RowOfPoint& a, const RowOfPoint& b) { return a.row < b.row; });
  std::vector<std::uint64_t> values;
  for (const std::span<const RowOfPoint> stretch : stretches_of(rows, reader().complete())) {
    const std::uint64_t first = stretch.front().row;
    const std::uint64_t last = stretch.back().row;
    try {
      values.resize(last - first + 1);
      reader().read(*point_, first, std::span(values));
      for (const RowOfPoint& one : stretch) stored.points[one.point] = values[one.row - first];
      values.resize((last / top - first / top + 1) * width);
      reader().read(*rejections_, first / top, std::span(values));
      for (const RowOfPoint& one : stretch) {
        const auto counts = std::span(values).subspan((one.row / top - first / top) * width, width);
        std::copy(counts.begin(), counts.end(), std::span(stored.statuses).subspan((one.point / top) * width).begin());
      }
      estimates_.read(stretch, stored.estimates, stored.is_found);
    } catch (const BadDataset&) {  // groups of damaged rows are searched again
      for (const RowOfPoint& one : stretch) stored.is_found[one.point] = 0;
    }
  }
  return stored;
}

std::optional<GroupResult> FormerGroups::result_of(const SharedGroup& shared, std::size_t index,
                                                   const Stored& stored) const {
  const std::size_t top = plan_->rows_per_group();
  const auto is_found = std::span(stored.is_found).subspan(index * top, top);
  if (std::find(is_found.begin(), is_found.end(), 0) != is_found.end()) return std::nullopt;
  GroupResult result;
  result.first_point = shared.first_point;
  result.reported = shared.codes;
  const auto counts = std::span(stored.statuses).subspan(index * rejections_->width, statuses_of(grown()).size());
  result.rejections.assign(counts.begin(), counts.end());
  if (result.rejections[status_failed] != 0) return std::nullopt;
  for (std::size_t row = index * top; row < (index + 1) * top && stored.estimates.status[row] == status_ok; ++row)
    result.best.push_back(candidate_of(shared, row, stored));
  return result;
}

Candidate FormerGroups::candidate_of(const SharedGroup& shared, std::size_t row, const Stored& stored) const {
  Candidate best{.value = absent, .point = 0, .codes = shared.codes, .metrics = {}};
  for (std::size_t i = 0; i < grown().search->axes.size(); ++i) {
    const std::size_t before = former().search->axes[i];
    best.codes[grown().search->axes[i]] =
        static_cast<std::uint32_t>(stored.points[row] / former_strides_[before] % former().axes[before].size);
  }
  for (std::size_t axis = 0; axis < strides_.size(); ++axis) best.point += best.codes[axis] * strides_[axis];
  for (const std::vector<double>& column : stored.estimates.metrics)
    best.metrics.push_back(column.empty() ? absent : column[row]);
  return best;
}

}  // namespace dfsweep
