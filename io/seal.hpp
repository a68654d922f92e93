/// Seal: the first bytes of a published file. They hold size, offsets and checksums of the rest, so that plain reads
/// detect a damaged file before HDF5 parses it. docs/dataset.md specifies the bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "io/checksum.hpp"
#include "io/dataset.hpp"

namespace dfsweep {

/// Format version of new files. Files of version 1 have no seal; those of version 2 have the code 0 for status ok.
inline constexpr std::uint32_t newest_format = 3;
/// The first format version with a seal.
inline constexpr std::uint32_t first_sealed_format = 2;

struct Seal {
  std::uint64_t file_size = 0;
  Checksum frame;  ///< checksum of all bytes outside the seal and the places
  Checksum table;  ///< checksum of the bytes of the last two places, in this order
  /// Columns that blocks fill, in file order; then /provenance/block and /provenance/checksums. Paths are not stored.
  std::vector<ColumnPlace> places;
};

/// Capacity of a seal.
inline constexpr std::size_t max_sealed_places = 338;

/// Pre: 2 <= seal.places.size() <= max_sealed_places.
[[nodiscard]] std::array<std::byte, seal_bytes> encode_seal(const Seal& seal);

enum class SealState : std::uint8_t {
  missing,  ///< the file does not begin with a seal
  damaged,  ///< the checksum of the seal itself does not match
  newer,    ///< the format version is unknown to this program
  intact,
};

struct SealReading {
  SealState state = SealState::missing;
  Seal seal;  ///< if intact: all places are inside the file, after the seal
};

/// Reads the seal from the first bytes of a file; fewer than seal_bytes bytes are never intact.
[[nodiscard]] SealReading decode_seal(std::span<const std::byte> bytes);
[[nodiscard]] SealReading read_seal(const File& file);

}  // namespace dfsweep
