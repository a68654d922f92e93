/// Power cuts: the states in which a disk may be found after power failed in the middle of recorded changes.
///
/// What was synced is there. Of the rest, POSIX and ext4 promise only this: a sector of 512 bytes holds its content of
/// some moment since the last sync of its file, or, where it was never written before, zeros or old bytes of other
/// files; a file has its size of some such moment; a name appears, moves or goes as a whole, and names of one directory
/// that were not synced may survive in any combination.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tests/support/recording_file_system.hpp"

namespace dfsweep {

/// Which names survive that were not synced.
enum class NameSurvival : std::uint8_t {
  none,
  all,
  first,    ///< those before a moment, as a journal of the file system keeps them
  any,      ///< each or not
  all_but,  ///< all but one
  only,     ///< one
};

/// Which data survive that were not synced.
enum class DataSurvival : std::uint8_t {
  none,
  all,
  sectors,  ///< each sector of 512 bytes as at a moment of its own; some new ones have old bytes of other files
  pages,    ///< each page of 4096 bytes as at a moment of its own
  files,    ///< each file as at a moment of its own
};

struct Cut {
  NameSurvival names = NameSurvival::none;
  DataSurvival data = DataSurvival::none;
  std::uint64_t seed = 0;  ///< of every choice that the two leave open
};

/// Where power may fail: after the first `n` changes that were made to `initial`.
class PowerCuts {
 public:
  PowerCuts(const DiskState& initial, std::span<const RecordedChange> changes);
  [[nodiscard]] DiskState after(const Cut& cut) const;
  /// Changes of names, and of data, that were not synced.
  [[nodiscard]] std::size_t unsynced_names() const { return names_.size(); }
  [[nodiscard]] std::size_t unsynced_data() const;

 private:
  struct Inode {
    std::vector<std::byte> synced;
    std::vector<const RecordedChange*> unsynced;  ///< writes and resizes
  };
  void take(const RecordedChange& change);
  static void rename_in(std::map<std::filesystem::path, std::size_t>& names, std::set<std::filesystem::path>& folders,
                        const RecordedChange& change);

  std::vector<Inode> inodes_;
  std::map<std::filesystem::path, std::size_t> synced_names_;
  std::set<std::filesystem::path> synced_directories_;
  std::vector<const RecordedChange*> names_;  ///< changes of names that were not synced
};

}  // namespace dfsweep
