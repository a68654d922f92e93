#include "engine/growth/common_grid.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "io/diagnostic.hpp"

namespace dfsweep {
namespace {

SweepSpec with_shared_values(const SweepSpec& grown, const CodeMapping& mapping) {
  SweepSpec common = grown;
  for (std::size_t column = 0; column < common.axes.size(); ++column) {
    const std::vector<bool> is_shared = mapping.shared_codes(column);
    const auto size = static_cast<std::uint32_t>(std::count(is_shared.begin(), is_shared.end(), true));
    common.axes[column].size = size;
    common.values.column_sizes[column] = size;
    for (const ParameterIndex p : common.axes[column].parameters) {
      std::vector<ParameterValue> values;
      for (std::size_t code = 0; code < is_shared.size(); ++code)
        if (is_shared[code]) values.push_back(common.values.parameters[p].values[code]);
      common.values.parameters[p].values = std::move(values);
    }
  }
  return common;
}

}  // namespace

std::optional<GridRows> common_grid(const SweepSpec& former, const SweepSpec& grown, const CodeMapping& mapping) {
  SweepSpec common = with_shared_values(grown, mapping);
  const std::vector<std::size_t>& sizes = common.values.column_sizes;
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end()) return std::nullopt;
  common.filters.insert(common.filters.end(), former.filters.begin(), former.filters.end());
  try {
    std::vector<FilterEffect> effects;
    return GridRows(common, effects);
  } catch (const UserError&) {  // the filters of both keep no point
    return std::nullopt;
  }
}

}  // namespace dfsweep
