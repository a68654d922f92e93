/// Atomic replacement: write a temporary file, sync it, rename it, sync the directory.
#include "io/atomic_file.hpp"

#include <unistd.h>

namespace dfsweep {
namespace {

/// The disk writes what is appended while the next bytes are made; in pieces that are long for a disk.
constexpr std::uint64_t bytes_at_once = std::uint64_t{8} << 20;

std::filesystem::path aside(const std::filesystem::path& path) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) return path;
  std::filesystem::path name = path;
  name += ".writing-" + std::to_string(getpid());
  return name;
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

}  // namespace

AtomicFile::AtomicFile(FileSystem& files, std::filesystem::path path)
    : files_(&files),
      path_(std::move(path)),
      written_(aside(path_)),
      file_(files.open(written_, written_ == path_ ? OpenFor::appending : OpenFor::creating)) {}

AtomicFile::~AtomicFile() {
  if (file_ == nullptr || written_ == path_) return;
  file_.reset();
  try {
    files_->remove(written_);
  } catch (const IoError&) {  // the original error is reported, not this one
  }
}

void AtomicFile::append(std::span<const std::byte> bytes) {
  file_->append(bytes);
  appended_ += bytes.size();
  if (written_ == path_ || appended_ - begun_to_sync_ < bytes_at_once) return;
  file_->begin_sync({begun_to_sync_, appended_ - begun_to_sync_});
  begun_to_sync_ = appended_;
}

void AtomicFile::commit() {
  if (written_ != path_) {
    file_->sync_data();
    files_->rename(written_, path_);
    files_->sync_directory(folder_of(path_));
  }
  file_.reset();
}

void create_folder_of(const std::filesystem::path& file) {
  if (file.has_parent_path()) real_file_system().create_directories(file.parent_path());
}

void write_user_file(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  create_folder_of(path);
  AtomicFile file(real_file_system(), path);
  file.append(bytes);
  file.commit();
}

void write_user_file(const std::filesystem::path& path, std::string_view text) {
  write_user_file(path, std::as_bytes(std::span(text)));
}

}  // namespace dfsweep
