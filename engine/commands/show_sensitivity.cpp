/// `show --sensitivity`: what would help most at the first rows.
#include "engine/commands/show_output.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/commands/explain_parts.hpp"
#include "engine/results/stored_sweep.hpp"
#include "engine/sweep/point_codes.hpp"

namespace dfsweep {

std::vector<Explanation> shown_sensitivities(const ShownResult& shown, const std::vector<std::string>& metrics) {
  constexpr std::size_t most_shown = 3;
  constexpr std::size_t most_changes = 8;
  const DatasetReader& file = *shown.file;
  const auto count = std::min(shown.answer.rows.size(), most_shown);
  const RowCells points = read_cells(file, *file.column("point"), std::span(shown.answer.rows).first(count));
  std::vector<Explanation> sections;
  for (const std::uint64_t point : points.wholes) {
    const bool is_line = lists_points(file);
    const SweepSpec spec = is_line ? stored_sweep_of_line(file, point, {}) : stored_sweep(file, {});
    const std::vector<std::uint32_t> codes = codes_of_point(spec, is_line ? 0 : point);
    const std::vector<MetricIndex> asked = sensitivity_metrics(spec, metrics);
    Explanation section =
        sensitivity_explanation(spec, sensitivity_with_progress(spec, codes, asked), asked, most_changes);
    section.title = fmt::format("{} {}: {}", is_line ? "line" : "point", point, section.title);
    sections.push_back(std::move(section));
  }
  return sections;
}

}  // namespace dfsweep
