/// The checksum of the store as C functions, for the Python package: libdfsweep_checksum.so.
#include <cstddef>
#include <cstdint>

#include "io/checksum.hpp"
#include "io/python/checksum_avx2.hpp"

extern "C" {

/// XXH3-128 of `size` bytes.
__attribute__((visibility("default"))) dfsweep_checksum_halves dfsweep_xxh3_128(const void* bytes, std::size_t size) {
#ifdef DFSWEEP_AVX2
  if (__builtin_cpu_supports("avx2") != 0) return dfsweep_xxh3_128_avx2(bytes, size);
#endif
  const dfsweep::Checksum checksum = dfsweep::xxh3_128({static_cast<const std::byte*>(bytes), size});
  return {.low = checksum.low, .high = checksum.high};
}

/// The first of `count` adjacent blocks whose checksum is not the expected one, or `count`. `ends`: bytes from the
/// first block to the end of each; `expected`: high and low half for each.
__attribute__((visibility("default"))) std::size_t dfsweep_first_damaged(const void* bytes, const std::uint64_t* ends,
                                                                         const std::uint64_t* expected,
                                                                         std::size_t count) {
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const dfsweep_checksum_halves found =
        dfsweep_xxh3_128(static_cast<const std::byte*>(bytes) + begin, static_cast<std::size_t>(ends[i] - begin));
    if (found.high != expected[2 * i] || found.low != expected[2 * i + 1]) return i;
    begin = ends[i];
  }
  return count;
}

}  // extern "C"
