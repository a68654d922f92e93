#include "engine/report/reduction/row_slabs.hpp"

#include <algorithm>
#include <optional>

#include "engine/results/result_rows.hpp"
#include "models/absent.hpp"

namespace dfsweep::report {

std::vector<RowRange> row_slabs(const DatasetReader& file, std::uint64_t most) {
  std::vector<RowRange> slabs;
  for (const RowRange& range : file.complete())
    for (std::uint64_t done = 0; done < range.count; done += most)
      slabs.push_back({range.first + done, std::min(most, range.count - done)});
  return slabs;
}

unsigned reducing_threads(unsigned threads) {
  constexpr unsigned most = 16;
  return std::clamp(threads, 1U, most);
}

void read_values(const DatasetReader& file, const DatasetColumn& column, std::uint64_t first,
                 std::span<double> values) {
  file.read(column, first, values);
  if (const std::optional<double> fill = fill_value(column)) std::replace(values.begin(), values.end(), *fill, absent);
  if (column.is_categorical())
    std::replace_if(
        values.begin(), values.end(), [](double code) { return code < 0.0; }, absent);
}

}  // namespace dfsweep::report
