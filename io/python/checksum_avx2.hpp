/// XXH3-128 with instructions of AVX2, apart from the functions that run on every processor.
#pragma once

#include <cstddef>
#include <cstdint>

/// Halves in the order of XXH128_hash_t of the xxHash library, so that its function can take the place of ours.
struct dfsweep_checksum_halves {
  std::uint64_t low;
  std::uint64_t high;
};

/// Pre: the processor has AVX2.
[[nodiscard]] dfsweep_checksum_halves dfsweep_xxh3_128_avx2(const void* bytes, std::size_t size);
