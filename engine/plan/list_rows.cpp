/// Filters of a point list are evaluated for every line.
#include "engine/plan/list_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "engine/plan/row_filters.hpp"

namespace dfsweep {

ListRows::ListRows(const SweepSpec& spec, std::vector<FilterEffect>& effects) : spec_(&spec) {
  std::vector<std::size_t> order(spec.axes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const PointList& list = *spec.points;
  if (!spec.filters.empty()) {
    all_kept_ = false;
    kept_lines_.resize(list.lines);
    std::iota(kept_lines_.begin(), kept_lines_.end(), std::uint64_t{0});
  }
  for (const Filter& one : spec.filters) {
    AxisFilter filter(spec, one, order);
    std::vector<bool> keeps(list.lines);
    for (std::uint64_t line = 0; line < list.lines; ++line) {
      for (std::size_t i = 0; i < filter.positions().size(); ++i)
        filter.set_code(i, list.codes[filter.positions()[i]][line]);
      keeps[line] = filter.keeps();
    }
    const std::uint64_t before = kept_lines_.size();
    std::erase_if(kept_lines_, [&](std::uint64_t line) { return !keeps[line]; });
    const auto own = static_cast<double>(std::count(keeps.begin(), keeps.end(), true));
    effects.push_back({one.expression, own / static_cast<double>(list.lines), before - kept_lines_.size()});
    if (kept_lines_.empty())
      throw UserError({{one.at, "the filters reject every point",
                        fmt::format("'{}' rejects the last {}", one.expression, before), ""}});
  }
}

void ListRows::decode(std::uint64_t first, std::size_t count, PointBuffer& buffer) const {
  buffer.points.resize(count);
  if (all_kept_)
    std::iota(buffer.points.begin(), buffer.points.end(), first);
  else
    std::copy_n(kept_lines_.begin() + static_cast<std::ptrdiff_t>(first), count, buffer.points.begin());
  buffer.codes.resize(spec_->points->codes.size());
  for (std::size_t c = 0; c < buffer.codes.size(); ++c) {
    const std::vector<std::uint32_t>& from = spec_->points->codes[c];
    buffer.codes[c].resize(count);
    for (std::size_t i = 0; i < count; ++i) buffer.codes[c][i] = from[buffer.points[i]];
  }
}

}  // namespace dfsweep
