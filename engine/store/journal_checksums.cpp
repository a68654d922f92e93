#include "engine/store/journal_checksums.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <utility>

#include "io/journal.hpp"
#include "models/expect.hpp"

namespace dfsweep::store {

namespace {

/// Gathers records in the order in which threads find them, and hands them on in the order of blocks. Its memory is
/// taken once: threads that took and freed it in turn would each keep some of it.
class Gathering {
 public:
  Gathering(const RunRecord& record, const JournalState& journals, BlockRange range,
            const std::function<void(const ChecksumTable&)>& use, std::size_t most_bytes)
      : journals_(journals), range_(range), use_(use), columns_(record.filled_columns()) {
    const auto first = journals.complete.begin() + static_cast<std::ptrdiff_t>(range.first);
    left_ = static_cast<std::size_t>(std::count(first, first + static_cast<std::ptrdiff_t>(range.count), true));
    at_once_ = std::clamp<std::size_t>(most_bytes / (columns_ * sizeof(Checksum)), 1, std::max<std::size_t>(left_, 1));
    found_.reserve(at_once_);
    payloads_.resize(at_once_ * columns_);
    batch_.columns = columns_;
    batch_.blocks.reserve(at_once_);
    batch_.checksums.reserve(at_once_ * columns_);
  }

  void take(std::uint32_t journal, const JournalRecord& record, std::uint64_t offset) {
    if (record.block < range_.first || record.block - range_.first >= range_.count) return;
    if (!journals_.is_valid(record.block, journal, offset)) return;
    if (record.payload.size() != columns_ * sizeof(Checksum))
      return;  // the journal is not the one that was read before
    const std::lock_guard lock(mutex_);
    DFSWEEP_EXPECT(left_ > 0);
    --left_;
    std::memcpy(payloads_.data() + found_.size() * columns_, record.payload.data(), record.payload.size());
    found_.emplace_back(record.block, found_.size());
    if (found_.size() == at_once_) hand_on();
  }

  /// Whether all complete blocks of the range were found.
  bool finish() {
    if (!found_.empty()) hand_on();
    return left_ == 0;
  }

 private:
  void hand_on() {
    std::sort(found_.begin(), found_.end());
    batch_.blocks.clear();
    batch_.checksums.clear();
    for (const auto& [block, place] : found_) {
      batch_.blocks.push_back(block);
      const auto first = payloads_.begin() + static_cast<std::ptrdiff_t>(place * columns_);
      batch_.checksums.insert(batch_.checksums.end(), first, first + static_cast<std::ptrdiff_t>(columns_));
    }
    found_.clear();
    use_(batch_);
  }

  const JournalState& journals_;
  BlockRange range_;
  const std::function<void(const ChecksumTable&)>& use_;
  std::size_t columns_;
  std::size_t at_once_ = 1;
  std::mutex mutex_;                                          ///< guards what follows
  std::size_t left_ = 0;                                      ///< complete blocks that were not found yet
  std::vector<std::pair<std::uint32_t, std::size_t>> found_;  ///< block, and place of its payload
  std::vector<Checksum> payloads_;                            ///< [place][column]
  ChecksumTable batch_;
};

}  // namespace

BlockRange all_blocks(const RunRecord& record) {
  return {0, record.cut.stored_count()};
}

void visit_checksums(FileSystem& files, const RunDirectory& directory, const RunRecord& record,
                     const JournalState& journals, BlockRange range,
                     const std::function<void(const ChecksumTable&)>& use, std::size_t most_bytes) {
  DFSWEEP_EXPECT(record.cut.kind != BlockKind::candidates);
  Gathering gathering(record, journals, range, use, most_bytes);
  for_each_journal(journals.files.size(), [&](std::size_t i) {
    const std::unique_ptr<File> file = files.open(journals.files[i], OpenFor::reading);
    scan_journal(*file, [&](const JournalRecord& found, std::uint64_t offset) {
      gathering.take(static_cast<std::uint32_t>(i), found, offset);
    });
  });
  if (!gathering.finish())
    throw IoError("read", directory.journals(), EIO, "records that were there a moment ago are missing");
}

ChecksumTable journal_checksums(FileSystem& files, const RunDirectory& directory, const RunRecord& record,
                                const JournalState& journals, BlockRange range) {
  ChecksumTable all{.columns = record.filled_columns(), .blocks = {}, .checksums = {}};
  for (std::uint32_t block = range.first; block < range.first + range.count; ++block)
    if (journals.complete[block]) all.blocks.push_back(block);
  all.checksums.resize(all.blocks.size() * all.columns);
  visit_checksums(files, directory, record, journals, range, [&](const ChecksumTable& batch) {
    auto place = all.blocks.begin();
    for (std::size_t i = 0; i < batch.blocks.size(); ++i) {
      place = std::lower_bound(place, all.blocks.end(), batch.blocks[i]);
      const std::span<const Checksum> row = batch.of(i);
      std::copy(row.begin(), row.end(),
                all.checksums.begin() + (place - all.blocks.begin()) * static_cast<std::ptrdiff_t>(all.columns));
    }
  });
  return all;
}

}  // namespace dfsweep::store
