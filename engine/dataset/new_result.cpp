#include "engine/dataset/new_result.hpp"

#include "io/atomic_file.hpp"
#include "io/seal.hpp"
#include "models/expect.hpp"

namespace dfsweep {

NewResult::NewResult(const std::filesystem::path& path, const DatasetDescription& description)
    : image_(lay_out_dataset(description)), path_(path), unfinished_(path.string() + ".unfinished") {
  FileSystem& files = real_file_system();
  create_folder_of(path_);
  expect_room(files, path_, image_.size);
  try {
    file_ = files.open(unfinished_, OpenFor::creating);
    file_->truncate(image_.size);
    write_frame(*file_, image_);
  } catch (...) {
    if (file_ != nullptr) files.remove(unfinished_);
    throw;
  }
}

NewResult::~NewResult() {
  if (file_ == nullptr) return;
  std::error_code ignored;
  std::filesystem::remove(unfinished_, ignored);
}

void NewResult::write(std::size_t column, std::uint64_t first, std::span<const std::byte> bytes) {
  const ColumnPlace& place = image_.places[column];
  DFSWEEP_EXPECT(first * place.element_bytes + bytes.size() <= place.bytes());
  file_->write_at(place.offset + first * place.element_bytes, bytes);
}

void NewResult::write_checksums(std::size_t block, std::span<const Checksum> checksums) {
  const std::size_t table = image_.places.size() - 1;
  DFSWEEP_EXPECT(checksums.size() * sizeof(Checksum) == image_.places[table].element_bytes);
  write(table, block, std::as_bytes(checksums));
}

void NewResult::publish(std::span<const std::uint64_t> first_rows) {
  const std::size_t table = image_.places.size() - 2;
  DFSWEEP_EXPECT(first_rows.size() == image_.places[table].count);
  write(table, 0, std::as_bytes(first_rows));
  write_seal(*file_, {.file_size = image_.size, .frame = frame_checksum(image_), .table = {}, .places = image_.places});
  file_->sync_data();
  FileSystem& files = real_file_system();
  files.rename(unfinished_, path_);
  file_.reset();
  files.sync_directory(path_.has_parent_path() ? path_.parent_path() : std::filesystem::path("."));
}

}  // namespace dfsweep
