/// XXH3-128 with instructions of AVX2, apart from the functions that run on every processor. Nothing here may use
/// templates of the standard library: the linker could take their AVX2 code for all others.
#pragma once

#include <cstddef>
#include <cstdint>

/// Halves in the order of XXH128_hash_t of the xxHash library, so that either function can be called.
struct dfsweep_checksum_halves {
  std::uint64_t low;
  std::uint64_t high;
};

/// Pre: the processor has AVX2.
[[nodiscard]] dfsweep_checksum_halves dfsweep_xxh3_128_avx2(const void* bytes, std::size_t size);
/// Adds bytes to a state of the xxHash library (XXH3_state_t). Pre: the processor has AVX2.
void dfsweep_xxh3_128_update_avx2(void* state, const void* bytes, std::size_t size);
