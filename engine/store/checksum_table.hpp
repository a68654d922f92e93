/// ChecksumTable: the checksums of blocks, by column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "io/checksum.hpp"

namespace dfsweep::store {

/// Checksums of consecutive stored blocks: [stored block - first_block][column that blocks fill], row-major.
struct ChecksumTable {
  std::size_t columns = 0;
  std::vector<Checksum> checksums;
  std::uint32_t first_block = 0;
  [[nodiscard]] std::span<const Checksum> of(std::uint32_t block) const {
    return std::span(checksums).subspan(std::size_t{block - first_block} * columns, columns);
  }
  [[nodiscard]] std::span<Checksum> of(std::uint32_t block) {
    return std::span(checksums).subspan(std::size_t{block - first_block} * columns, columns);
  }
};

}  // namespace dfsweep::store
