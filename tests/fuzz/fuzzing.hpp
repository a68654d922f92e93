/// What the libFuzzer targets share: how inputs are changed, and what a refusal must say.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "io/diagnostic.hpp"
#include "tests/fuzz/mutator.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace dfsweep {

/// libFuzzer's own mutations, and mostly those of whole tokens, of the input or one of the `valid` ones.
inline std::size_t mutate(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed,
                          std::vector<std::string> valid) {
  if (seed % 4 == 0) return LLVMFuzzerMutate(data, size, most);
  if (size > 0) valid.emplace_back(reinterpret_cast<const char*>(data), size);
  const std::string text = mutant(valid, seed);
  const std::size_t length = std::min(text.size(), most);
  std::copy_n(text.begin(), length, data);
  return length;
}

/// Every problem names its line.
inline void check_refusal(const UserError& error) {
  for (const Problem& problem : error.problems)
    if (problem.at.line == 0) __builtin_trap();
}

}  // namespace dfsweep
