#include "io/seal.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

namespace dfsweep {

namespace {

static_assert(std::endian::native == std::endian::little, "seals are little-endian");

constexpr std::array<char, 8> seal_magic = {'D', 'F', 'S', 'W', 'S', 'E', 'A', 'L'};

struct SealHeader {
  std::array<char, 8> magic = {};
  std::uint32_t format_version = 0;
  std::uint32_t places = 0;
  std::uint64_t file_size = 0;
  Checksum frame;
  Checksum table;
};
static_assert(sizeof(SealHeader) == 56);

struct StoredPlace {
  std::uint64_t offset = 0;
  std::uint64_t count = 0;
  std::uint32_t element_bytes = 0;
  std::uint32_t extent = 0;
};
static_assert(sizeof(StoredPlace) == 24);

constexpr std::size_t covered_bytes = seal_bytes - sizeof(Checksum);
static_assert(sizeof(SealHeader) + max_sealed_places * sizeof(StoredPlace) <= covered_bytes);

/// Whether the place is inside the file and after the seal; its size must not overflow.
bool is_inside(const StoredPlace& place, std::uint64_t file_size) {
  if (place.element_bytes == 0 || place.count == 0 || place.extent > static_cast<std::uint32_t>(ColumnExtent::file))
    return false;
  if (place.offset < seal_bytes || place.offset > file_size) return false;
  return place.count <= (file_size - place.offset) / place.element_bytes;
}

}  // namespace

std::array<std::byte, seal_bytes> encode_seal(const Seal& seal) {
  if (seal.places.size() < 2 || seal.places.size() > max_sealed_places)
    throw std::logic_error("a seal has room for 2 to " + std::to_string(max_sealed_places) + " places");
  std::array<std::byte, seal_bytes> bytes = {};
  const SealHeader header{.magic = seal_magic,
                          .format_version = newest_format,
                          .places = static_cast<std::uint32_t>(seal.places.size()),
                          .file_size = seal.file_size,
                          .frame = seal.frame,
                          .table = seal.table};
  std::memcpy(bytes.data(), &header, sizeof header);
  std::size_t at = sizeof header;
  for (const ColumnPlace& place : seal.places) {
    const StoredPlace stored{.offset = place.offset,
                             .count = place.count,
                             .element_bytes = static_cast<std::uint32_t>(place.element_bytes),
                             .extent = static_cast<std::uint32_t>(place.extent)};
    std::memcpy(bytes.data() + at, &stored, sizeof stored);
    at += sizeof stored;
  }
  const Checksum checksum = xxh3_128(std::span(bytes).first(covered_bytes));
  std::memcpy(bytes.data() + covered_bytes, &checksum, sizeof checksum);
  return bytes;
}

SealReading decode_seal(std::span<const std::byte> bytes) {
  SealReading reading;
  SealHeader header;
  if (bytes.size() < sizeof header) return reading;
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.magic != seal_magic) return reading;
  reading.state = SealState::damaged;
  if (bytes.size() < seal_bytes) return reading;
  Checksum checksum;
  std::memcpy(&checksum, bytes.data() + covered_bytes, sizeof checksum);
  if (checksum != xxh3_128(bytes.first(covered_bytes))) return reading;
  if (header.format_version > newest_format) {
    reading.state = SealState::newer;
    return reading;
  }
  if (header.places < 2 || header.places > max_sealed_places) return reading;
  reading.seal = {.file_size = header.file_size, .frame = header.frame, .table = header.table, .places = {}};
  for (std::uint32_t i = 0; i < header.places; ++i) {
    StoredPlace place;
    std::memcpy(&place, bytes.data() + sizeof header + i * sizeof place, sizeof place);
    if (!is_inside(place, header.file_size)) return reading;
    reading.seal.places.push_back({.path = {},
                                   .offset = place.offset,
                                   .element_bytes = place.element_bytes,
                                   .count = place.count,
                                   .extent = static_cast<ColumnExtent>(place.extent)});
  }
  reading.state = SealState::intact;
  return reading;
}

SealReading read_seal(const File& file) {
  std::vector<std::byte> bytes(seal_bytes);
  bytes.resize(file.read_some(0, bytes));
  return decode_seal(bytes);
}

}  // namespace dfsweep
