/// Merged grid: the sweep whose grid has the values of all parts.
#pragma once

#include <span>
#include <string>

#include "engine/merging/merge_parts.hpp"

namespace dfsweep {

/// The text of that sweep, as resolved_text(). It does not depend on the order of the parts.
///
/// An axis has the values of all parts in their common_order(), where values that no part orders are ascending.
/// Parameters that are linked in a part are linked. The axes are in their common order, too; those that vary in no
/// part, because each has one value, come first. Filters that all parts have are kept; of the others a point must pass
/// those of one part. The grid may have points that no part has.
///
/// Throws NoGrowth where the values form no grid: a part varies apart what another one links, or does not give what
/// another one gives. `name`: of the sweep;
/// empty: that of the parts, or if they differ all of them with '+' between. Pre: expect_alike(); no part lists points.
[[nodiscard]] std::string merged_sweep(std::span<const MergePart> parts, const std::string& name);

/// The name and the description of a merged sweep.
[[nodiscard]] std::string merged_name(std::span<const MergePart> parts, const std::string& name);
[[nodiscard]] std::string merged_description(std::span<const MergePart> parts);
/// The metrics of all parts, ascending.
[[nodiscard]] std::vector<MetricIndex> merged_metrics(std::span<const MergePart> parts);

}  // namespace dfsweep
