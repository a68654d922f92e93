#include "engine/results/nearest_miss.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "engine/results/result_rows.hpp"

namespace dfsweep {

std::vector<NearestMiss> nearest_misses(const DatasetReader& file, const RowFilter& filter,
                                        std::string_view shortfall) {
  struct Seen {
    std::uint64_t rows = 0;
    std::uint64_t row = 0;
    double shortfall = std::numeric_limits<double>::infinity();
  };
  std::array<Seen, 256> seen{};
  const DatasetColumn* status = file.column("status");
  const DatasetColumn* amount = shortfall.empty() ? nullptr : file.column(shortfall);
  std::vector<const DatasetColumn*> columns = {status};
  if (amount != nullptr) columns.push_back(amount);
  scan_rows(file, columns, filter, [&](const RowChunk& chunk) {
    for (std::size_t i = 0; i < chunk.kept.size(); ++i) {
      if (chunk.kept[i] == 0 || chunk.values[0][i] == 0.0) continue;
      Seen& one = seen[static_cast<std::uint8_t>(chunk.values[0][i])];
      const double here = amount != nullptr ? chunk.values[1][i] : std::nan("");
      if (one.rows++ == 0 || here < one.shortfall) one.row = chunk.first_row + i;
      if (here < one.shortfall) one.shortfall = here;
    }
  });
  const std::vector<std::string> names = value_names(file, *status);
  std::vector<NearestMiss> misses;
  for (std::size_t code = 0; code < seen.size() && code < names.size(); ++code) {
    if (seen[code].rows == 0 || names[code] == "missing") continue;
    std::uint64_t point = 0;
    file.read(*file.column("point"), seen[code].row, std::span(&point, 1));
    misses.push_back({names[code], seen[code].rows, point, std::isfinite(seen[code].shortfall), {}});
  }
  return misses;
}

}  // namespace dfsweep
