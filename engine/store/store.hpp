/// Store: a run directory (plan.json, result.partial.h5, journals, result.h5), its locks, and its complete blocks.
/// docs/dataset.md specifies the formats. A block is complete if and only if it has a valid journal record.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/dataset/block_encoding.hpp"
#include "engine/plan/plan.hpp"
#include "engine/store/opening.hpp"
#include "engine/store/part.hpp"
#include "io/file_system.hpp"

namespace dfsweep::store {

enum class OpenMode : std::uint8_t { resume, fresh };

class Store {
 public:
  /// On rank 0: creates the directory and the dataset, or checks that they belong to this plan and repairs recorded
  /// damage; takes the lock of the part. Throws ForeignRun (another sweep, another program, damaged beyond repair),
  /// NotReady (locked by another run), IoError (disk full, read-only).
  static Store create(FileSystem& files, const std::filesystem::path& directory, const Plan& plan, Part part,
                      OpenMode mode, const Succession& succession = {});
  /// On other ranks, after create() on rank 0: opens the dataset and a journal of this rank for writing.
  static Store attach(FileSystem& files, const std::filesystem::path& directory, const Plan& plan, Part part,
                      std::uint32_t rank);
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  /// Reads the journals of all writers; create() calls it.
  void load_journals();
  /// [block] whether it was complete when the journals were loaded.
  [[nodiscard]] const std::vector<bool>& complete() const;
  /// Whether the run is published and no damage was found since then.
  [[nodiscard]] bool published() const;
  /// Warnings for the user: ignored damaged records, space that could not be reserved.
  [[nodiscard]] const std::vector<std::string>& notes() const;

  /// Reserves more of the space of the result; false once all is reserved. One thread at a time, concurrently with
  /// put() and commit(). Throws IoError if the disk is too small.
  bool reserve_more();
  /// Whether all of it is reserved, or cannot be.
  [[nodiscard]] bool is_reserved() const;
  /// Writes the bytes of a block; it becomes complete at commit(). One thread at a time, concurrently with commit().
  /// Throws IoError.
  void put(const Block& block, const BlockBytes& bytes);
  /// Adds the candidates of a slice to the journal; it becomes complete at commit().
  void put_candidates(const Block& block, std::span<const std::byte> candidates);
  /// Commits that may be under way at once, so that a slow one does not hold up the next.
  static constexpr std::size_t concurrent_commits = 2;
  /// Syncs everything put since the last commit began, then records it in the journal. `concurrent_commits` threads at
  /// a time. Returns the number of newly complete blocks.
  std::size_t commit();
  /// Number of bytes put since the last commit.
  [[nodiscard]] std::uint64_t uncommitted_bytes() const;

 private:
  class Implementation;
  explicit Store(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace dfsweep::store
