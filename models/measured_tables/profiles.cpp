/// Samples of a profile, and search for a profile in a set.
#include "models/measured_tables/profiles.hpp"

#include "models/absent.hpp"
#include "models/expect.hpp"
#include "models/measured_tables/columns.hpp"

namespace dfsweep {

namespace {

/// Time of a cell; NaN where the column is missing or the cell is empty.
double seconds_at(const TableColumn* column, std::uint32_t row) {
  return column == nullptr ? absent : column->numbers[row] / milliseconds_per_second;
}

RowOrigin origin_of(const RowGroup& group, std::uint32_t row) {
  return {group.index, static_cast<std::uint32_t>(group.table->lines[row])};
}

/// Calls add(row, seconds) for the rows of the group that have a time.
template <class Add>
void for_each_time(const RowGroup& group, const TableColumn* times, bool zero_where_empty, Add add) {
  for (const std::uint32_t row : group.rows) {
    const double seconds = seconds_at(times, row);
    if (is_given(seconds))
      add(row, seconds);
    else if (zero_where_empty)
      add(row, 0.0);
  }
}

bool agree(double a, double b) {
  return !is_given(a) || !is_given(b) || a == b;
}

}  // namespace

bool agree(const TableShape& a, const TableShape& b) {
  return agree(a.hidden, b.hidden) && agree(a.heads, b.heads) && agree(a.key_value_heads, b.key_value_heads) &&
         agree(a.ffn_hidden, b.ffn_hidden) && agree(a.vocabulary, b.vocabulary) && agree(a.gated_ffn, b.gated_ffn);
}

std::vector<CurveSample> LayerProfile::curve(Operator op, Statistic statistic, EmptyCell empty) const {
  const OperatorKind kind = kind_of(op);
  DFSWEEP_EXPECT(kind == OperatorKind::token || kind == OperatorKind::cache_save);
  std::vector<CurveSample> samples;
  const RowGroup& group = kind == OperatorKind::token ? tokens : attention;
  if (group.empty()) return samples;
  const Table& table = *group.table;
  const bool zero = empty == EmptyCell::zero && may_be_missing(op);
  const auto add = [&](auto tokens_of_row) {
    for_each_time(group, time_column(table, op, statistic), zero, [&](std::uint32_t row, double seconds) {
      samples.push_back({tokens_of_row(row), seconds, origin_of(group, row)});
    });
  };
  if (kind == OperatorKind::token) {
    const std::vector<double>& num_tokens = table.column(column_names::tokens)->numbers;
    add([&](std::uint32_t row) { return num_tokens[row]; });
  } else {
    const std::vector<double>& chunk = table.column(column_names::chunk)->numbers;
    const std::vector<double>& requests = table.column(column_names::requests)->numbers;
    add([&](std::uint32_t row) { return std::max(chunk[row], requests[row]); });
  }
  return samples;
}

std::vector<SurfaceSample> LayerProfile::surface(Operator op, Statistic statistic, double block_size) const {
  const OperatorKind kind = kind_of(op);
  DFSWEEP_EXPECT(kind == OperatorKind::prefill || kind == OperatorKind::decode);
  std::vector<SurfaceSample> samples;
  if (attention.empty()) return samples;
  const Table& table = *attention.table;
  const std::vector<double>& pages = table.column(column_names::block_size)->numbers;
  const std::vector<double>& chunk = table.column(column_names::chunk)->numbers;
  const std::vector<double>& cached = table.column(column_names::cached)->numbers;
  const std::vector<double>& requests = table.column(column_names::requests)->numbers;
  const bool decode = kind == OperatorKind::decode;
  for_each_time(attention, time_column(table, op, statistic), false, [&](std::uint32_t row, double seconds) {
    if (pages[row] != block_size || (chunk[row] == 0.0) != decode) return;
    if (decode)
      samples.push_back({requests[row], cached[row], seconds, origin_of(attention, row)});
    else
      samples.push_back({cached[row], chunk[row], seconds, origin_of(attention, row)});
  });
  return samples;
}

std::vector<CurveSample> NetworkProfile::curve(Statistic statistic) const {
  std::vector<CurveSample> samples;
  if (rows.empty()) return samples;
  const std::vector<double>& bytes = rows.table->column(column_names::bytes)->numbers;
  for_each_time(rows, time_column(*rows.table, collective, statistic), false, [&](std::uint32_t row, double seconds) {
    samples.push_back({bytes[row], seconds, origin_of(rows, row)});
  });
  return samples;
}

std::vector<CurveSample> ProcessorProfile::curve(Operator op, Statistic statistic) const {
  DFSWEEP_EXPECT(kind_of(op) == OperatorKind::processor);
  std::vector<CurveSample> samples;
  if (rows.empty()) return samples;
  const TableColumn* times = time_column(*rows.table, op, statistic);
  if (times == nullptr) times = time_column(*rows.table, op, Statistic::mean);
  const std::vector<double>& requests = rows.table->column(column_names::requests)->numbers;
  for_each_time(rows, times, false, [&](std::uint32_t row, double seconds) {
    samples.push_back({requests[row], seconds, origin_of(rows, row)});
  });
  return samples;
}

const LayerProfile* ProfileSet::find_layer(std::string_view device, std::string_view model, unsigned tensor_parallel,
                                           const TableShape& shape) const {
  for (const LayerProfile& layer : layers)
    if (layer.device == device && layer.model == model && layer.tensor_parallel == tensor_parallel &&
        agree(layer.shape, shape))
      return &layer;
  return nullptr;
}

const NetworkProfile* ProfileSet::find_network(std::string_view network, Operator collective, unsigned workers,
                                               unsigned devices_per_node) const {
  const std::string name = network_name(network);
  for (const NetworkProfile& profile : networks)
    if (profile.network == name && profile.collective == collective && profile.workers == workers &&
        profile.devices_per_node == devices_per_node)
      return &profile;
  return nullptr;
}

const ProcessorProfile* ProfileSet::find_processor(std::string_view device, std::string_view model,
                                                   unsigned tensor_parallel) const {
  const std::string network = network_name(device);
  for (const ProcessorProfile& profile : processors)
    if ((profile.device == device || profile.device == network) && profile.model == model &&
        profile.tensor_parallel == tensor_parallel)
      return &profile;
  return nullptr;
}

}  // namespace dfsweep
