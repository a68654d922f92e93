/// Measured operators: prints what reading a folder, fitting the tables of one engine and pricing points take.
///
///     operators_bench [FOLDER]        (default: the sample of the tests)
#include <fmt/format.h>

#include <cstdlib>

#include "engine/catalogue/catalogue.hpp"
#include "engine/parallel/threads.hpp"
#include "engine/operators/operator_folder.hpp"
#include "engine/sweep/data_tables.hpp"
#include "models/operators/table_predictor.hpp"
#include "tests/bench/clocks.hpp"

using namespace dfsweep;
using namespace dfsweep::operators;
using dfsweep::testing::clock_seconds;
using dfsweep::testing::processor_seconds;

namespace {

constexpr int rounds = 3;

struct Cost {
  double processor = 1e300;
  double clock = 1e300;
};

/// The best of some rounds, all threads of the process.
template <class Work>
Cost best_of(const Work& work) {
  Cost best;
  for (int round = 0; round < rounds; ++round) {
    const double processor = processor_seconds(CLOCK_PROCESS_CPUTIME_ID);
    const double clock = clock_seconds();
    work();
    best.processor = std::min(best.processor, processor_seconds(CLOCK_PROCESS_CPUTIME_ID) - processor);
    best.clock = std::min(best.clock, clock_seconds() - clock);
  }
  return best;
}

/// The first table of the folder's largest engine and system, and all others of the two.
std::vector<std::size_t> tables_of_one_engine(const OperatorFolder& folder) {
  std::size_t largest = 0;
  for (std::size_t i = 0; i < folder.tables.size(); ++i)
    if (folder.tables[i].rows() > folder.tables[largest].rows()) largest = i;
  std::vector<std::size_t> tables;
  for (std::size_t i = 0; i < folder.tables.size(); ++i)
    if (folder.tables[i].system == folder.tables[largest].system &&
        folder.tables[i].engine == folder.tables[largest].engine)
      tables.push_back(i);
  return tables;
}

/// Points between the rows of a table: keys 1.1 times as large.
double points_per_second(const OperatorTable& table, const TablePredictor& predictor) {
  std::vector<Keys> points;
  for (std::size_t row = 0; row < table.rows() && points.size() < 20000; row += 1 + table.rows() / 20000) {
    points.push_back(keys_of(table, row));
    points.back()[0] *= 1.1;
  }
  double sum = 0.0;
  const Cost cost = best_of([&] {
    for (int repeat = 0; repeat < 10; ++repeat)
      for (const Keys& keys : points) sum += predictor.time(keys).value();
  });
  if (!(sum > 0.0)) std::abort();
  return 10.0 * static_cast<double>(points.size()) / cost.processor;
}

}  // namespace

int main(int count, char** arguments) {
  const std::filesystem::path path =
      count > 1 ? std::filesystem::path(arguments[1]) : std::filesystem::path(DFSWEEP_GOLDEN_DIR) / "data/operators";
  const Catalogue catalogue = catalogue_with({});
  const unsigned cores = allowed_cores();
  OperatorFolder folder;
  const Cost reading = best_of([&] { folder = read_operator_folder(path, catalogue, cores); });
  fmt::print("{} rows read and checked, {} threads: {:.2f} s of processors, {:.2f} s by the clock\n", folder.rows_read,
             cores, reading.processor, reading.clock);
  const std::vector<std::size_t> chosen = tables_of_one_engine(folder);
  std::vector<std::optional<TablePredictor>> predictors(chosen.size());
  const Cost fitting = best_of([&] {
    parallel_for(chosen.size(), cores,
                 [&](std::size_t i) { predictors[i].emplace(folder.tables[chosen[i]], folder.settings[chosen[i]]); });
  });
  fmt::print("{} tables of {} {} fitted: {:.2f} s of processors, {:.2f} s by the clock\n", chosen.size(),
             folder.tables[chosen[0]].engine, folder.tables[chosen[0]].system, fitting.processor, fitting.clock);
  for (std::size_t f = 0; f < family_count; ++f) {
    std::size_t largest = chosen.size();
    for (std::size_t i = 0; i < chosen.size(); ++i)
      if (folder.tables[chosen[i]].family == family_at(f) &&
          (largest == chosen.size() || folder.tables[chosen[i]].rows() > folder.tables[chosen[largest]].rows()))
        largest = i;
    if (largest == chosen.size()) continue;
    const OperatorTable& table = folder.tables[chosen[largest]];
    fmt::print("{:<20} {:>7} rows: {:.2f} million points per second and core\n", info_of(table.family).name,
               table.rows(), 1e-6 * points_per_second(table, *predictors[largest]));
  }
}
