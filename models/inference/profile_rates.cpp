/// Times of measured tables against the roofline of the device. Source: [roofline]
///
/// An operator of `flop` operations on `bytes` of memory takes at least max(flop / peak, bytes / bandwidth); a kernel
/// takes at least some tenths of a microsecond. Times of a table in seconds, read as milliseconds, are a thousandth of
/// what they should be and fall below; times in microseconds are far above.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "models/inference/profile_checks.hpp"

namespace dfsweep {

namespace {

constexpr double milliseconds = 1e-3;
constexpr double word = 2.0;  // bytes of a number, FP16 or BF16

/// Which times are believed, as multiples of the roofline.
struct Bounds {
  double peak_flops;       ///< no device is faster
  double bandwidth;        ///< no device is faster
  double slow_peak_flops;  ///< a device of any use is faster
  double slow_bandwidth;
};
constexpr double fastest = 0.5;    // of the roofline: clocks above the nominal one, chips of another form
constexpr double slowest = 300.0;  // times the roofline and a launch: small operators reach a hundredth of it
constexpr double launch_seconds = 20e-6;
constexpr double shortest_kernel = 1e-7;
/// Operands below this may stay in caches from one repetition to the next, where memory bounds nothing.
constexpr double cached_bytes = 256e6;
constexpr Bounds of_any_device{20e15, 40e12, 5e12, 100e9};

Bounds bounds_of(const DeviceRate* device) {
  if (device == nullptr) return of_any_device;
  return {device->peak_flops, device->bandwidth, device->peak_flops, device->bandwidth};
}

/// What an operator does in one row.
struct Work {
  double flop = 0.0;
  double bytes = 0.0;
};

/// The columns of a table that its work depends on. Pre: they are there and hold whole numbers.
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
      gated_ = table.column(column_names::gated);
    }
  }

  /// 2 m k n operations of a matrix product, and its operands once.
  [[nodiscard]] Work of(Operator op, std::size_t row) const {
    const double hidden = hidden_[row];
    const double head_dim = hidden / heads_[row];
    const double key_value = std::ceil(key_value_heads_[row] / degree_[row]) * head_dim;
    const double own_hidden = hidden / degree_[row];
    switch (op) {
      case Operator::attn_pre_proj:
        return product(tokens_[row], hidden, own_hidden + 2.0 * key_value);
      case Operator::attn_post_proj:
        return product(tokens_[row], own_hidden, hidden);
      case Operator::mlp_up_proj:
        return product(tokens_[row], hidden, (is_gated(row) ? 2.0 : 1.0) * ffn_hidden_[row] / degree_[row]);
      case Operator::mlp_down_proj:
        return product(tokens_[row], ffn_hidden_[row] / degree_[row], hidden);
      case Operator::attn_prefill: {
        const double pairs = chunk_[row] * (cached_[row] + chunk_[row] / 2.0);
        return {4.0 * pairs * own_hidden, 2.0 * word * key_value * (cached_[row] + chunk_[row])};
      }
      case Operator::attn_decode:
        return {0.0, 2.0 * word * key_value * requests_[row] * cached_[row]};
      case Operator::attn_kv_cache_save:
        return {0.0, 2.0 * word * key_value * std::max(chunk_[row], requests_[row])};
      case Operator::mlp_act:
        return {0.0, word * tokens_[row] * ffn_hidden_[row] / degree_[row]};
      default:  // norms, rotation and addition read and write the tokens
        return {0.0, 2.0 * word * tokens_[row] * own_hidden};
    }
  }

 private:
  using Numbers = const double*;
  [[nodiscard]] Numbers numbers(std::string_view name) const { return table_.column(name)->numbers.data(); }
  [[nodiscard]] bool is_gated(std::size_t row) const {
    if (gated_->numbers[row] == 1.0) return true;
    return !gated_->texts.empty() && (gated_->texts[row] == "True" || gated_->texts[row] == "true");
  }
  static Work product(double m, double k, double n) { return {2.0 * m * k * n, word * (m * k + k * n + m * n)}; }

  const Table& table_;
  Numbers hidden_, heads_, key_value_heads_, degree_;
  Numbers chunk_ = nullptr, cached_ = nullptr, requests_ = nullptr, tokens_ = nullptr, ffn_hidden_ = nullptr;
  const TableColumn* gated_ = nullptr;
};

double least_seconds(const Work& work, const Bounds& bounds) {
  const double memory = work.bytes > cached_bytes ? work.bytes / bounds.bandwidth : 0.0;
  return std::max({fastest * work.flop / bounds.peak_flops, fastest * memory, shortest_kernel});
}

double most_seconds(const Work& work, const Bounds& bounds) {
  return slowest * (std::max(work.flop / bounds.slow_peak_flops, work.bytes / bounds.slow_bandwidth) + launch_seconds);
}

/// Rows of one column that are out of bounds: the first, and how many.
struct Outliers {
  std::size_t first = 0;
  std::size_t count = 0;
  void add(std::size_t row) {
    if (count++ == 0) first = row;
  }
};

void report(const Table& table, const TableColumn& column, const Outliers& rows, double bound, std::string_view side,
            TableProblems& problems) {
  if (rows.count == 0) return;
  std::string reason = short_number(column.numbers[rows.first]) + " ms, and " + std::string(side) + " " +
                       short_number(bound / milliseconds) + " ms";
  if (rows.count > 1) reason += "; so are " + std::to_string(rows.count - 1) + " more rows";
  problems.add(table, table.lines[rows.first], column.name,
               column.name + (side.starts_with("no") ? " is shorter than the device can do" : " is very long"),
               std::move(reason), "Times are milliseconds: is the unit of this table another one?");
}

constexpr std::string_view not_below = "no device takes less than";
constexpr std::string_view not_above = "such work should take less than";

bool is_of_row(Operator op, ProfileFile file, const TableColumn* chunk, std::size_t row) {
  if (file != ProfileFile::attention || op == Operator::attn_kv_cache_save) return true;
  return (chunk->numbers[row] == 0.0) == (op == Operator::attn_decode);
}

void check_layers(const Table& table, ProfileFile file, const DeviceRate* device, ProfileProblems& problems) {
  const Bounds bounds = bounds_of(device);
  const WorkOfRows work(table, file);
  const TableColumn* chunk = table.column(column_names::chunk);
  for (const Operator op : operators_of(file))
    for (std::size_t s = 0; s < statistic_names.size(); ++s) {
      const TableColumn* column = time_column(table, op, static_cast<Statistic>(s));
      if (column == nullptr) continue;
      Outliers fast;
      Outliers slow;
      for (std::size_t row = 0; row < table.rows(); ++row) {
        const double seconds = column->numbers[row] * milliseconds;
        if (!(seconds > 0.0) || !is_of_row(op, file, chunk, row)) continue;
        const Work done = work.of(op, row);
        if (seconds < least_seconds(done, bounds)) fast.add(row);
        if (seconds > most_seconds(done, bounds)) slow.add(row);
      }
      report(table, *column, fast, least_seconds(work.of(op, fast.first), bounds), not_below, problems.errors);
      report(table, *column, slow, most_seconds(work.of(op, slow.first), bounds), not_above,
             device == nullptr ? problems.warnings : problems.errors);
    }
}

/// Bounds of any network between devices, beyond a latency; processors' overheads have a range of their own.
constexpr double fastest_network = 10e12;  // B/s
constexpr double slowest_network = 0.5e9;  // B/s, at sizes that fill it
constexpr double longest_latency = 10e-3;
constexpr double shortest_overhead = 1e-6;
constexpr double longest_overhead = 1.0;

void check_span(const Table& table, const TableColumn& column, ProfileProblems& problems, auto least, auto most) {
  Outliers fast;
  Outliers slow;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double seconds = column.numbers[row] * milliseconds;
    if (seconds > 0.0 && seconds < least(row)) fast.add(row);
    if (seconds > most(row)) slow.add(row);
  }
  report(table, column, fast, least(fast.first), not_below, problems.errors);
  report(table, column, slow, most(slow.first), not_above, problems.warnings);
}

}  // namespace

void check_rates(const Table& table, ProfileFile file, const DeviceRate* device, ProfileProblems& problems) {
  if (file == ProfileFile::tokens || file == ProfileFile::attention) return check_layers(table, file, device, problems);
  for (const Operator op : operators_of(file))
    for (const Statistic statistic : {Statistic::median, Statistic::mean}) {
      const TableColumn* column = time_column(table, op, statistic);
      if (column == nullptr) continue;
      if (file == ProfileFile::processor) {
        check_span(
            table, *column, problems, [](std::size_t) { return shortest_overhead; },
            [](std::size_t) { return longest_overhead; });
        continue;
      }
      const std::vector<double>& bytes = table.column(column_names::bytes)->numbers;
      check_span(
          table, *column, problems,
          [&](std::size_t row) { return std::max(bytes[row] / fastest_network, shortest_kernel); },
          [&](std::size_t row) { return bytes[row] / slowest_network + longest_latency; });
    }
}

}  // namespace dfsweep
