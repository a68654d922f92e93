/// Pages of large results: prints how long a report of 14 metrics takes, as multiples of reading its columns once, and
/// how that depends on threads.
#include <fmt/format.h>

#include <chrono>
#include <random>
#include <span>

#include "engine/parallel/threads.hpp"
#include "engine/report/reduction/reduce.hpp"
#include "engine/report/report_json.hpp"
#include "engine/report/report_page.hpp"
#include "tests/support/small_result.hpp"

using namespace dfsweep;

namespace {

constexpr std::size_t rows = 2'000'000;
constexpr std::size_t metric_count = 14;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// A grid of four axes of names and two of numbers, in the order of a sweep; one row in eight is rejected.
void write_rows(const std::filesystem::path& path) {
  SmallResult result(rows);
  const std::vector<std::string> names = {"a", "b", "c", "d", "e"};
  std::size_t stride = rows;
  for (const char* axis : {"device", "memory", "topology", "interconnect"}) {
    std::vector<std::int16_t> codes(rows);
    stride /= names.size();
    for (std::size_t row = 0; row < rows; ++row) codes[row] = static_cast<std::int16_t>(row / stride % names.size());
    result.labels(axis, names, codes);
  }
  for (const std::size_t values : {8U, 200U}) {
    std::vector<std::int64_t> numbers(rows);
    stride /= values;
    for (std::size_t row = 0; row < rows; ++row)
      numbers[row] = static_cast<std::int64_t>(1 + row / std::max<std::size_t>(stride, 1) % values);
    result.wholes(values == 8 ? "tensor_parallel" : "global_batch", numbers);
  }
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> any(1.0, 1000.0);
  std::vector<std::uint8_t> status(rows);
  for (std::uint8_t& code : status) code = random() % 8 == 0 ? 2 : 0;
  result.status(status);
  const char* known[] = {"step_time", "utilization", "system_cost", "system_power", "memory_used"};
  for (std::size_t m = 0; m < metric_count; ++m) {
    std::vector<double> values(rows);
    for (std::size_t row = 0; row < rows; ++row) values[row] = status[row] == 0 ? any(random) : std::nan("");
    result.metric(m < std::size(known) ? known[m] : fmt::format("metric_{}", m), "s", m == 1 ? "higher" : "lower",
                  values);
  }
  result.write(path);
}

/// What any answer about all columns costs at least.
double reading_seconds(const DatasetReader& file) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<double> values(report::chunk_rows);
  for (const RowRange& slab : report::row_slabs(file, report::chunk_rows))
    for (const DatasetColumn& column : file.columns())
      file.read(column, slab.first, std::span(values).first(static_cast<std::size_t>(slab.count)));
  return seconds_since(start);
}

}  // namespace

int main() {
  const ScratchFile scratch("result.h5");
  write_rows(scratch.path());
  const DatasetReader file(scratch.path());
  static_cast<void>(reading_seconds(file));  // compares the checksums
  const double reading = reading_seconds(file);
  fmt::print("{} rows of {} metrics; reading all columns once with one thread is 1\n", rows, metric_count);
  for (const unsigned threads : {1U, 2U, 4U}) {
    if (threads > allowed_cores()) break;
    report::ReportRequest request;
    request.threads = threads;
    const auto start = std::chrono::steady_clock::now();
    const report::Report found = report::make_report(file, request);
    const double reduced = seconds_since(start);
    html::Page page = report::report_page(found, {});
    page.data = to_text(report::report_json(found, {}), JsonStyle::one_line);
    const std::size_t bytes = html::html_page(page).size();
    fmt::print("{} threads: reduction {:5.2f}, page {:5.2f} ({:.2f} MB), {:5.1f} M rows/s\n", threads,
               reduced / reading, seconds_since(start) / reading, static_cast<double>(bytes) / 1e6,
               static_cast<double>(rows) / seconds_since(start) / 1e6);
  }
}
