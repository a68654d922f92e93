/// libFuzzer target: any bytes for the reader DFSWEEP_FUZZED_INPUT (preset `fuzz`); first inputs are in corpus/.
#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "tests/fuzz/fuzzing.hpp"
#include "tests/fuzz/inputs.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const dfsweep::fuzzed::Reader& reader : dfsweep::fuzzed::readers) {
    if (std::string_view(reader.name) != DFSWEEP_FUZZED_INPUT) continue;
    try {
      static_cast<void>(dfsweep::fuzzed::accepts(reader, text));
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      __builtin_trap();
    }
  }
  return 0;
}
