#include "tests/support/recording_file_system.hpp"

#include <algorithm>
#include <cerrno>

namespace dfsweep {

namespace {

std::filesystem::path normalized(const std::filesystem::path& path) {
  return path.lexically_normal();
}

}  // namespace

class RecordingFileSystem::RecordedFile final : public File {
 public:
  RecordedFile(RecordingFileSystem& files, std::filesystem::path path, std::shared_ptr<Content> content,
               std::shared_ptr<int> lock = nullptr)
      : files_(files), path_(std::move(path)), content_(std::move(content)), lock_(std::move(lock)) {}

  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override {
    const std::lock_guard guard(files_.mutex_);
    files_.write(*content_, offset, bytes);
  }
  void append(std::span<const std::byte> bytes) override {
    const std::lock_guard guard(files_.mutex_);
    files_.write(*content_, content_->bytes.size(), bytes);
  }
  void read_at(std::uint64_t offset, std::span<std::byte> bytes) const override {
    if (read_some(offset, bytes) != bytes.size()) throw IoError("read", path_, EIO);
  }
  [[nodiscard]] std::size_t read_some(std::uint64_t offset, std::span<std::byte> bytes) const override {
    const std::lock_guard guard(files_.mutex_);
    const std::size_t size = content_->bytes.size();
    if (offset >= size) return 0;
    const std::size_t count = std::min<std::size_t>(bytes.size(), size - offset);
    std::copy_n(content_->bytes.begin() + static_cast<std::ptrdiff_t>(offset), count, bytes.begin());
    return count;
  }
  [[nodiscard]] std::uint64_t size() const override {
    const std::lock_guard guard(files_.mutex_);
    return content_->bytes.size();
  }
  void truncate(std::uint64_t size) override {
    const std::lock_guard guard(files_.mutex_);
    files_.resize(*content_, size);
  }
  void sync_data() override {
    const std::lock_guard guard(files_.mutex_);
    files_.record(ChangeKind::sync, {}, content_->number);
  }

 private:
  RecordingFileSystem& files_;
  std::filesystem::path path_;
  std::shared_ptr<Content> content_;
  std::shared_ptr<int> lock_;
};

RecordingFileSystem::RecordingFileSystem(const DiskState& initial, Record record)
    : record_(record), directories_(initial.directories) {
  for (const auto& [path, bytes] : initial.files) names_[path] = std::make_shared<Content>(Content{files_++, bytes});
}

DiskState RecordingFileSystem::state() const {
  const std::lock_guard guard(mutex_);
  DiskState state{.files = {}, .directories = directories_};
  for (const auto& [path, content] : names_) state.files[path] = content->bytes;
  return state;
}

void RecordingFileSystem::record(ChangeKind kind, const std::filesystem::path& path, std::size_t file,
                                 std::uint64_t offset, std::span<const std::byte> bytes) {
  if (record_ == Record::no) return;
  changes_.push_back({.kind = kind,
                      .path = path,
                      .to = {},
                      .file = file,
                      .offset = offset,
                      .bytes = {bytes.begin(), bytes.end()},
                      .acknowledged = watched_ != nullptr ? *watched_ : 0});
}

std::shared_ptr<RecordingFileSystem::Content> RecordingFileSystem::create(const std::filesystem::path& path) {
  const std::filesystem::path parent = path.parent_path();
  if (!parent.empty() && !directories_.contains(parent)) throw IoError("create", path, ENOENT);
  auto content = std::make_shared<Content>(Content{files_++, {}});
  names_[path] = content;
  record(ChangeKind::create, path, content->number);
  return content;
}

void RecordingFileSystem::resize(Content& content, std::uint64_t size) {
  content.bytes.resize(size);
  record(ChangeKind::resize, {}, content.number, size);
}

void RecordingFileSystem::write(Content& content, std::uint64_t offset, std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  content.bytes.resize(std::max<std::size_t>(content.bytes.size(), offset + bytes.size()));
  std::copy(bytes.begin(), bytes.end(), content.bytes.begin() + static_cast<std::ptrdiff_t>(offset));
  record(ChangeKind::write, {}, content.number, offset, bytes);
}

std::unique_ptr<File> RecordingFileSystem::open(const std::filesystem::path& given, OpenFor purpose) {
  const std::lock_guard guard(mutex_);
  const std::filesystem::path path = normalized(given);
  const auto found = names_.find(path);
  if (found != names_.end()) {
    if (purpose == OpenFor::creating) resize(*found->second, 0);
    return std::make_unique<RecordedFile>(*this, path, found->second);
  }
  if (purpose == OpenFor::reading || purpose == OpenFor::writing) throw IoError("open", path, ENOENT);
  return std::make_unique<RecordedFile>(*this, path, create(path));
}

Reserved RecordingFileSystem::reserve(const std::filesystem::path& path, ByteRange range) {
  const std::lock_guard guard(mutex_);
  Content& content = *names_.at(normalized(path));
  const std::uint64_t end = range.offset + range.count;
  if (content.bytes.size() < end) resize(content, end);
  return Reserved::yes;
}

void RecordingFileSystem::rename(const std::filesystem::path& from, const std::filesystem::path& to) {
  const std::lock_guard guard(mutex_);
  const auto found = names_.find(normalized(from));
  if (found == names_.end()) throw IoError("rename", from, ENOENT);
  const std::shared_ptr<Content> content = found->second;
  names_.erase(found);
  names_[normalized(to)] = content;
  record(ChangeKind::rename, normalized(from), content->number);
  if (record_ == Record::yes) changes_.back().to = normalized(to);
}

void RecordingFileSystem::remove(const std::filesystem::path& path) {
  const std::lock_guard guard(mutex_);
  const auto found = names_.find(normalized(path));
  if (found == names_.end()) return;
  record(ChangeKind::remove, normalized(path), found->second->number);
  names_.erase(found);
}

void RecordingFileSystem::create_directories(const std::filesystem::path& given) {
  const std::lock_guard guard(mutex_);
  std::filesystem::path path;
  for (const std::filesystem::path& part : normalized(given)) {
    path /= part;
    if (directories_.insert(path).second) record(ChangeKind::make_directory, path);
  }
}

void RecordingFileSystem::sync_directory(const std::filesystem::path& given) {
  const std::lock_guard guard(mutex_);
  const std::filesystem::path path = given == "." ? std::filesystem::path() : normalized(given);
  if (!path.empty() && !directories_.contains(path)) throw IoError("open directory", path, ENOENT);
  record(ChangeKind::sync_directory, path);
}

bool RecordingFileSystem::exists(const std::filesystem::path& path) const {
  const std::lock_guard guard(mutex_);
  return names_.contains(normalized(path)) || directories_.contains(normalized(path));
}

std::vector<std::string> RecordingFileSystem::list(const std::filesystem::path& given) const {
  const std::lock_guard guard(mutex_);
  const std::filesystem::path path = normalized(given);
  std::vector<std::string> names;
  for (const auto& [file, content] : names_)
    if (file.parent_path() == path) names.push_back(file.filename().string());
  for (const std::filesystem::path& directory : directories_)
    if (directory.parent_path() == path) names.push_back(directory.filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::unique_ptr<File> RecordingFileSystem::try_lock(const std::filesystem::path& given) {
  const std::lock_guard guard(mutex_);
  const std::filesystem::path path = normalized(given);
  std::weak_ptr<int>& holder = locks_[path];
  if (!holder.expired()) return nullptr;
  auto lock = std::make_shared<int>(0);
  holder = lock;
  const auto found = names_.find(path);
  return std::make_unique<RecordedFile>(*this, path, found != names_.end() ? found->second : create(path),
                                        std::move(lock));
}

std::string RecordingFileSystem::lock_holder(const std::filesystem::path& path) {
  const std::lock_guard guard(mutex_);
  const auto found = locks_.find(normalized(path));
  return found == locks_.end() || found->second.expired() ? "" : "process 1 on host memory";
}

}  // namespace dfsweep
