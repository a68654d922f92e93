/// Checksums of the store, and verified reading, as C functions for the Python package: libdfsweep_checksum.so.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>

#include "io/checksum.hpp"
#include "io/checksum_avx2.hpp"
#include "io/python/verified_blocks.hpp"

namespace {

using dfsweep::python::BlockReader;
using dfsweep::python::FileBlocks;

/// `count` adjacent blocks as C functions are given them: see FileBlocks.
FileBlocks blocks_of(int descriptor, std::uint64_t offset, const std::uint64_t* ends, const std::uint64_t* expected,
                     std::uint8_t* known, std::size_t count) {
  return {.descriptor = descriptor,
          .offset = offset,
          .ends = {ends, count},
          .expected = {expected, 2 * count},
          .known = {known, count}};
}

}  // namespace

#define DFSWEEP_EXPORT extern "C" __attribute__((visibility("default")))

/// XXH3-128 of `size` bytes.
DFSWEEP_EXPORT dfsweep_checksum_halves dfsweep_xxh3_128(const void* bytes, std::size_t size) {
  const dfsweep::Checksum checksum = dfsweep::xxh3_128({static_cast<const std::byte*>(bytes), size});
  return {.low = checksum.low, .high = checksum.high};
}

/// XXH3-128 of bytes that arrive in pieces: begin, update for each piece, end. Null where there is no memory.
DFSWEEP_EXPORT void* dfsweep_stream_begin() {
  try {
    return new dfsweep::ChecksumStream;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

DFSWEEP_EXPORT void dfsweep_stream_update(void* stream, const void* bytes, std::size_t size) {
  static_cast<dfsweep::ChecksumStream*>(stream)->update({static_cast<const std::byte*>(bytes), size});
}

/// The checksum; the stream is gone then.
DFSWEEP_EXPORT dfsweep_checksum_halves dfsweep_stream_end(void* stream) {
  const std::unique_ptr<dfsweep::ChecksumStream> owned(static_cast<dfsweep::ChecksumStream*>(stream));
  const dfsweep::Checksum checksum = owned->digest();
  return {.low = checksum.low, .high = checksum.high};
}

/// The first of `count` adjacent blocks in memory whose checksum is not the expected one, or `count`. `ends`: bytes
/// from the first block to the end of each; `expected`: high and low half for each.
DFSWEEP_EXPORT std::size_t dfsweep_first_damaged(const void* bytes, const std::uint64_t* ends,
                                                 const std::uint64_t* expected, std::size_t count) {
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const dfsweep_checksum_halves found =
        dfsweep_xxh3_128(static_cast<const std::byte*>(bytes) + begin, static_cast<std::size_t>(ends[i] - begin));
    if (found.high != expected[2 * i] || found.low != expected[2 * i + 1]) return i;
    begin = ends[i];
  }
  return count;
}

/// Fills `out` with `size` bytes, from byte `begin` of `count` adjacent blocks on, and compares the blocks that they
/// are of: BlockReader::read.
DFSWEEP_EXPORT std::size_t dfsweep_read_verified(int descriptor, std::uint64_t offset, const std::uint64_t* ends,
                                                 const std::uint64_t* expected, std::uint8_t* known, std::size_t count,
                                                 std::uint64_t begin, void* out, std::size_t size) {
  BlockReader reader(blocks_of(descriptor, offset, ends, expected, known, count));
  return reader.read(begin, {static_cast<std::byte*>(out), size});
}

/// Fills `out` with the elements of `size` rows of `count` adjacent blocks, and compares these blocks:
/// BlockReader::gather. Where elements do not have 1, 2, 4 or 8 bytes: `count` + 1.
DFSWEEP_EXPORT std::size_t dfsweep_gather_verified(int descriptor, std::uint64_t offset, const std::uint64_t* ends,
                                                   const std::uint64_t* expected, std::uint8_t* known,
                                                   std::size_t count, std::size_t element_bytes,
                                                   const std::uint32_t* rows, std::size_t size, void* out) {
  const std::span<const std::uint32_t> wanted{rows, size};
  auto* const bytes = static_cast<std::byte*>(out);
  BlockReader reader(blocks_of(descriptor, offset, ends, expected, known, count));
  switch (element_bytes) {
    case 1:
      return reader.gather<1>(wanted, bytes);
    case 2:
      return reader.gather<2>(wanted, bytes);
    case 4:
      return reader.gather<4>(wanted, bytes);
    case 8:
      return reader.gather<8>(wanted, bytes);
    default:
      return count + 1;
  }
}
