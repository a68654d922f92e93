#include "io/seal.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

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

bool has_extent(const StoredPlace& place) {
  return place.element_bytes != 0 && place.count != 0 && place.extent <= static_cast<std::uint32_t>(ColumnExtent::file);
}

/// Whether the chunks of a column have a size: it is stored in the place of the offset.
bool has_chunks(const StoredPlace& place) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return has_extent(place) && place.offset != 0 && place.offset <= place.count &&
         place.count <= most / 2 / place.element_bytes;
}

/// Whether the place is inside the file and after the seal; its size must not overflow.
bool is_inside(const StoredPlace& place, std::uint64_t file_size) {
  if (!has_extent(place)) return false;
  if (place.offset < seal_bytes || place.offset > file_size) return false;
  return place.count <= (file_size - place.offset) / place.element_bytes;
}

}  // namespace

std::array<std::byte, seal_bytes> encode_seal(const Seal& seal) {
  if (seal.places.size() < (seal.is_compressed() ? 5 : 2) || seal.places.size() > max_sealed_places)
    throw std::logic_error("a seal has room for 2 to " + std::to_string(max_sealed_places) + " places");
  std::array<std::byte, seal_bytes> bytes = {};
  const SealHeader header{.magic = seal_magic,
                          .format_version = seal.is_compressed() ? compressed_format : contiguous_format,
                          .places = static_cast<std::uint32_t>(seal.places.size()),
                          .file_size = seal.file_size,
                          .frame = seal.frame,
                          .table = seal.table};
  std::memcpy(bytes.data(), &header, sizeof header);
  std::size_t at = sizeof header;
  for (std::size_t i = 0; i < seal.places.size(); ++i) {
    const ColumnPlace& place = seal.places[i];
    const StoredPlace stored{.offset = i < seal.chunk_elements.size() ? seal.chunk_elements[i] : place.offset,
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
  const std::uint32_t others = header.format_version == compressed_format ? 4 : 0;  // places that are no chunked column
  if (header.places < std::max(others + 1, 2U) || header.places > max_sealed_places) return reading;
  const std::uint32_t chunked = others == 0 ? 0 : header.places - others;
  reading.seal = {
      .file_size = header.file_size, .frame = header.frame, .table = header.table, .places = {}, .chunk_elements = {}};
  for (std::uint32_t i = 0; i < header.places; ++i) {
    StoredPlace place;
    std::memcpy(&place, bytes.data() + sizeof header + i * sizeof place, sizeof place);
    if (i < chunked ? !has_chunks(place) : !is_inside(place, header.file_size)) return reading;
    if (i < chunked) reading.seal.chunk_elements.push_back(std::exchange(place.offset, 0));
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
