#include "engine/store/reservation.hpp"

#include <algorithm>

namespace dfsweep::store {

namespace {

/// Writers of the same file wait for a piece: 16 ms on a file system in memory.
constexpr std::uint64_t piece_bytes = std::uint64_t{64} << 20;
constexpr std::uint64_t most_pieces = 4096;

}  // namespace

void reserve_piece(FileSystem& files, const std::filesystem::path& path, std::uint64_t size, Reservation& reserved) {
  const std::uint64_t count = std::min(std::max(piece_bytes, size / most_pieces), size - std::min(reserved.end, size));
  reserved.support = files.reserve(path, {reserved.end, count});
  reserved.end = reserved.support == Reserved::yes ? reserved.end + count : size;
}

Reservation reserve_for(FileSystem& files, const std::filesystem::path& path, std::uint64_t size,
                        std::chrono::milliseconds patience) {
  const auto start = std::chrono::steady_clock::now();
  Reservation reserved;
  do {
    reserve_piece(files, path, size, reserved);
  } while (reserved.end < size && std::chrono::steady_clock::now() - start < patience);
  return reserved;
}

}  // namespace dfsweep::store
