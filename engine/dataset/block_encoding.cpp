#include "engine/dataset/block_encoding.hpp"

#include <algorithm>
#include <cstring>

#include "engine/dataset/candidates.hpp"
#include "models/absent.hpp"
#include "models/expect.hpp"

namespace dfsweep {

namespace {

/// Copies the element of each code; a compile-time element size makes the loop plain loads and stores.
template <class Element>
void gather(const std::vector<std::byte>& values, std::span<const std::uint32_t> codes, std::byte* out) {
  const auto* table = reinterpret_cast<const Element*>(values.data());
  auto* elements = reinterpret_cast<Element*>(out);
  for (std::size_t i = 0; i < codes.size(); ++i) elements[i] = table[codes[i]];
}

void encode_axis(const AxisColumn& axis, std::span<const std::uint32_t> codes, std::byte* out) {
  switch (size_of(axis.type)) {
    case 2:
      return gather<std::uint16_t>(axis.values, codes, out);
    case 4:
      return gather<std::uint32_t>(axis.values, codes, out);
    default:
      return gather<std::uint64_t>(axis.values, codes, out);
  }
}

/// The code in the file of a status of the estimator.
constexpr std::uint8_t stored_status(std::uint8_t status) {
  return static_cast<std::uint8_t>(status + first_status);
}

void encode_metrics(std::span<const double> values, ElementType type, std::byte* out) {
  if (type == ElementType::float64) {
    std::memcpy(out, values.data(), values.size_bytes());
    return;
  }
  const std::size_t bytes = size_of(type);
  for (std::size_t i = 0; i < values.size(); ++i) encode_metric(values[i], type, out + i * bytes);
}

/// Encodes rows of groups one at a time; there are few of them, because each is the result of a search.
class GroupEncoder {
 public:
  explicit GroupEncoder(const RowColumns& columns) : columns_(columns) {}

  /// Appends the row of the `index`-th best execution, or a row with status no_feasible if there are fewer.
  void add_row(const GroupResult& group, std::size_t index, BlockBytes& bytes) const {
    const Candidate* candidate = index < group.best.size() ? &group.best[index] : nullptr;
    append_value(bytes[0], candidate != nullptr ? candidate->point : group.first_point);
    for (std::size_t a = 0; a < columns_.axes.size(); ++a)
      add_axis(columns_.axes[a], candidate, group, bytes[columns_.first_axis() + a]);
    if (columns_.split) add_split(candidate, group, bytes[columns_.split_column()]);
    append_value(bytes[columns_.rank()], static_cast<std::int32_t>(index + 1));
    append_value(bytes[columns_.status()], candidate != nullptr ? stored_status(status_ok) : columns_.no_feasible);
    for (std::size_t m = 0; m < columns_.metrics.size(); ++m) {
      const MetricColumn& metric = columns_.metrics[m];
      std::vector<std::byte>& column = bytes[columns_.first_metric() + m];
      column.resize(column.size() + size_of(metric.type));
      encode_metric(candidate != nullptr ? candidate->metrics[metric.metric] : absent, metric.type,
                    column.data() + column.size() - size_of(metric.type));
    }
  }

  void add_group(const GroupResult& group, BlockBytes& bytes) const {
    append_value(bytes[columns_.reported_point()], group.first_point);
    std::vector<std::uint64_t> counts(columns_.statuses.size());
    std::copy(group.rejections.begin(), group.rejections.end(), counts.begin() + first_status);
    for (const std::uint64_t count : counts) append_value(bytes[columns_.rejections()], count);
  }

 private:
  void add_split(const Candidate* candidate, const GroupResult& group, std::vector<std::byte>& column) const {
    const std::vector<std::uint32_t>& codes = candidate != nullptr ? candidate->codes : group.reported;
    append_value(column, static_cast<std::int16_t>(columns_.split->part_of_group(codes)));
  }
  static void add_axis(const AxisColumn& axis, const Candidate* candidate, const GroupResult& group,
                       std::vector<std::byte>& column) {
    const std::size_t bytes = size_of(axis.type);
    if (candidate == nullptr && axis.is_searched) {
      column.insert(column.end(), axis.absent.begin(), axis.absent.end());
      return;
    }
    const std::uint32_t code =
        candidate != nullptr ? candidate->codes[axis.code_column] : group.reported[axis.code_column];
    const auto first = axis.values.begin() + static_cast<std::ptrdiff_t>(code * bytes);
    column.insert(column.end(), first, first + static_cast<std::ptrdiff_t>(bytes));
  }

  const RowColumns& columns_;
};

}  // namespace

BlockEncoder::BlockEncoder(const Plan& plan) : columns_(row_columns(plan)) {}

void BlockEncoder::resize(std::uint64_t rows, BlockBytes& bytes) const {
  bytes.resize(columns_.count());
  bytes[0].resize(rows * sizeof(std::uint64_t));
  for (std::size_t a = 0; a < columns_.axes.size(); ++a)
    bytes[columns_.first_axis() + a].resize(rows * size_of(columns_.axes[a].type));
  if (columns_.split) bytes[columns_.split_column()].resize(rows * size_of(split_type));
  bytes[columns_.status()].resize(rows);
  for (std::size_t m = 0; m < columns_.metrics.size(); ++m)
    bytes[columns_.first_metric() + m].resize(rows * size_of(columns_.metrics[m].type));
}

void BlockEncoder::encode(const PointBuffer& points, const EstimateBuffer& estimates, std::uint64_t first_row,
                          BlockBytes& bytes) const {
  DFSWEEP_EXPECT(!columns_.has_rank);
  const std::size_t count = points.points.size();
  if (count == 0) return;
  DFSWEEP_EXPECT((first_row + count) * sizeof(std::uint64_t) <= bytes[0].size());
  std::memcpy(bytes[0].data() + first_row * sizeof(std::uint64_t), points.points.data(), count * sizeof(std::uint64_t));
  for (std::size_t a = 0; a < columns_.axes.size(); ++a) {
    const AxisColumn& axis = columns_.axes[a];
    encode_axis(axis, std::span(points.codes[axis.code_column]).first(count),
                bytes[columns_.first_axis() + a].data() + first_row * size_of(axis.type));
  }
  if (columns_.split) {
    auto* const parts = reinterpret_cast<std::int16_t*>(bytes[columns_.split_column()].data()) + first_row;
    for (std::size_t i = 0; i < count; ++i)
      parts[i] = static_cast<std::int16_t>(
          columns_.split->part(points.points[i], [&](std::size_t axis) { return points.codes[axis][i]; }));
  }
  std::transform(estimates.status.begin(), estimates.status.begin() + static_cast<std::ptrdiff_t>(count),
                 bytes[columns_.status()].begin() + static_cast<std::ptrdiff_t>(first_row),
                 [](std::uint8_t status) { return std::byte{stored_status(status)}; });
  for (std::size_t m = 0; m < columns_.metrics.size(); ++m) {
    const MetricColumn& metric = columns_.metrics[m];
    encode_metrics(std::span(estimates.metrics[metric.metric]).first(count), metric.type,
                   bytes[columns_.first_metric() + m].data() + first_row * size_of(metric.type));
  }
}

BlockBytes encode_groups(const Plan& plan, std::span<const GroupResult> groups) {
  const RowColumns columns = row_columns(plan);
  const GroupEncoder encoder(columns);
  BlockBytes bytes(columns.count());
  for (const GroupResult& group : groups) {
    for (std::size_t index = 0; index < plan.rows_per_group(); ++index) encoder.add_row(group, index, bytes);
    encoder.add_group(group, bytes);
  }
  return bytes;
}

std::vector<std::byte> encode_candidates(const Plan& plan, const GroupResult& group, SliceExtent extent) {
  const RowColumns columns = row_columns(plan);
  const GroupEncoder encoder(columns);
  SliceCandidates slice{.first_point = group.first_point, .group = {}, .no_feasible = {}, .best = {}, .extent = extent};
  if (group.first_point == no_point) return encode_slice(slice);
  const auto one_row = [&](const GroupResult& of, std::size_t index) {
    BlockBytes bytes(columns.count());
    encoder.add_row(of, index, bytes);
    bytes.resize(columns.reported_point());
    return bytes;
  };
  BlockBytes group_bytes(columns.count());
  encoder.add_group(group, group_bytes);
  slice.group.assign(group_bytes.begin() + static_cast<std::ptrdiff_t>(columns.reported_point()), group_bytes.end());
  GroupResult none = group;
  none.best.clear();
  slice.no_feasible = one_row(none, 0);
  for (std::size_t index = 0; index < group.best.size(); ++index)
    slice.best.push_back({group.best[index].value, group.best[index].point, one_row(group, index)});
  return encode_slice(slice);
}

}  // namespace dfsweep
