/// Check of measured times against the roofline of the device. Source: [roofline]
///
/// An operator of `flop` operations on `bytes` of memory takes at least max(flop / peak, bytes / bandwidth); and a
/// kernel at least some tenths of a microsecond. Times in seconds, read as milliseconds, are a factor of 1000 too short
/// and fall below; times in microseconds are far above.
#include <algorithm>
#include <cmath>
#include <utility>

#include "models/absent.hpp"
#include "models/measured_tables/checks.hpp"
#include "models/measured_tables/operator_work.hpp"
#include "models/short_number.hpp"

namespace dfsweep {

namespace {

constexpr Seconds millisecond{1e-3};

/// Bounds on the rates of all usable devices.
struct Bounds {
  DeviceRates fast;
  DeviceRates slow;
};
constexpr Bounds of_any_device{{Throughput{20e15}, Bandwidth{40e12}}, {Throughput{5e12}, Bandwidth{100e9}}};

Bounds bounds_of(const DeviceRates* device) {
  return device == nullptr ? of_any_device : Bounds{*device, *device};
}

/// Range of plausible times, as multiples of the roofline.
constexpr double fastest = 0.5;    // boost clocks, other form factors of the chip
constexpr double slowest = 300.0;  // of roofline plus launch: small operators reach a hundredth of the roofline
constexpr Seconds slow_launch{20e-6};
constexpr Seconds shortest_kernel{1e-7};
/// Smaller operands may stay in caches between repetitions, so the memory bandwidth is no bound.
constexpr Bytes cached_operands{256e6};
/// Computes the work of each row from the columns of a table. Pre: the columns exist and have whole numbers.
class WorkOfRows {
 public:
  WorkOfRows(const Table& table, ProfileFile file) : table_(table) {
    const bool attention = file == ProfileFile::attention;
    hidden_ = numbers("n_embd");
    heads_ = numbers(attention ? "n_q_head" : "n_head");
    key_value_heads_ = numbers("n_kv_head");
    degree_ = numbers(column_names::tensor_parallel);
    if (attention) {
      chunk_ = numbers(column_names::chunk);
      cached_ = numbers(column_names::cached);
      requests_ = numbers(column_names::requests);
    } else {
      tokens_ = numbers(column_names::tokens);
      ffn_hidden_ = numbers("n_expanded_embd");
      vocabulary_ = numbers("vocab_size");
      gated_ = table.column(column_names::gated);
    }
  }

  /// Tables lack the width of a head, so all heads together are assumed to have the width n_embd.
  [[nodiscard]] OperatorWork of(Operator op, std::size_t row) const {
    LayerSplit layer;
    layer.model.hidden = hidden_[row];
    layer.model.heads = heads_[row];
    layer.model.key_value_heads = key_value_heads_[row];
    layer.model.head_dim = hidden_[row] / heads_[row];
    layer.model.ffn_hidden = ffn_hidden_ == nullptr ? 0.0 : ffn_hidden_[row];
    layer.model.up_products = gated_ != nullptr && is_true(*gated_, row) ? 2.0 : 1.0;
    layer.model.vocabulary = vocabulary_ == nullptr ? 0.0 : vocabulary_[row];
    layer.tensor_parallel = degree_[row];
    if (op == Operator::attn_decode) return decode_work(layer, requests_[row], cached_[row]);
    if (op == Operator::attn_prefill) return prefill_work(layer, cached_[row], chunk_[row]);
    const double tokens = tokens_ == nullptr ? std::max(chunk_[row], requests_[row]) : tokens_[row];
    return token_work(op, layer, tokens);
  }

 private:
  using Numbers = const double*;
  [[nodiscard]] Numbers numbers(std::string_view name) const { return table_.column(name)->numbers.data(); }

  const Table& table_;
  Numbers hidden_ = nullptr, heads_ = nullptr, key_value_heads_ = nullptr, degree_ = nullptr;
  Numbers chunk_ = nullptr, cached_ = nullptr, requests_ = nullptr, tokens_ = nullptr, ffn_hidden_ = nullptr;
  Numbers vocabulary_ = nullptr;
  const TableColumn* gated_ = nullptr;
};

Seconds least_time(OperatorWork work, const Bounds& bounds) {
  if (work.bytes <= cached_operands) work.bytes = {};
  return std::max(fastest * roofline_time(work, bounds.fast), shortest_kernel);
}

Seconds most_time(const OperatorWork& work, const Bounds& bounds) {
  return slowest * (roofline_time(work, bounds.slow) + slow_launch);
}

/// The times of one operator, and the bounds of each row.
struct TimedRows {
  const Table& table;
  const TableColumn& times;
  std::vector<std::uint32_t> rows;
  std::vector<Seconds> least;  ///< [index into rows]
  std::vector<Seconds> most;
  bool slow_is_error;  ///< true where the bounds are for this device
};

/// The preferred statistic of predictions, used for the check.
const TableColumn* checked_column(const Table& table, Operator op) {
  const TableColumn* median = time_column(table, op, Statistic::median);
  return median != nullptr ? median : time_column(table, op, Statistic::mean);
}

/// Reports rows out of bounds: an error about the unit where half of the rows are, otherwise a warning about single
/// measurements, which are used unchanged.
void report(const TimedRows& timed, std::span<const std::size_t> outliers, bool fast, ProfileProblems& problems) {
  if (outliers.empty()) return;
  const std::size_t first = outliers.front();
  const std::uint32_t row = timed.rows[first];
  const Seconds bound = (fast ? timed.least : timed.most)[first];
  const bool are_many = 2 * outliers.size() >= timed.rows.size();
  std::string reason = short_number(timed.times.numbers[row]) + " ms where " + (fast ? "at least " : "at most ") +
                       short_number(bound / millisecond) + " ms are expected; " + std::to_string(outliers.size()) +
                       " of " + std::to_string(timed.rows.size()) + " rows are out of bounds";
  TableProblems& found = are_many && (fast || timed.slow_is_error) ? problems.errors : problems.warnings;
  found.add(timed.table, timed.table.lines[row], timed.times.name,
            timed.times.name + (fast ? " is shorter than possible on the device" : " is very long"), std::move(reason),
            are_many ? "Times must be in milliseconds: check the unit of this table" : "Check these measurements");
}

void check_times(const TimedRows& timed, ProfileProblems& problems) {
  std::vector<std::size_t> fast;
  std::vector<std::size_t> slow;
  for (std::size_t i = 0; i < timed.rows.size(); ++i) {
    const Seconds time = timed.times.numbers[timed.rows[i]] * millisecond;
    if (time > Seconds{} && time < timed.least[i]) fast.push_back(i);
    if (time > timed.most[i]) slow.push_back(i);
  }
  report(timed, fast, true, problems);
  report(timed, slow, false, problems);
}

/// Rows with a time of the operator. `bounds_of_row`: minimum and maximum time of a row.
template <class IsOfRow, class BoundsOfRow>
TimedRows timed_rows(const Table& table, const TableColumn& times, IsOfRow is_of_row, BoundsOfRow bounds_of_row) {
  TimedRows timed{table, times, {}, {}, {}, false};
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    if (!is_given(times.numbers[row]) || !is_of_row(row)) continue;
    const auto [least, most] = bounds_of_row(row);
    timed.rows.push_back(row);
    timed.least.push_back(least);
    timed.most.push_back(most);
  }
  return timed;
}

void check_layers(const Table& table, ProfileFile file, const DeviceRates* device, ProfileProblems& problems) {
  const Bounds bounds = bounds_of(device);
  const WorkOfRows work(table, file);
  const TableColumn* chunk = table.column(column_names::chunk);
  for (const Operator op : operators_of(file)) {
    const TableColumn* times = checked_column(table, op);
    if (times == nullptr) continue;
    const auto is_of_row = [&](std::uint32_t row) {
      const OperatorKind kind = kind_of(op);
      if (kind != OperatorKind::prefill && kind != OperatorKind::decode) return true;
      return (chunk->numbers[row] == 0.0) == (kind == OperatorKind::decode);
    };
    const auto bounds_of_row = [&](std::uint32_t row) {
      const OperatorWork done = work.of(op, row);
      return std::pair(least_time(done, bounds), most_time(done, bounds));
    };
    TimedRows timed = timed_rows(table, *times, is_of_row, bounds_of_row);
    timed.slow_is_error = device != nullptr;
    check_times(timed, problems);
  }
}

/// Bounds on the bandwidth of any network, in addition to a latency.
constexpr Bandwidth fastest_network{10e12};
constexpr Bandwidth slowest_network{0.5e9};  // for large messages
constexpr Seconds longest_latency{10e-3};
/// Bounds on the processor overhead of a batch.
constexpr Seconds shortest_overhead{1e-6};
constexpr Seconds longest_overhead{1.0};

}  // namespace

void check_rates(const Table& table, ProfileFile file, const DeviceRates* device, ProfileProblems& problems) {
  if (file == ProfileFile::tokens || file == ProfileFile::attention) return check_layers(table, file, device, problems);
  const auto all = [](std::uint32_t) { return true; };
  const auto of_processor = [](std::uint32_t) { return std::pair(shortest_overhead, longest_overhead); };
  for (const Operator op : operators_of(file)) {
    const TableColumn* times = checked_column(table, op);
    if (times == nullptr) continue;
    if (file == ProfileFile::processor) {
      check_times(timed_rows(table, *times, all, of_processor), problems);
      continue;
    }
    const std::vector<double>& bytes = table.column(column_names::bytes)->numbers;
    const auto of_network = [&bytes](std::uint32_t row) {
      return std::pair(std::max(Bytes{bytes[row]} / fastest_network, shortest_kernel),
                       Bytes{bytes[row]} / slowest_network + longest_latency);
    };
    check_times(timed_rows(table, *times, all, of_network), problems);
  }
}

}  // namespace dfsweep
