/// XXH3-128 with instructions of AVX2: three times as fast, for processors that have them.
#include "io/python/checksum_avx2.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

struct dfsweep_avx2_stream {
  XXH3_state_t state;
};

namespace {

dfsweep_checksum_halves halves_of(XXH128_hash_t hash) {
  return {.low = hash.low64, .high = hash.high64};
}

}  // namespace

dfsweep_checksum_halves dfsweep_xxh3_128_avx2(const void* bytes, std::size_t size) {
  return halves_of(XXH3_128bits(bytes, size));
}

dfsweep_avx2_stream* dfsweep_avx2_stream_new() {
  auto* const stream = new dfsweep_avx2_stream;
  dfsweep_avx2_stream_reset(stream);
  return stream;
}

void dfsweep_avx2_stream_delete(dfsweep_avx2_stream* stream) {
  delete stream;
}

void dfsweep_avx2_stream_reset(dfsweep_avx2_stream* stream) {
  XXH3_128bits_reset(&stream->state);
}

void dfsweep_avx2_stream_update(dfsweep_avx2_stream* stream, const void* bytes, std::size_t size) {
  XXH3_128bits_update(&stream->state, bytes, size);
}

dfsweep_checksum_halves dfsweep_avx2_stream_digest(const dfsweep_avx2_stream* stream) {
  return halves_of(XXH3_128bits_digest(&stream->state));
}
