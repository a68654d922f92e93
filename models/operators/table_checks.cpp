/// Rules that leave rows out, each with its limit.
#include "models/operators/table_checks.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>

#include "models/hash_step.hpp"
#include "models/operators/number_formats.hpp"

namespace dfsweep::operators {

namespace {

constexpr double least_seconds = 1e-6;
constexpr double host_seconds = 30e-6;
/// Times are rounded to six digits, and clocks may be above those of data sheets by some per cent.
constexpr double tolerance = 1.05;
/// Bytes that no last-level cache holds.
constexpr double uncached_bytes = 256e6;
/// Rows at the memory bound that last long enough to be exact; how much faster than the memory impossible ones are,
/// since a warm cache explains less; and the share of them that condemns a table.
constexpr double exact_seconds = 50e-6;
constexpr double beyond_cache = 1.1;
constexpr double impossible_share = 0.15;
constexpr std::size_t fewest_exact_rows = 20;

/// Launched call by call instead of as a graph: the time of the host is inside.
bool is_eager(const OperatorTable& table) {
  return table.family == Family::own_all_reduces && table.kernel.ends_with("_eager");
}

/// Families whose kernels all take less than host_seconds for small sizes.
bool is_short(Family family) {
  return family != Family::experts && family != Family::latent_prompts && family != Family::latent_decoding &&
         family != Family::token_exchanges;
}

bool is_exchange_family(Family family) {
  return family >= Family::library_exchanges;
}

/// Whether no device runs the row in its time. Caches serve what fits into them faster than the memory.
bool is_impossible(const OperatorTable& table, std::size_t row, const TableSetting& setting) {
  const double seconds = static_cast<double>(table.seconds[row]) * tolerance;
  const OperatorWork work = work_of(table.family, keys_of(table, row), setting);
  if (is_exchange_family(table.family)) return work.bytes.value() > setting.link.value() * seconds;
  if (work.flop.value() > setting.rates.peak.value() * seconds) return true;
  // Uneven routing visits fewer experts than the expected number.
  if (table.family == Family::experts && keys_of(table, row)[7] > 0.0) return false;
  return work.bytes.value() > uncached_bytes && work.bytes.value() > setting.rates.bandwidth.value() * seconds;
}

/// Whether more than impossible_share of the long rows at the memory bound are impossible.
bool is_impossible_table(const OperatorTable& table, const TableSetting& setting) {
  if (table.family != Family::decoding) return false;  // elsewhere caches explain such rows
  std::size_t exact = 0;
  std::size_t impossible = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double seconds = static_cast<double>(table.seconds[row]);
    const double least = (work_of(table.family, keys_of(table, row), setting).bytes / setting.rates.bandwidth).value();
    if (seconds < exact_seconds || least < 0.5 * seconds) continue;
    ++exact;
    if (least > beyond_cache * seconds) ++impossible;
  }
  return exact >= fewest_exact_rows && static_cast<double>(impossible) > impossible_share * static_cast<double>(exact);
}

template <class Predicate>
std::size_t erase_rows(OperatorTable& table, const Predicate& is_erased) {
  const std::size_t count = info_of(table.family).keys.size();
  std::size_t kept = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (is_erased(row)) continue;
    std::copy_n(table.keys.begin() + static_cast<std::ptrdiff_t>(row * count), count,
                table.keys.begin() + static_cast<std::ptrdiff_t>(kept * count));
    table.seconds[kept++] = table.seconds[row];
  }
  const std::size_t erased = table.rows() - kept;
  table.keys.resize(kept * count);
  table.seconds.resize(kept);
  return erased;
}

std::size_t clear(OperatorTable& table) {
  return erase_rows(table, [](std::size_t) { return true; });
}

/// A hash of family, keys and times that does not depend on the order of the rows.
std::uint64_t content_hash(const OperatorTable& table) {
  const std::size_t count = info_of(table.family).keys.size();
  std::uint64_t sum = static_cast<std::uint64_t>(table.family) + table.rows() * family_count;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    std::uint64_t hash = 1;
    for (std::size_t k = 0; k < count; ++k)
      hash = hash_step(hash, std::bit_cast<std::uint32_t>(table.keys[row * count + k]));
    sum += hash_step(hash, std::bit_cast<std::uint32_t>(table.seconds[row]));
  }
  return sum;
}

}  // namespace

std::string_view meaning_of(LeftOutReason reason) {
  constexpr std::array<std::string_view, 7> meanings{
      "below a microsecond",
      "faster than the device",
      "many of its rows are faster than the memory of the device",
      "the time of the host: never below 30 us, or launched one by one",
      "the same as another table, digit by digit",
      "a format whose bytes are unknown",
      "a system that the catalogue does not have",
  };
  return meanings[static_cast<std::size_t>(reason)];
}

std::string place_text(const OperatorTable& table) {
  std::string text = std::string(info_of(table.family).name) + ",";
  for (const std::string* name :
       {&table.system, &table.engine, &table.version, &table.kernel, &table.format, &table.cache, &table.variant})
    if (!name->empty()) text += " " + *name;
  return text;
}

std::vector<LeftOutRows> leave_out_rows(OperatorTable& table, const TableSetting& setting) {
  std::vector<LeftOutRows> left_out;
  const auto note = [&](LeftOutReason reason, std::size_t rows) {
    if (rows > 0) left_out.push_back({place_text(table), reason, rows});
  };
  note(LeftOutReason::no_time,
       erase_rows(table, [&](std::size_t row) { return !(static_cast<double>(table.seconds[row]) >= least_seconds); }));
  if (table.rows() == 0) return left_out;
  const auto least = static_cast<double>(*std::min_element(table.seconds.begin(), table.seconds.end()));
  const bool never_short = is_short(table.family) && table.rows() >= fewest_exact_rows && least >= host_seconds;
  if (never_short || is_eager(table))
    note(LeftOutReason::host_bound, clear(table));
  else if (is_impossible_table(table, setting))
    note(LeftOutReason::impossible, clear(table));
  else
    note(LeftOutReason::impossible_rows,
         erase_rows(table, [&](std::size_t row) { return is_impossible(table, row, setting); }));
  return left_out;
}

std::optional<std::string> wrong_unit(const OperatorTable& table, const TableSetting& setting) {
  constexpr double too_short = 2e-7;
  constexpr double too_long = 1e-3;
  if (table.rows() < fewest_exact_rows) return std::nullopt;
  const auto shorter = std::count_if(table.seconds.begin(), table.seconds.end(),
                                     [](float time) { return time > 0.0F && static_cast<double>(time) < too_short; });
  if (2 * static_cast<std::size_t>(shorter) > table.rows())
    return "half of its times are below 0.2 us; are they seconds?";
  const auto longest_least = [&] {
    double ratio = 1e300;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const double least = least_time(table.family, keys_of(table, row), setting).value();
      ratio = std::min(ratio, static_cast<double>(table.seconds[row]) / (least + 20e-6));
    }
    return ratio;
  };
  const auto least = static_cast<double>(*std::min_element(table.seconds.begin(), table.seconds.end()));
  if (least > too_long && longest_least() > 30.0)
    return "all of its times are 30 times what the work needs, and above a millisecond; are they microseconds?";
  return std::nullopt;
}

std::vector<LeftOutRows> leave_out_copies(std::span<OperatorTable> tables) {
  std::vector<LeftOutRows> left_out;
  std::map<std::uint64_t, const OperatorTable*> seen;
  for (OperatorTable& table : tables) {
    if (table.rows() < fewest_exact_rows) continue;
    if (seen.emplace(content_hash(table), &table).second) continue;
    const std::size_t rows = clear(table);
    left_out.push_back({place_text(table), LeftOutReason::copy, rows});
  }
  return left_out;
}

std::optional<TableSetting> setting_of(const OperatorTable& table, const TableDevice& device) {
  const auto format =
      table.format.empty() ? TableFormat{MatrixFormat::bits16, 2.0, 2.0, 0.0} : table_format(table.format);
  if (!format) return std::nullopt;
  TableSetting setting;
  const Throughput eight = device.peak_8bit > Throughput{} ? device.peak_8bit : device.peak_16bit;
  const Throughput four = device.peak_4bit > Throughput{} ? device.peak_4bit : eight;
  setting.rates = {format->products == MatrixFormat::bits16  ? device.peak_16bit
                   : format->products == MatrixFormat::bits8 ? eight
                                                             : four,
                   device.memory_bandwidth};
  setting.link = device.link;
  setting.network = device.network;
  setting.node_devices = std::min(device.node_devices, 8.0);
  setting.activation_bytes = format->activation_bytes;
  setting.weight_bytes = format->weight_bytes;
  setting.quantised = format->quantised;
  // Since Turing, matrix units multiply 8-bit integers twice as fast as 16-bit numbers, also where data sheets of
  // 8-bit floating-point rates say nothing.
  if (table.format == "sq" && !(device.peak_8bit > Throughput{})) setting.rates.peak = 2.0 * device.peak_16bit;
  if (!table.cache.empty()) setting.weight_bytes = table_format(table.cache).value_or(TableFormat{}).weight_bytes;
  if (table.kernel.find("nongated") != std::string::npos) setting.products = 2.0;
  const auto has = [&table](std::string_view word) { return table.variant.find(word) != std::string::npos; };
  if (table.family == Family::token_exchanges && has("dispatch")) setting.activation_bytes = 1.0;
  if (has("alltoall_prepare")) setting.activation_bytes = 0.0;  // counts of tokens only
  const bool is_all_reduce = table.family == Family::own_all_reduces || has("all_reduce");
  setting.passes = is_all_reduce ? 2.0 : 1.0;
  const bool has_protocols = table.family == Family::library_exchanges && !has("alltoall");
  setting.protocols = has_protocols && !(setting.link < slowest_switch) ? 2.0 : 1.0;
  return setting;
}

}  // namespace dfsweep::operators
