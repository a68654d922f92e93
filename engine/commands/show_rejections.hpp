/// `show --rejections`: what became of the points that a search tried, for each reported point.
#pragma once

#include "engine/results/rejections.hpp"
#include "io/json.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

/// A line for each reported point: its axes, then the points tried by status. At most `limit` lines, 0: all.
[[nodiscard]] std::string rejections_text(const DatasetReader& file, const SearchRejections& found, std::size_t limit,
                                          const Terminal& terminal);
/// [{"<axis>": value, ..., "tried": {"<status>": points, ...}}, ...]
[[nodiscard]] Json rejections_json(const DatasetReader& file, const SearchRejections& found);

}  // namespace dfsweep
