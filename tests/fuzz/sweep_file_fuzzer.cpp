/// libFuzzer target: any bytes as a sweep file (preset `fuzz`); the dictionary and first inputs are those of the
/// mutator.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/plan.hpp"
#include "tests/fuzz/mutator.hpp"
#include "tests/support/sweep_texts.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const dfsweep::SweepSpec spec = dfsweep::read_sweep_text(text, "fuzz.toml", "", dfsweep::toy_reading());
    const dfsweep::RowSource rows(spec);
    if (dfsweep::Plan(spec, rows).block_count() == 0) __builtin_trap();
  } catch (const dfsweep::UserError& error) {
    for (const dfsweep::Problem& problem : error.problems)
      if (problem.at.line == 0) __builtin_trap();
  }
  return 0;
}

/// libFuzzer's own mutations, and every so often one of whole tokens.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  if (seed % 4 == 0) return LLVMFuzzerMutate(data, size, most);
  std::vector<std::string> valid = dfsweep::valid_sweeps();
  if (size > 0) valid.emplace_back(reinterpret_cast<const char*>(data), size);
  const std::string text = dfsweep::mutant(valid, seed);
  const std::size_t length = std::min(text.size(), most);
  std::copy_n(text.begin(), length, data);
  return length;
}
