/// The checksum of the store as C functions, for the Python package: libdfsweep_checksum.so.
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "io/checksum.hpp"
#include "io/checksum_avx2.hpp"

namespace {

/// Fills `bytes` from a file. False where the file ends before, or cannot be read.
bool read_exactly(int descriptor, std::uint64_t offset, std::byte* bytes, std::uint64_t size) {
  while (size > 0) {
    const ssize_t count = pread(descriptor, bytes, size, static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    const auto read = static_cast<std::uint64_t>(count);
    offset += read;
    bytes += read;
    size -= read;
  }
  return true;
}

}  // namespace

extern "C" {

/// XXH3-128 of `size` bytes.
__attribute__((visibility("default"))) dfsweep_checksum_halves dfsweep_xxh3_128(const void* bytes, std::size_t size) {
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

/// Reads `count` adjacent blocks of a file, from `offset` on, and compares each while it is in the processor's cache.
/// Returns as dfsweep_first_damaged; where a block cannot be read, `count` + 1.
__attribute__((visibility("default"))) std::size_t dfsweep_read_verified(int descriptor, std::uint64_t offset,
                                                                         void* bytes, const std::uint64_t* ends,
                                                                         const std::uint64_t* expected,
                                                                         std::size_t count) {
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::byte* const block = static_cast<std::byte*>(bytes) + begin;
    const std::uint64_t size = ends[i] - begin;
    if (!read_exactly(descriptor, offset + begin, block, size)) return count + 1;
    if (dfsweep_first_damaged(block, &size, &expected[2 * i], 1) != 1) return i;
    begin = ends[i];
  }
  return count;
}

}  // extern "C"
