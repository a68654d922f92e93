/// ManyBlocks: a run directory of many small blocks, all of them recorded and none published, to measure what a start,
/// publication and queries need for each block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "engine/store/run_directory.hpp"

namespace dfsweep {

struct BlockNumbers {
  std::uint32_t blocks = 0;
  std::size_t columns = 0;    ///< that blocks fill, 8 bytes each
  std::uint32_t writers = 0;  ///< journals
};

class ManyBlocks {
 public:
  /// Writes the directory: blocks of one row of zeros. Journal j records the blocks j, j + writers, ..., as ranks that
  /// take turns do. Throws IoError. Pre: `path` does not exist or is empty.
  ManyBlocks(const std::filesystem::path& path, const BlockNumbers& numbers);

  [[nodiscard]] const store::RunDirectory& directory() const { return directory_; }
  [[nodiscard]] const store::RunRecord& record() const { return record_; }
  [[nodiscard]] std::uint64_t journal_bytes() const { return journal_bytes_; }

 private:
  void write_journals(const BlockNumbers& numbers);

  store::RunDirectory directory_;
  store::RunRecord record_;
  std::uint64_t journal_bytes_ = 0;
};

}  // namespace dfsweep
