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

/// Format version of new files with contiguous columns, and of compressed ones. Files of version 1 have no seal; those
/// of version 2 have the code 0 for status ok.
inline constexpr std::uint32_t contiguous_format = 3;
inline constexpr std::uint32_t compressed_format = 4;
inline constexpr std::uint32_t newest_format = compressed_format;
/// The first format version with a seal.
inline constexpr std::uint32_t first_sealed_format = 2;

struct Seal {
  std::uint64_t file_size = 0;
  Checksum frame;  ///< checksum of all bytes outside the seal and the places
  Checksum table;  ///< checksum of the bytes of the tables, in their order
  /// Columns that blocks fill, in file order; in a compressed file the place of all chunks; then the tables:
  /// /provenance/block, /provenance/checksums, and in a compressed file /provenance/chunks. Paths are not stored.
  std::vector<ColumnPlace> places;
  std::vector<std::uint64_t> chunk_elements = {};  ///< [column that blocks fill]; empty unless the file is compressed

  [[nodiscard]] bool is_compressed() const { return !chunk_elements.empty(); }
  /// Number of columns that blocks fill.
  [[nodiscard]] std::size_t columns() const { return places.size() - (is_compressed() ? 4 : 2); }
  /// Pre: the file is compressed.
  [[nodiscard]] const ColumnPlace& chunk_data() const { return places[columns()]; }
  [[nodiscard]] std::span<const ColumnPlace> tables() const {
    return std::span(places).subspan(columns() + (is_compressed() ? 1 : 0));
  }
};

/// Capacity of a seal.
inline constexpr std::size_t max_sealed_places = 338;

/// Pre: a column that blocks fill at least, and no more than max_sealed_places places.
[[nodiscard]] std::array<std::byte, seal_bytes> encode_seal(const Seal& seal);

enum class SealState : std::uint8_t {
  missing,  ///< the file does not begin with a seal
  damaged,  ///< the checksum of the seal itself does not match
  newer,    ///< the format version is unknown to this program
  intact,
};

struct SealReading {
  SealState state = SealState::missing;
  Seal seal;  ///< if intact: all places are inside the file, after the seal, and chunks fit their columns
};

/// Reads the seal from the first bytes of a file; fewer than seal_bytes bytes are never intact.
[[nodiscard]] SealReading decode_seal(std::span<const std::byte> bytes);
[[nodiscard]] SealReading read_seal(const File& file);

}  // namespace dfsweep
