/// HDF5 driver for sparse files in memory: only written pages are stored, so the layout of a terabyte file takes
/// kilobytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

#include "io/hdf5/handle.hpp"

namespace dfsweep::hdf5 {

struct MemoryFile {
  static constexpr std::size_t page_bytes = 4096;
  using Page = std::array<std::byte, page_bytes>;
  std::map<std::uint64_t, Page> pages;  ///< by page number; absent pages are zero
  std::uint64_t size = 0;
  /// Bytes [hole, hole_end) are stored elsewhere: what is written there is dropped, and all but the superblock and what
  /// is placed there comes after them. Set before the file is created; 0: there is no hole.
  std::uint64_t hole = 0;
  std::uint64_t hole_end = 0;
  bool fills_hole = false;   ///< whether raw data is placed in the hole
  std::uint64_t filled = 0;  ///< bytes of the hole that are taken
};

/// Writes bytes to the file.
void put(MemoryFile& file, std::uint64_t offset, std::span<const std::byte> bytes);

/// Sets the driver of a file access list, so that H5Fcreate and H5Fopen use `file`. The result keeps the driver
/// registered. Both must outlive the handle of the HDF5 file.
[[nodiscard]] Handle use_memory(hid_t file_access, MemoryFile& file);

}  // namespace dfsweep::hdf5
