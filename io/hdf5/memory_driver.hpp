/// A file of HDF5 that exists in memory only and holds only the pages that were written: a layout of a terabyte costs
/// the kilobytes of its structures.
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
};

/// Puts bytes into the file.
void put(MemoryFile& file, std::uint64_t offset, std::span<const std::byte> bytes);

/// Makes a file access list create or open its file in `file`, which must outlive the file's handle. The result keeps
/// the driver registered and must outlive it too.
[[nodiscard]] Handle use_memory(hid_t file_access, MemoryFile& file);

}  // namespace dfsweep::hdf5
