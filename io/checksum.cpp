#include "io/checksum.hpp"

#include <bit>
#include <charconv>

#ifdef DFSWEEP_AVX2
#include "io/checksum_avx2.hpp"
#endif

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace dfsweep {

namespace {

constexpr std::size_t half_digits = 16;

Checksum from_library(XXH128_hash_t hash) {
  return {.high = hash.high64, .low = hash.low64};
}

#ifdef DFSWEEP_AVX2
bool has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}
#endif

}  // namespace

struct ChecksumStream::State {
  XXH3_state_t state;
};

Checksum xxh3_128(std::span<const std::byte> bytes) {
#ifdef DFSWEEP_AVX2
  if (has_avx2()) {
    const dfsweep_checksum_halves halves = dfsweep_xxh3_128_avx2(bytes.data(), bytes.size());
    return {.high = halves.high, .low = halves.low};
  }
#endif
  return from_library(XXH3_128bits(bytes.data(), bytes.size()));
}

void xxh3_64(std::span<const std::uint64_t> numbers, std::span<std::uint64_t> hashes) {
  static_assert(std::endian::native == std::endian::little);
  for (std::size_t i = 0; i < numbers.size(); ++i) hashes[i] = XXH3_64bits(&numbers[i], sizeof numbers[i]);
}

std::string to_hex(const Checksum& checksum) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint64_t half : {checksum.high, checksum.low})
    for (int shift = 60; shift >= 0; shift -= 4) text += digits[(half >> shift) & 0xF];
  return text;
}

std::optional<Checksum> from_hex(std::string_view digits) {
  if (digits.size() != 2 * half_digits) return std::nullopt;
  Checksum checksum;
  for (std::uint64_t* half : {&checksum.high, &checksum.low}) {
    const char* end = digits.data() + half_digits;
    const auto read = std::from_chars(digits.data(), end, *half, 16);
    if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
    digits.remove_prefix(half_digits);
  }
  return checksum;
}

std::string xxh3_128_hex(std::span<const std::byte> bytes) {
  return to_hex(xxh3_128(bytes));
}

std::string xxh3_128_hex(std::string_view text) {
  return xxh3_128_hex(std::as_bytes(std::span(text.data(), text.size())));
}

ChecksumStream::ChecksumStream() : state_(std::make_unique<State>()) {
  reset();
}
ChecksumStream::~ChecksumStream() = default;
ChecksumStream::ChecksumStream(ChecksumStream&&) noexcept = default;
ChecksumStream& ChecksumStream::operator=(ChecksumStream&&) noexcept = default;

void ChecksumStream::update(std::span<const std::byte> bytes) {
#ifdef DFSWEEP_AVX2
  if (has_avx2()) return dfsweep_xxh3_128_update_avx2(&state_->state, bytes.data(), bytes.size());
#endif
  XXH3_128bits_update(&state_->state, bytes.data(), bytes.size());
}

Checksum ChecksumStream::digest() const {
  return from_library(XXH3_128bits_digest(&state_->state));
}

void ChecksumStream::reset() {
  XXH3_128bits_reset(&state_->state);
}

}  // namespace dfsweep
