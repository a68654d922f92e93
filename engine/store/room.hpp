/// Room for a result: what is said about its size beside the free space.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace dfsweep::store {

/// What a run needs on the disk, in bytes.
struct RoomNeeded {
  std::uint64_t result = 0;      ///< the file that rows are written into, reserved at the start
  std::uint64_t compressed = 0;  ///< at most this much more at the end, for the compressed form beside it

  [[nodiscard]] std::uint64_t most() const { return result + compressed; }
};

/// Of a result, from its bytes and [output] compression_level. How small the compressed form will be is not known
/// before.
[[nodiscard]] RoomNeeded room_needed(std::uint64_t result_bytes, std::optional<int> compression_level);

/// "takes 40.0 GB of 72.0 GB that are free", "needs 90.9 GB, but only 72.0 GB are free" or, compressed, "takes 40.0 GB
/// of 72.0 GB that are free, and up to 40.0 GB more while it is compressed"; empty where all of it is less than a tenth
/// of what is free, or where that is unknown.
[[nodiscard]] std::string room_note(const RoomNeeded& needed, std::optional<std::uint64_t> free);

}  // namespace dfsweep::store
