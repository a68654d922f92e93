#include "io/column_source.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <mutex>

#include <fmt/core.h>

namespace dfsweep {

namespace {

/// Small enough that the bytes are still in cache when they are checksummed.
constexpr std::uint64_t column_piece_bytes = std::uint64_t{1} << 20;

constexpr std::size_t word_bits = 64;

class ContiguousColumns final : public ColumnSource {
 public:
  ContiguousColumns(std::shared_ptr<const File> file, std::vector<ColumnPlace> places)
      : file_(std::move(file)), places_(std::move(places)) {}

  void read(std::size_t column, std::uint64_t first, std::span<std::byte> bytes) const override {
    const ColumnPlace& place = places_.at(column);
    if (first > place.count || bytes.size() > (place.count - first) * place.element_bytes)
      throw BadDataset("a column ends before the last requested row");
    file_->read_at(place.offset + first * place.element_bytes, bytes);
  }

 private:
  std::shared_ptr<const File> file_;
  std::vector<ColumnPlace> places_;
};

class VerifiedColumns final : public ColumnSource {
 public:
  VerifiedColumns(std::unique_ptr<ColumnSource> source, const DatasetContents& contents, std::filesystem::path path,
                  std::function<BlockChecksums()> load)
      : source_(std::move(source)), contents_(contents), path_(std::move(path)), load_(std::move(load)) {}

  void read(std::size_t column, std::uint64_t first, std::span<std::byte> bytes) const override {
    if (column < contents_.filled_columns() && !bytes.empty()) {
      std::call_once(loaded_, [&] {
        expected_ = load_();
        checked_ = std::vector<std::atomic<std::uint64_t>>(
            (expected_.blocks.size() * contents_.filled_columns() + word_bits - 1) / word_bits);
      });
      const std::uint64_t scale = rows_per_element(column);
      const std::uint64_t element = contents_.column(column).element_bytes();
      source_->read(column, first, bytes);
      check(column, {first * scale, bytes.size() / element * scale}, bytes);
      return;
    }
    source_->read(column, first, bytes);
  }

 private:
  /// One element of a group column belongs to all rows of its group.
  [[nodiscard]] std::uint64_t rows_per_element(std::size_t column) const {
    const DatasetColumn& found = contents_.column(column);
    return found.extent == ColumnExtent::groups ? contents_.columns.front().count / found.count : 1;
  }

  /// Verifies every block that overlaps these rows, whose bytes are given: a block that is wholly among them is not
  /// read again.
  void check(std::size_t column, const RowRange& rows, std::span<const std::byte> bytes) const {
    const std::uint64_t end = rows.first + rows.count;
    auto block = std::partition_point(expected_.blocks.begin(), expected_.blocks.end(),
                                      [&](const RowRange& range) { return range.first + range.count <= rows.first; });
    for (; block != expected_.blocks.end() && block->first < end; ++block) {
      const auto index = static_cast<std::size_t>(block - expected_.blocks.begin());
      const std::size_t flag = index * contents_.filled_columns() + column;
      std::atomic<std::uint64_t>& word = checked_[flag / word_bits];
      const std::uint64_t bit = std::uint64_t{1} << (flag % word_bits);
      if ((word.load(std::memory_order_acquire) & bit) != 0) continue;
      if (block->first >= rows.first && block->first + block->count <= end) {
        const std::uint64_t scale = rows_per_element(column);
        const std::uint64_t element = contents_.column(column).element_bytes();
        expect_checksum(
            column, index,
            xxh3_128(bytes.subspan((block->first - rows.first) / scale * element, block->count / scale * element)));
      } else {
        check_block(column, index);
      }
      word.fetch_or(bit, std::memory_order_acq_rel);
    }
  }

  void check_block(std::size_t column, std::size_t index) const {
    const RowRange& rows = expected_.blocks[index];
    const std::uint64_t scale = rows_per_element(column);
    const std::uint64_t element = contents_.column(column).element_bytes();
    std::uint64_t at = rows.first / scale;
    const std::uint64_t end = (rows.first + rows.count) / scale;
    std::vector<std::byte> buffer(
        std::min((end - at) * element, std::max(column_piece_bytes / element, std::uint64_t{1}) * element));
    ChecksumStream stream;
    while (at < end) {
      const std::span<std::byte> piece =
          std::span(buffer).first(std::min((end - at) * element, std::uint64_t{buffer.size()}));
      source_->read(column, at, piece);
      stream.update(piece);
      at += piece.size() / element;
    }
    expect_checksum(column, index, stream.digest());
  }

  void expect_checksum(std::size_t column, std::size_t index, const Checksum& found) const {
    const RowRange& rows = expected_.blocks[index];
    if (found != expected(column, index))
      throw BadDataset(fmt::format("{} is damaged: rows {} to {} of {} have a wrong checksum", path_.string(),
                                   rows.first, rows.first + rows.count - 1, contents_.column(column).name));
  }

  Checksum expected(std::size_t column, std::size_t index) const {
    const std::size_t columns = contents_.filled_columns();
    const std::size_t first = index / expected_.blocks_at_once * expected_.blocks_at_once;
    const std::lock_guard lock(mutex_);
    auto found = std::find_if(windows_.begin(), windows_.end(), [&](const auto& each) { return each.first == first; });
    if (found == windows_.end()) {
      Window window{.first = first, .checksums = {}};
      window.checksums.resize(std::min(expected_.blocks_at_once, expected_.blocks.size() - first) * columns);
      if (windows_.size() == expected_.kept_windows) windows_.pop_back();
      expected_.read(first, window.checksums);
      found = windows_.insert(windows_.end(), std::move(window));
    }
    std::rotate(windows_.begin(), found, found + 1);  // the last used one comes first
    return windows_.front().checksums[(index - first) * columns + column];
  }

  /// Checksums of consecutive blocks.
  struct Window {
    std::size_t first = 0;
    std::vector<Checksum> checksums;  ///< [block - first][column]
  };

  std::unique_ptr<ColumnSource> source_;
  const DatasetContents& contents_;
  std::filesystem::path path_;
  std::function<BlockChecksums()> load_;
  mutable std::once_flag loaded_;
  mutable BlockChecksums expected_;
  mutable std::vector<std::atomic<std::uint64_t>> checked_;  ///< a bit for each [block][column]
  mutable std::mutex mutex_;                                 ///< guards windows_
  mutable std::vector<Window> windows_;
};

}  // namespace

std::unique_ptr<ColumnSource> contiguous_columns(std::shared_ptr<const File> file, std::vector<ColumnPlace> places) {
  return std::make_unique<ContiguousColumns>(std::move(file), std::move(places));
}

std::unique_ptr<ColumnSource> verified_columns(std::unique_ptr<ColumnSource> source, const DatasetContents& contents,
                                               const std::filesystem::path& path,
                                               std::function<BlockChecksums()> load) {
  return std::make_unique<VerifiedColumns>(std::move(source), contents, path, std::move(load));
}

}  // namespace dfsweep
