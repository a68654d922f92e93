/// Verification of a published file on its own, by the table that it carries.
#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "engine/store/verification.hpp"
#include "io/dataset_reader.hpp"

namespace dfsweep {

namespace {

constexpr std::uint64_t piece_bytes = std::uint64_t{4} << 20;

class FileVerification {
 public:
  explicit FileVerification(const std::filesystem::path& path) : reader_(path) { report_.file = path; }

  VerifyReport run(FileSystem& files) {
    report_.subject = Subject::file;
    seal_ = {.first_rows = read("provenance/block"),
             .halves = read("provenance/checksums"),
             .seal = read("provenance/seal")};
    report_.blocks = static_cast<std::uint32_t>(seal_.first_rows.size());
    columns_ = reader_.columns();
    columns_.insert(columns_.end(), reader_.group_columns().begin(), reader_.group_columns().end());
    if (seal_.halves.size() != seal_.first_rows.size() * columns_.size() * 2 || seal_.seal.size() != 4)
      throw BadDataset(report_.file.string() + " has no checksum table that fits its columns");
    verify_frame(files);
    for (std::uint32_t block = 0; block < report_.blocks; ++block) verify_block(block);
    return std::move(report_);
  }

 private:
  std::vector<std::uint64_t> read(const char* path) const {
    const std::optional<DatasetColumn> column = reader_.find(path);
    if (!column) throw BadDataset(fmt::format("{} has no /{}: it was never published", report_.file.string(), path));
    std::vector<std::uint64_t> values(column->count * column->width);
    reader_.read(*column, 0, std::span(values));
    return values;
  }

  /// A repacked file has other bytes around its columns; then only the columns can be verified.
  void verify_frame(FileSystem& files) {
    std::vector<ColumnPlace> places;
    std::vector<DatasetColumn> all = columns_;
    for (const char* path : {"provenance/block", "provenance/checksums", "provenance/seal"})
      all.push_back(*reader_.find(path));
    bool is_contiguous = true;
    for (const DatasetColumn& column : all) {
      is_contiguous = is_contiguous && column.offset.has_value();
      places.push_back(
          {column.name, column.offset.value_or(0), size_of(column.type) * column.width, column.count, column.extent});
    }
    if (!is_contiguous) {
      report_.notes.push_back(report_.file.string() +
                              " was repacked: its columns are verified, what is around them is not");
      return;
    }
    const std::unique_ptr<File> file = files.open(report_.file, OpenFor::reading);
    report_.is_frame_damaged = !is_intact(seal_, frame_checksum(*file, places, file->size()));
  }

  void verify_block(std::uint32_t block) {
    const std::uint64_t rows_per_group = groups() == 0 ? 1 : reader_.row_count() / groups();
    const std::uint64_t first = seal_.first_rows[block];
    const std::uint64_t end = block + 1 < report_.blocks ? seal_.first_rows[block + 1] : reader_.row_count();
    DamagedBlock damaged{block, {}};
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const std::uint64_t divisor = columns_[c].extent == ColumnExtent::groups ? rows_per_group : 1;
      const std::size_t at = 2 * (block * columns_.size() + c);
      if (first > end || end > reader_.row_count() ||
          checksum(columns_[c], first / divisor, end / divisor) != Checksum{seal_.halves[at], seal_.halves[at + 1]})
        damaged.columns.push_back(columns_[c].name);
    }
    if (!damaged.columns.empty()) report_.damaged.push_back(std::move(damaged));
  }

  [[nodiscard]] std::uint64_t groups() const {
    return reader_.group_columns().empty() ? 0 : reader_.group_columns().front().count;
  }

  Checksum checksum(const DatasetColumn& column, std::uint64_t first, std::uint64_t end) {
    const std::uint64_t element = size_of(column.type) * column.width;
    const std::uint64_t piece = std::max<std::uint64_t>(piece_bytes / element, 1);
    ChecksumStream stream;
    for (; first < end; first += std::min(piece, end - first)) {
      buffer_.resize(std::min(piece, end - first) * element);
      reader_.read_bytes(column, first, buffer_);
      stream.update(buffer_);
      report_.bytes += buffer_.size();
    }
    return stream.digest();
  }

  DatasetReader reader_;
  SealBytes seal_;
  std::vector<DatasetColumn> columns_;
  std::vector<std::byte> buffer_;
  VerifyReport report_;
};

}  // namespace

VerifyReport verify_file(FileSystem& files, const std::filesystem::path& file) {
  return FileVerification(file).run(files);
}

}  // namespace dfsweep
