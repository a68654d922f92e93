/// Seal: the first bytes of a published file. They say what the rest of the file must be, so that a damaged file is
/// found out by plain reads, before HDF5 parses any of it. docs/dataset.md specifies the bytes.
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

/// Format version of the files that carry a seal; those of version 1 carry none.
inline constexpr std::uint32_t sealed_format = 2;

struct Seal {
  std::uint64_t file_size = 0;
  Checksum frame;  ///< of the bytes that belong to neither the seal nor a place
  Checksum table;  ///< of the bytes of the last two places, one after the other
  /// Columns that blocks fill, in file order; then /provenance/block and /provenance/checksums. Paths are not stored.
  std::vector<ColumnPlace> places;
};

/// How many places a seal can hold.
inline constexpr std::size_t most_sealed_places = 338;

/// Pre: 2 <= seal.places.size() <= most_sealed_places.
[[nodiscard]] std::array<std::byte, seal_bytes> encode_seal(const Seal& seal);

enum class SealState : std::uint8_t {
  missing,  ///< the file does not begin with a seal
  damaged,  ///< it does, but the seal's own checksum does not hold
  newer,    ///< it does, in a format version that this program does not know
  intact,
};

struct SealReading {
  SealState state = SealState::missing;
  Seal seal;  ///< where intact: places lie inside the file, after the seal
};

/// Reads the seal from the first bytes of a file; fewer than seal_bytes hold no intact one.
[[nodiscard]] SealReading decode_seal(std::span<const std::byte> bytes);
[[nodiscard]] SealReading read_seal(const File& file);

}  // namespace dfsweep
