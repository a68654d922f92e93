/// The filters of a compressed chunk, as HDF5 calls them: shuffle, then deflate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dfsweep {

/// Bytes of one number in elements of this size: elements of more than one number have numbers of 64 bits.
[[nodiscard]] constexpr std::size_t shuffled_bytes(std::uint64_t element_bytes) {
  return element_bytes < 8 ? static_cast<std::size_t>(element_bytes) : 8;
}

/// The first bytes of all numbers, then the second ones, and so on, so that similar bytes are adjacent. Pre: both spans
/// have the same size, a multiple of `number_bytes`.
void shuffle(std::span<const std::byte> values, std::size_t number_bytes, std::span<std::byte> shuffled);

/// Upper bound of the size of a compressed chunk.
[[nodiscard]] std::uint64_t max_compressed_bytes(std::uint64_t bytes);

/// The stored bytes of a chunk. `number_bytes`: see shuffled_bytes(); `level`: 1 (fast) to 9 (small). The same values
/// always give the same bytes.
[[nodiscard]] std::vector<std::byte> compressed_chunk(std::span<const std::byte> values, std::size_t number_bytes,
                                                      int level);

/// Fills `values` with a chunk. False if the stored bytes are not those of a chunk of this size.
[[nodiscard]] bool expand_chunk(std::span<const std::byte> stored, std::size_t number_bytes,
                                std::span<std::byte> values);

}  // namespace dfsweep
