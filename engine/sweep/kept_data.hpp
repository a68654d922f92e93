/// KeptData: data that several sweeps of one process share, read again only when its files change.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/sweep/data_reading.hpp"
#include "engine/sweep/file_stamp.hpp"

namespace dfsweep {

/// Its owner lends it to readings (SweepReading::kept_data). What sweeps derive from data, such as fitted predictors,
/// is kept with the data. Thread-safe: a second thread that needs data waits until it is read.
class KeptData {
 public:
  /// The data at `place`. It is read where it is not kept, or where a file of the place, or of `depends_on` for
  /// measured operators, was added, removed or changed since. Data with problems is not kept, and of many places the
  /// last used ones. Pre, throws: as read_data_at(); `info` outlives the object.
  [[nodiscard]] std::shared_ptr<const ReadData> get(const DataPlace& place, const DataInfo& info,
                                                    const Catalogue& catalogue);
  /// How often data was read.
  [[nodiscard]] std::uint64_t reads() const;

 private:
  struct Kept {
    const DataInfo* info;
    std::filesystem::path path;
    std::vector<std::filesystem::path> catalogues;  ///< folders, where the data depends on them
    std::vector<FileStamp> files;
    std::shared_ptr<const ReadData> data;
  };
  static constexpr std::size_t most_places = 4;

  mutable std::mutex mutex_;
  std::list<Kept> kept_;  ///< the last used ones first
  std::uint64_t reads_ = 0;
};

}  // namespace dfsweep
