/// The scan of all analyses: reads columns as doubles in chunks of 65 536 rows.
#include "engine/results/scan.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "engine/results/result_rows.hpp"
#include "models/absent.hpp"

namespace dfsweep {
namespace {

constexpr std::uint64_t chunk_rows = 65536;

struct ColumnsBySide {
  std::vector<const DatasetColumn*> before_status;  ///< axes
  std::vector<const DatasetColumn*> after_status;   ///< metrics
};

ColumnsBySide split_columns(const DatasetReader& file) {
  ColumnsBySide split;
  std::vector<const DatasetColumn*>* side = &split.before_status;
  for (const DatasetColumn& column : file.columns()) {
    if (column.name == "status")
      side = &split.after_status;
    else if (column.name != "point" && column.name != "split" && column.name != "rank")
      side->push_back(&column);
  }
  return split;
}

}  // namespace

/// The columns that a query and a filter need, each read once, and their values in one chunk.
class RowScan::Reader {
 public:
  Reader(const DatasetReader& file, std::span<const DatasetColumn* const> asked, const RowFilter& filter)
      : file_(&file), filter_(&filter) {
    for (const DatasetColumn* column : asked) asked_.push_back(place_of(*column));
    for (const DatasetColumn* column : filter.columns) filtered_.push_back(place_of(*column));
    buffers_.resize(columns_.size(), std::vector<double>(chunk_rows));
    asked_values_.resize(asked_.size());
    filtered_values_.resize(filtered_.size());
    kept_.resize(chunk_rows);
  }

  std::optional<RowChunk> next() {
    const std::vector<RowRange>& complete = file_->complete();
    while (range_ < complete.size() && done_ == complete[range_].count) {
      ++range_;
      done_ = 0;
    }
    if (range_ == complete.size()) return std::nullopt;
    const std::uint64_t first = complete[range_].first + done_;
    const std::uint64_t count = std::min(chunk_rows, complete[range_].count - done_);
    done_ += count;
    return read(first, static_cast<std::size_t>(count));
  }

 private:
  RowChunk read(std::uint64_t first, std::size_t count) {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const std::span<double> values(buffers_[c].data(), count);
      file_->read(*columns_[c], first, values);
      if (const auto fill = fill_value(*columns_[c])) std::replace(values.begin(), values.end(), *fill, absent);
    }
    const auto view = [&](std::size_t place) { return std::span<const double>(buffers_[place].data(), count); };
    std::transform(asked_.begin(), asked_.end(), asked_values_.begin(), view);
    std::transform(filtered_.begin(), filtered_.end(), filtered_values_.begin(), view);
    const std::span<std::uint8_t> kept(kept_.data(), count);
    std::fill(kept.begin(), kept.end(), std::uint8_t{1});
    if (filter_->keep) filter_->keep(filtered_values_, kept);
    return {.first_row = first, .kept = kept, .values = asked_values_};
  }

  std::size_t place_of(const DatasetColumn& column) {
    const auto found = std::find(columns_.begin(), columns_.end(), &column);
    if (found != columns_.end()) return static_cast<std::size_t>(found - columns_.begin());
    columns_.push_back(&column);
    return columns_.size() - 1;
  }

  const DatasetReader* file_;
  const RowFilter* filter_;
  std::vector<const DatasetColumn*> columns_;
  std::vector<std::size_t> asked_;  ///< indices into columns_
  std::vector<std::size_t> filtered_;
  std::vector<std::vector<double>> buffers_;
  std::vector<std::span<const double>> asked_values_;
  std::vector<std::span<const double>> filtered_values_;
  std::vector<std::uint8_t> kept_;
  std::size_t range_ = 0;   ///< of the complete ones
  std::uint64_t done_ = 0;  ///< rows of this range
};

RowScan::RowScan(const DatasetReader& file, std::span<const DatasetColumn* const> columns, const RowFilter& filter)
    : reader_(std::make_unique<Reader>(file, columns, filter)) {}
RowScan::RowScan(RowScan&&) noexcept = default;
RowScan& RowScan::operator=(RowScan&&) noexcept = default;
RowScan::~RowScan() = default;
std::optional<RowChunk> RowScan::next() {
  return reader_->next();
}

void scan_rows(const DatasetReader& file, std::span<const DatasetColumn* const> columns, const RowFilter& filter,
               const std::function<void(const RowChunk&)>& visit) {
  RowScan scan(file, columns, filter);
  while (const std::optional<RowChunk> chunk = scan.next()) visit(*chunk);
}

std::vector<std::uint64_t> first_rows(const DatasetReader& file, const RowFilter& filter, std::size_t count) {
  std::vector<std::uint64_t> rows;
  scan_rows(file, {}, filter, [&](const RowChunk& chunk) {
    for (std::size_t i = 0; i < chunk.kept.size() && rows.size() < count; ++i)
      if (chunk.kept[i] != 0) rows.push_back(chunk.first_row + i);
  });
  return rows;
}

Better better_of(const DatasetColumn& column) {
  const std::string direction = column.text("better");
  return direction == "lower" ? Better::lower : direction == "higher" ? Better::higher : Better::neither;
}

std::string_view direction_name(Better better) {
  return better == Better::lower ? "lower" : better == Better::higher ? "higher" : "neither";
}

std::vector<const DatasetColumn*> axis_columns(const DatasetReader& file) {
  return split_columns(file).before_status;
}
std::vector<const DatasetColumn*> metric_columns(const DatasetReader& file) {
  return split_columns(file).after_status;
}

bool is_metric(const DatasetReader& file, const DatasetColumn& column) {
  const auto metrics = metric_columns(file);
  return std::find(metrics.begin(), metrics.end(), &column) != metrics.end();
}

ValueCodes::ValueCodes(std::vector<double> ascending) : values_(std::move(ascending)) {
  are_codes_ = true;
  for (std::size_t i = 0; i < values_.size(); ++i) are_codes_ = are_codes_ && values_[i] == static_cast<double>(i);
}

std::uint32_t ValueCodes::code(double value) const {
  if (are_codes_) return static_cast<std::uint32_t>(value);
  return static_cast<std::uint32_t>(std::lower_bound(values_.begin(), values_.end(), value) - values_.begin());
}

std::vector<double> distinct_values(const DatasetReader& file, const DatasetColumn& column, const RowFilter& filter,
                                    std::size_t limit) {
  std::unordered_set<double> seen;
  const DatasetColumn* asked[] = {&column};
  double last = absent;  // neighbouring rows often have equal values: look up only changes
  scan_rows(file, asked, filter, [&](const RowChunk& chunk) {
    const std::span<const double> values = chunk.values[0];
    for (std::size_t i = 0; i < values.size() && seen.size() <= limit; ++i) {
      if (chunk.kept[i] == 0 || values[i] == last) continue;
      last = values[i];
      if (!is_given(last) || (column.is_categorical() && last < 0.0)) continue;
      seen.insert(last);
    }
  });
  std::vector<double> ascending(seen.begin(), seen.end());
  std::sort(ascending.begin(), ascending.end());
  return ascending;
}

}  // namespace dfsweep
