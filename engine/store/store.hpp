/// Store: a run directory (plan.json, result.partial.h5, journals, result.h5), its locks, and which blocks are
/// complete. docs/dataset.md specifies the bytes. A block is complete if and only if a valid record says so.
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
#include "engine/store/part.hpp"
#include "io/file_system.hpp"

namespace dfsweep::store {

enum class OpenMode : std::uint8_t { resume, fresh };

class Store {
 public:
  /// Rank 0 of an invocation: creates the directory and dataset, or checks that they belong to this plan and repairs
  /// what verification found damaged, and takes the lock of the part. Throws ForeignRun (another sweep, another
  /// program, damaged beyond repair), NotReady (locked by another run), IoError (disk full, read-only).
  static Store create(FileSystem& files, const std::filesystem::path& directory, const Plan& plan, Part part,
                      OpenMode mode);
  /// Other ranks, after rank 0 has created: attaches for writing with a journal of their own.
  static Store attach(FileSystem& files, const std::filesystem::path& directory, const Plan& plan, Part part,
                      std::uint32_t rank);
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  /// Reads the journals of all writers; create() has done so.
  void load_journals();
  /// Blocks that valid records of any journal said are complete when the journals were loaded: [block].
  [[nodiscard]] const std::vector<bool>& complete() const;
  /// Published already, and verification found no damage since: nothing to do.
  [[nodiscard]] bool published() const;
  /// What the user should know: damaged records that were ignored, space that could not be reserved.
  [[nodiscard]] const std::vector<std::string>& notes() const;

  /// Writes the bytes of a block at their places; not yet complete. One thread at a time; another may commit beside it.
  /// Throws IoError.
  void put(const Block& block, const BlockBytes& bytes);
  /// Journals the candidates of a slice; not yet complete.
  void put_candidates(const Block& block, std::span<const std::byte> candidates);
  /// Makes everything put so far durable and then says so in the journal. One thread at a time. Returns the number of
  /// blocks completed.
  std::size_t commit();
  /// Bytes put since the last commit, for deciding when to commit.
  [[nodiscard]] std::uint64_t uncommitted_bytes() const;

 private:
  class Implementation;
  explicit Store(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace dfsweep::store
