/// Measured operators: prints what reading a folder, fitting the tables of one engine and pricing points take: from the
/// tables themselves, and from the grids that a sweep of `serving` makes of them.
///
///     operators_bench [FOLDER]        (default: the sample of the tests)
#include <fmt/format.h>

#include <cstdlib>

#include "engine/catalogue/catalogue.hpp"
#include "engine/operators/operator_folder.hpp"
#include "engine/parallel/threads.hpp"
#include "engine/sweep/data_tables.hpp"
#include "models/operators/operator_tables.hpp"
#include "models/serving/prices/replica_prices.hpp"
#include "models/serving/step/priced_times.hpp"
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

/// Two devices that serve a decoder of 32 layers of 4096.
serving::Replica small_replica(const Architecture& a, const TableSetting& setting) {
  serving::Replica r;
  r.model = served(a);
  r.accelerator.peak_16bit = setting.rates.peak;
  r.accelerator.memory_bandwidth = setting.rates.bandwidth;
  r.network.inside.bandwidth = setting.link;
  r.network.across.bandwidth = setting.network;
  r.tensor = 2;
  return r;
}

/// What a sweep does: predictions once, then steps of many loads.
void print_steps(OperatorFolder folder, std::size_t chosen) {
  const Architecture a{.layers = 32,
                       .hidden = 4096,
                       .heads = 32,
                       .key_value_heads = 8,
                       .head_dim = 128,
                       .ffn_hidden = 14336,
                       .ffn_matrices = 3,
                       .vocabulary = 128256,
                       .latent = {},
                       .indexer = {},
                       .linear = {},
                       .experts = {}};
  const TableStack stack{folder.tables[chosen].system, folder.tables[chosen].engine, "", ""};
  const serving::Replica r = small_replica(a, folder.settings[chosen]);
  const OperatorTables tables(std::move(folder.tables), std::move(folder.settings));
  const std::vector<serving::StepOperation> operations = step_operations(a, r);
  serving::ReplicaPrices predicted = replica_prices(operations, tables, stack);  // fits the tables
  const Cost predicting = best_of([&] { predicted = replica_prices(operations, tables, stack); });
  serving::StepPrices prices;
  const Cost summing = best_of([&] { prices = step_prices(predicted, tables, r); });
  fmt::print(
      "{} of {} operations of a decoder priced: {:.2f} ms of predictions for a shape, {:.3f} ms of sums for a "
      "device\n",
      predicted.operations.size(), operations.size(), 1e3 * predicting.processor, 1e3 * summing.processor);
  if (prices.priced == 0) return;
  const serving::Costs costs = costs_of(r, &prices);
  constexpr int steps = 200000;
  double sum = 0.0;
  const Cost pricing = best_of([&] {
    for (int i = 0; i < steps; ++i) {
      const double sequences = 1.0 + i % 500;
      sum += priced_time(costs, {.sequences = sequences, .context = 10.0 * i}, sequences, 1.0).time.value();
    }
  });
  if (!(sum > 0.0)) std::abort();
  const double rate = 1e-6 * steps / pricing.processor;
  fmt::print("steps with their errors from grids: {:.2f} million per second and core, of {} operations each\n", rate,
             predicted.operations.size());
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
  const std::size_t first = chosen[0];
  print_steps(std::move(folder), first);
}
