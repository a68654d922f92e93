#include "io/compressed_columns.hpp"

#include <algorithm>
#include <cstring>
#include <list>
#include <map>
#include <mutex>
#include <utility>

#include <fmt/core.h>

#include "io/chunk_filter.hpp"

namespace dfsweep {

namespace {

using Chunk = std::shared_ptr<const std::vector<std::byte>>;

/// Expanded chunks up to this size are kept, so that pieces of one chunk are read without expanding it again.
constexpr std::uint64_t kept_bytes = std::uint64_t{32} << 20;

/// The chunks that were used last. Thread-safe.
class KeptChunks {
 public:
  Chunk find(std::uint64_t index) {
    const std::lock_guard lock(mutex_);
    const auto found = places_.find(index);
    if (found == places_.end()) return nullptr;
    order_.splice(order_.begin(), order_, found->second);
    return order_.front().second;
  }
  void keep(std::uint64_t index, Chunk chunk) {
    const std::lock_guard lock(mutex_);
    if (places_.contains(index)) return;
    bytes_ += chunk->size();
    order_.emplace_front(index, std::move(chunk));
    places_[index] = order_.begin();
    while (bytes_ > kept_bytes && order_.size() > 1) {
      bytes_ -= order_.back().second->size();
      places_.erase(order_.back().first);
      order_.pop_back();
    }
  }

 private:
  using Order = std::list<std::pair<std::uint64_t, Chunk>>;  ///< the last used one first
  std::mutex mutex_;
  Order order_;
  std::map<std::uint64_t, Order::iterator> places_;
  std::uint64_t bytes_ = 0;
};

class CompressedColumns final : public ColumnSource {
 public:
  CompressedColumns(std::shared_ptr<const File> file, ChunkedColumns columns, std::vector<ColumnPlace> tables,
                    std::filesystem::path path)
      : file_(std::move(file)), columns_(std::move(columns)), tables_(std::move(tables)), path_(std::move(path)) {
    std::uint64_t first = 0;
    for (const ChunkedColumn& column : columns_.columns) {
      first_chunk_.push_back(first);
      first += column.chunks();
    }
  }

  void read(std::size_t index, std::uint64_t first, std::span<std::byte> bytes) const override {
    if (index >= columns_.columns.size()) {
      const ColumnPlace& table = tables_.at(index - columns_.columns.size());
      expect_inside(table.count, table.element_bytes, first, bytes.size());
      return file_->read_at(table.offset + first * table.element_bytes, bytes);
    }
    const ChunkedColumn& column = columns_.columns[index];
    expect_inside(column.count, column.element_bytes, first, bytes.size());
    std::uint64_t at = first * column.element_bytes;
    while (!bytes.empty()) {
      const std::uint64_t within = at % column.chunk_bytes();
      const Chunk chunk = expanded(column, first_chunk_[index] + at / column.chunk_bytes());
      const std::size_t count = std::min<std::uint64_t>(bytes.size(), column.chunk_bytes() - within);
      std::memcpy(bytes.data(), chunk->data() + within, count);
      bytes = bytes.subspan(count);
      at += count;
    }
  }

 private:
  static void expect_inside(std::uint64_t count, std::uint64_t element, std::uint64_t first, std::uint64_t bytes) {
    if (first > count || bytes > (count - first) * element)
      throw BadDataset("a column ends before the last requested row");
  }

  [[nodiscard]] Chunk expanded(const ChunkedColumn& column, std::uint64_t index) const {
    if (Chunk kept = kept_.find(index)) return kept;
    const ChunkPlace& place = columns_.chunks.at(index);
    if (place.bytes > max_compressed_bytes(column.chunk_bytes())) throw damaged(place);
    std::vector<std::byte> stored(place.bytes);
    if (file_->read_some(place.offset, stored) != stored.size() || xxh3_128(stored) != place.checksum)
      throw damaged(place);
    auto values = std::make_shared<std::vector<std::byte>>(column.chunk_bytes());
    if (!expand_chunk(stored, shuffled_bytes(column.element_bytes), *values)) throw damaged(place);
    kept_.keep(index, values);
    return values;
  }

  [[nodiscard]] BadDataset damaged(const ChunkPlace& place) const {
    return BadDataset(
        fmt::format("{} is damaged: the chunk at byte {} has a wrong checksum", path_.string(), place.offset));
  }

  std::shared_ptr<const File> file_;
  ChunkedColumns columns_;
  std::vector<ColumnPlace> tables_;
  std::filesystem::path path_;
  std::vector<std::uint64_t> first_chunk_;  ///< [column] index of its first chunk
  mutable KeptChunks kept_;
};

}  // namespace

std::uint64_t chunk_count(const std::vector<ChunkedColumn>& columns) {
  std::uint64_t count = 0;
  for (const ChunkedColumn& column : columns) count += column.chunks();
  return count;
}

std::unique_ptr<ColumnSource> compressed_columns(std::shared_ptr<const File> file, ChunkedColumns columns,
                                                 std::vector<ColumnPlace> tables, const std::filesystem::path& path) {
  return std::make_unique<CompressedColumns>(std::move(file), std::move(columns), std::move(tables), path);
}

}  // namespace dfsweep
