/// XXH3-128 with instructions of AVX2, apart from the functions that run on every processor.
///
/// All functions here need a processor that has them. They take plain types: inline functions of the standard library
/// that were compiled for AVX2 could take the place of those for every processor.
#pragma once

#include <cstddef>
#include <cstdint>

/// Halves in the order of XXH128_hash_t of the xxHash library, so that its function can take the place of ours.
struct dfsweep_checksum_halves {
  std::uint64_t low;
  std::uint64_t high;
};

/// The state of a checksum of bytes that arrive in pieces.
struct dfsweep_avx2_stream;

[[nodiscard]] dfsweep_checksum_halves dfsweep_xxh3_128_avx2(const void* bytes, std::size_t size);
/// A state before the first byte. dfsweep_avx2_stream_delete() ends it.
[[nodiscard]] dfsweep_avx2_stream* dfsweep_avx2_stream_new();
void dfsweep_avx2_stream_delete(dfsweep_avx2_stream* stream);
void dfsweep_avx2_stream_reset(dfsweep_avx2_stream* stream);
void dfsweep_avx2_stream_update(dfsweep_avx2_stream* stream, const void* bytes, std::size_t size);
[[nodiscard]] dfsweep_checksum_halves dfsweep_avx2_stream_digest(const dfsweep_avx2_stream* stream);
