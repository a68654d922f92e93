/// libFuzzer target: any bytes as a measured table (preset `fuzz`); the first byte chooses which.
#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/sweep/data_tables.hpp"
#include "models/measured_tables/coverage.hpp"
#include "tests/fuzz/fuzzing.hpp"
#include "tests/support/profile_text.hpp"

namespace {

constexpr const char* paths[] = {"compute/a100/lab/small/mlp.csv", "compute/a100/lab/small/attention.csv",
                                 "network/a100_dgx/all_reduce.csv", "cpu_overhead/a100/cpu_overheads.csv"};

std::vector<std::string> valid_tables() {
  return {"0" + dfsweep::small_layer_text(), "1" + dfsweep::small_attention_text(), "2" + dfsweep::small_network_text(),
          "3" + dfsweep::small_processor_text()};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const char* path = paths[data[0] % 4];
  try {
    dfsweep::CsvReader reader(std::string(data + 1, data + size), path);
    const std::vector<dfsweep::Table> tables{dfsweep::as_table(path, dfsweep::read_csv_table(reader))};
    const dfsweep::ProfileReading reading = dfsweep::read_profiles(tables, "profiles");
    for (const dfsweep::DataProblem& problem : reading.errors)
      if (problem.problem.empty()) __builtin_trap();
    for (const dfsweep::LayerProfile& layer : reading.profiles.layers) static_cast<void>(coverage_of(layer));
    static_cast<void>(holes_of(reading.profiles));
  } catch (const dfsweep::UserError& error) {
    dfsweep::check_refusal(error);
  }
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  return dfsweep::mutate(data, size, most, seed, valid_tables());
}
