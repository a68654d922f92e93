#include "engine/sweep/point_codes.hpp"

#include <span>

namespace dfsweep {

std::vector<std::uint32_t> codes_of_point(const SweepSpec& spec, std::uint64_t point) {
  std::vector<std::uint32_t> codes;
  if (spec.points) {
    for (const std::vector<std::uint32_t>& column : spec.points->codes) codes.push_back(column[point]);
    return codes;
  }
  codes.resize(spec.axes.size());
  for (std::size_t axis = codes.size(); axis-- > 0;) {
    codes[axis] = static_cast<std::uint32_t>(point % spec.axes[axis].size);
    point /= spec.axes[axis].size;
  }
  return codes;
}

SweepSpec sweep_of_point(const SweepSpec& spec, std::uint64_t point) {
  const std::vector<std::uint32_t> codes = codes_of_point(spec, point);
  SweepSpec single = spec;
  for (SweepValues::Parameter& parameter : single.values.parameters) {
    if (parameter.column == SweepValues::fixed) continue;
    parameter.values = {parameter.values[codes[parameter.column]]};
    parameter.column = SweepValues::fixed;
  }
  for (std::vector<SourcePosition>& positions : single.value_positions) positions.resize(1);
  single.values.column_sizes.clear();
  single.axes.clear();
  single.filters.clear();
  single.search.reset();
  single.points.reset();
  single.sample.reset();
  return single;
}

std::string reason_of_point(const SweepSpec& spec, const PreparedSweep& prepared, std::uint64_t point) {
  const std::vector<std::uint32_t> codes = codes_of_point(spec, point);
  std::vector<std::span<const std::uint32_t>> columns;
  for (const std::uint32_t& code : codes) columns.emplace_back(&code, 1);
  return prepared.reason(PointColumns(columns, 1));
}

}  // namespace dfsweep
