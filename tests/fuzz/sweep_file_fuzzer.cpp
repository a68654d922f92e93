/// libFuzzer target: any bytes as a sweep file (preset `fuzz`); the dictionary and first inputs are those of the
/// mutator.
#include <cstddef>
#include <cstdint>

#include "engine/plan/plan.hpp"
#include "engine/sweep/read_sweep.hpp"
#include "tests/fuzz/fuzzing.hpp"
#include "tests/support/sweep_texts.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const dfsweep::SweepSpec spec = dfsweep::read_sweep_text(text, "fuzz.toml", "", dfsweep::toy_reading());
    const dfsweep::RowSource rows(spec);
    if (dfsweep::Plan(spec, rows).block_count() == 0) __builtin_trap();
  } catch (const dfsweep::UserError& error) {
    dfsweep::check_refusal(error);
  }
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  return dfsweep::mutate(data, size, most, seed, dfsweep::valid_sweeps());
}
