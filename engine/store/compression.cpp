#include "engine/store/compression.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/dataset/copied_layout.hpp"
#include "engine/parallel/threads.hpp"
#include "engine/store/checksum_table.hpp"
#include "engine/store/published_file.hpp"
#include "io/chunk_filter.hpp"
#include "io/compressed_dataset.hpp"
#include "io/hdf5/sealed_dataset.hpp"
#include "io/packing.hpp"

namespace dfsweep::store {

namespace {

/// Chunks that each thread compresses before all of them are written.
constexpr std::uint64_t chunks_per_thread = 8;

/// The chunks of all columns, numbered by column.
class Chunks {
 public:
  Chunks(const File& file, const RunRecord& record)
      : file_(file), record_(record), columns_(chunked_columns(record)), count_(chunk_count(columns_)) {
    for (const ChunkedColumn& column : columns_) ends_.push_back(column.chunks() + (ends_.empty() ? 0 : ends_.back()));
  }
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] const std::vector<ChunkedColumn>& columns() const { return columns_; }

  /// The stored bytes of a chunk.
  [[nodiscard]] std::vector<std::byte> compressed(std::uint64_t index) const {
    const auto c = static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), index) - ends_.begin());
    const ChunkedColumn& column = columns_[c];
    const std::uint64_t first = (index - (c == 0 ? 0 : ends_[c - 1])) * column.chunk_elements;
    const std::uint64_t count = std::min(column.chunk_elements, column.count - first);
    std::vector<std::byte> values(column.chunk_bytes());  // zeros follow the last elements
    file_.read_at(record_.places[c].offset + first * column.element_bytes,
                  std::span(values).first(count * column.element_bytes));
    return compressed_chunk(values, shuffled_bytes(column.element_bytes), *record_.compression_level);
  }

 private:
  const File& file_;
  const RunRecord& record_;
  std::vector<ChunkedColumn> columns_;
  std::uint64_t count_;
  std::vector<std::uint64_t> ends_;  ///< [column] number of the first chunk of the next column
};

/// The chunks first, first + stride, ... below `end`.
std::vector<std::byte> packed_chunks(const Chunks& chunks, std::uint64_t first, std::uint64_t stride, std::uint64_t end,
                                     unsigned threads) {
  const std::uint64_t count = first < end ? (end - first + stride - 1) / stride : 0;
  std::vector<std::vector<std::byte>> compressed(count);
  parallel_for(count, threads, [&](std::size_t i) { compressed[i] = chunks.compressed(first + i * stride); });
  Packer packer;
  for (const std::vector<std::byte>& bytes : compressed) packer.numbers(std::span<const std::byte>(bytes));
  return packer.take();
}

/// The file that rank 0 writes.
class CompressedFile {
 public:
  CompressedFile(FileSystem& files, const RunDirectory& directory)
      : files_(files), path_(directory.compressing()), file_(files.open(path_, OpenFor::creating)) {}

  /// The next chunks, which the ranks have compressed in turn.
  void append(std::uint64_t count, const std::vector<std::vector<std::byte>>& by_rank) {
    std::vector<Unpacker> unpackers(by_rank.begin(), by_rank.end());
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::vector<std::byte> bytes = unpackers[i % unpackers.size()].numbers<std::byte>();
      file_->write_at(end_, bytes);
      chunks_.push_back({.offset = end_, .bytes = bytes.size(), .checksum = xxh3_128(bytes)});
      end_ += bytes.size();
    }
  }

  /// Everything but the chunks, with the checksums of `partial`; makes the file durable.
  void finish(const DatasetContents& contents, const RunRecord& record, const std::vector<ChunkedColumn>& columns,
              const File& partial) {
    CompressedLayout layout{.chunk_elements = {}, .chunks = chunks_, .level = *record.compression_level};
    for (const ChunkedColumn& column : columns) layout.chunk_elements.push_back(column.chunk_elements);
    const DatasetImage image = lay_out_compressed(description(contents), layout);
    file_->truncate(image.size);
    write_frame(*file_, image);
    const Seal seal{.file_size = image.size,
                    .frame = frame_checksum(image),
                    .table = {},
                    .places = image.places,
                    .chunk_elements = layout.chunk_elements};
    write_first_rows(*file_, seal.tables()[0], record.cut);
    for_each_window(record.cut.stored_count(), record.filled_columns(), [&](BlockRange range) {
      write_checksums(*file_, seal.tables()[1], read_checksums(partial, record.place(checksum_table), range));
    });
    file_->write_at(seal.tables()[2].offset, std::as_bytes(std::span(chunks_)));
    write_seal(*file_, seal);
    file_->sync_data();
  }

  /// After a failure: what was written is of no use.
  void remove() {
    try {
      file_.reset();
      files_.remove(path_);
    } catch (const IoError&) {  // the first error is reported
    }
  }

 private:
  [[nodiscard]] DatasetDescription description(const DatasetContents& contents) const {
    DatasetDescription copy = describe_copy(contents);
    for (Attribute& attribute : copy.attributes)
      if (attribute.name == "format_version") attribute.value = std::int64_t{compressed_format};
    copy.columns.push_back(
        {.path = std::string(chunk_table),
         .type = ElementType::uint64,
         .extent = ColumnExtent::file,
         .count = chunks_.size(),
         .width = sizeof(ChunkPlace) / sizeof(std::uint64_t),
         .scales = {},
         .attributes = {{"long_name", std::string("offset, stored bytes and XXH3-128 of them (high, low half) of each "
                                                  "chunk of each column")}}});
    return copy;
  }

  FileSystem& files_;
  std::filesystem::path path_;
  std::unique_ptr<File> file_;
  std::uint64_t end_ = first_chunk_offset;
  std::vector<ChunkPlace> chunks_;
};

}  // namespace

void write_compressed(FileSystem& files, const RunDirectory& directory, const RunRecord& record, Communicator& ranks,
                      unsigned threads) {
  const std::shared_ptr<const File> partial = files.open(directory.partial(), OpenFor::reading);
  const Chunks chunks(*partial, record);
  std::unique_ptr<CompressedFile> file;
  try {
    if (ranks.rank() == 0) file = std::make_unique<CompressedFile>(files, directory);
    const std::uint64_t at_once = chunks_per_thread * std::max(threads, 1U) * ranks.size();
    for (std::uint64_t first = 0; first < chunks.count(); first += at_once) {
      const std::uint64_t end = std::min(first + at_once, chunks.count());
      const std::vector<std::vector<std::byte>> by_rank =
          ranks.gather(packed_chunks(chunks, first + ranks.rank(), ranks.size(), end, threads));
      if (file != nullptr) file->append(end - first, by_rank);
    }
    if (file == nullptr) return;
    const OpenedDataset opened =
        open_expected(files.open(directory.partial(), OpenFor::reading), directory.partial(),
                      {.file_size = record.file_size, .frame = record.frame, .places = record.places, .complete = {}});
    file->finish(*opened.contents, record, chunks.columns(), *partial);
  } catch (...) {
    if (file != nullptr) file->remove();
    throw;
  }
}

}  // namespace dfsweep::store
