/// Reservation of the space of a result file, piece by piece. Most file systems reserve at once; one in memory takes as
/// long as for writing, and then the rest is reserved while blocks are evaluated.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>

#include "io/file_system.hpp"

namespace dfsweep::store {

/// A run waits this long for the reservation before it begins.
inline constexpr std::chrono::milliseconds reservation_patience{20};

struct Reservation {
  Reserved support = Reserved::yes;
  std::uint64_t end = 0;  ///< bytes [0, end) are reserved; the size of the file where it cannot be reserved
};

/// Reserves the next piece of a file of `size` bytes. Throws IoError if the disk is too small.
void reserve_piece(FileSystem& files, const std::filesystem::path& path, std::uint64_t size, Reservation& reserved);

/// Reserves pieces until all is reserved or `patience` has passed. Throws IoError if the disk is too small.
[[nodiscard]] Reservation reserve_for(FileSystem& files, const std::filesystem::path& path, std::uint64_t size,
                                      std::chrono::milliseconds patience);

}  // namespace dfsweep::store
