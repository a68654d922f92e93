#include "tests/support/faulty_file_system.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace dfsweep {

namespace {

constexpr std::size_t page_bytes = 4096;

std::filesystem::path normal(const std::filesystem::path& path) {
  return path.lexically_normal();
}

std::uint64_t mixed(std::uint64_t state) {  // splitmix64
  state += 0x9e3779b97f4a7c15ULL;
  state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9ULL;
  state = (state ^ (state >> 27)) * 0x94d049bb133111ebULL;
  return state ^ (state >> 31);
}

void write_into(std::vector<std::byte>& content, std::uint64_t offset, std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  if (content.size() < offset + bytes.size()) content.resize(offset + bytes.size());
  std::memcpy(content.data() + offset, bytes.data(), bytes.size());
}

class MemoryFile final : public File {
 public:
  MemoryFile(FaultyFileSystem& files, std::filesystem::path path, std::shared_ptr<FaultyFileSystem::Content> content,
             std::shared_ptr<int> lock = nullptr)
      : files_(files), path_(std::move(path)), content_(std::move(content)), lock_(std::move(lock)) {}

  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override {
    const std::lock_guard guard(files_.mutex());
    files_.operate("write", path_, FaultyFileSystem::Needs::space,
                   [&] { write_into(content_->live, offset, bytes.first(bytes.size() / 2)); });
    write_into(content_->live, offset, bytes);
  }
  void append(std::span<const std::byte> bytes) override {
    const std::lock_guard guard(files_.mutex());
    const std::uint64_t end = content_->live.size();
    files_.operate("append to", path_, FaultyFileSystem::Needs::space,
                   [&] { write_into(content_->live, end, bytes.first(bytes.size() / 2)); });
    write_into(content_->live, end, bytes);
  }
  void read_at(std::uint64_t offset, std::span<std::byte> bytes) const override {
    if (read_some(offset, bytes) != bytes.size()) throw IoError("read", path_, EIO);
  }
  [[nodiscard]] std::size_t read_some(std::uint64_t offset, std::span<std::byte> bytes) const override {
    const std::lock_guard guard(files_.mutex());
    const std::size_t size = content_->live.size();
    if (offset >= size || bytes.empty()) return 0;
    const std::size_t count = std::min<std::size_t>(bytes.size(), size - offset);
    std::memcpy(bytes.data(), content_->live.data() + offset, count);
    return count;
  }
  [[nodiscard]] std::uint64_t size() const override { return content_->live.size(); }
  void truncate(std::uint64_t size) override {
    const std::lock_guard guard(files_.mutex());
    files_.operate("set the size of", path_, FaultyFileSystem::Needs::nothing);
    content_->live.resize(size);
  }
  void sync_data() override {
    if (files_.before_sync()) files_.before_sync()(path_);
    const std::lock_guard guard(files_.mutex());
    files_.operate("sync", path_, FaultyFileSystem::Needs::nothing);
    content_->durable = content_->live;
  }

 private:
  FaultyFileSystem& files_;
  std::filesystem::path path_;
  std::shared_ptr<FaultyFileSystem::Content> content_;
  std::shared_ptr<int> lock_;
};

}  // namespace

void FaultyFileSystem::arm(Fault fault, std::uint64_t at) {
  fault_ = fault;
  operations_left_ = at;
  was_hit_ = false;
}

void FaultyFileSystem::operate(const char* what, const std::filesystem::path& path, Needs needs,
                               const std::function<void()>& half) {
  if (fault_ == Fault::none) return;
  if (was_hit_) {
    if (fault_ == Fault::crash) throw Crash{};
    if (fault_ == Fault::disk_full && needs == Needs::space) throw IoError(what, path, ENOSPC);
    return;
  }
  if (operations_left_ > 1) {
    --operations_left_;
    return;
  }
  if (fault_ == Fault::disk_full && needs == Needs::nothing) return;  // hits the next operation that needs space
  was_hit_ = true;
  if (half) half();
  if (fault_ == Fault::crash) throw Crash{};
  throw IoError(what, path, fault_ == Fault::disk_full ? ENOSPC : EIO);
}

void FaultyFileSystem::reboot(Unsynced unsynced, std::uint64_t seed) {
  fault_ = Fault::none;
  std::uint64_t state = mixed(seed);
  const auto survives = [&] {
    state = mixed(state);
    return unsynced == Unsynced::kept || (unsynced == Unsynced::mixed && state % 2 == 0);
  };
  // A rename survives as a whole: of each file either all new names or all old ones.
  std::map<std::shared_ptr<Content>, bool> decided;
  const auto has_new_names = [&](const std::shared_ptr<Content>& content) {
    const auto [decision, is_new] = decided.try_emplace(content);
    if (is_new) decision->second = survives();
    return decision->second;
  };
  Names names = durable_;
  for (const auto& [path, content] : durable_) {
    const auto now = live_.find(path);
    if ((now == live_.end() || now->second != content) && has_new_names(content)) names.erase(path);
  }
  for (const auto& [path, content] : live_)
    if (has_new_names(content)) names[path] = content;
  std::set<std::shared_ptr<Content>> contents;
  for (const auto& [path, content] : names) contents.insert(content);
  for (const std::shared_ptr<Content>& content : contents) {
    std::vector<std::byte> after = content->durable;
    if (survives()) after.resize(content->live.size());
    for (std::size_t at = 0; at < std::min(after.size(), content->live.size()); at += page_bytes)
      if (survives())
        std::memcpy(after.data() + at, content->live.data() + at,
                    std::min({page_bytes, after.size() - at, content->live.size() - at}));
    content->live = after;
    content->durable = after;
  }
  live_ = names;
  durable_ = names;
  locks_.clear();
}

std::vector<std::byte> FaultyFileSystem::content(const std::filesystem::path& path) const {
  return live_.at(normal(path))->live;
}

void FaultyFileSystem::set_content(const std::filesystem::path& path, std::vector<std::byte> bytes) {
  auto content = std::make_shared<Content>(Content{bytes, bytes});
  live_[normal(path)] = content;
  durable_[normal(path)] = content;
}

std::unique_ptr<File> FaultyFileSystem::open(const std::filesystem::path& given, OpenFor purpose) {
  const std::lock_guard guard(mutex_);
  const std::filesystem::path path = normal(given);
  const auto found = live_.find(path);
  if (found == live_.end() && (purpose == OpenFor::reading || purpose == OpenFor::writing))
    throw IoError("open", path, ENOENT);
  if (found == live_.end() || purpose == OpenFor::creating) operate("create", path, Needs::space);
  if (found == live_.end()) {
    live_[path] = std::make_shared<Content>();
  } else if (purpose == OpenFor::creating) {
    found->second->live.clear();
  }
  return std::make_unique<MemoryFile>(*this, path, live_.at(path));
}

Reserved FaultyFileSystem::reserve(const std::filesystem::path& path, ByteRange range) {
  const std::lock_guard guard(mutex_);
  operate("reserve space for", path, Needs::space);
  std::vector<std::byte>& live = live_.at(normal(path))->live;
  if (reserving_ == Reserved::yes) live.resize(std::max<std::size_t>(live.size(), range.offset + range.count));
  return reserving_;
}

void FaultyFileSystem::rename(const std::filesystem::path& from, const std::filesystem::path& to) {
  const std::lock_guard guard(mutex_);
  operate("rename", from, Needs::nothing);
  const auto found = live_.find(normal(from));
  if (found == live_.end()) throw IoError("rename", from, ENOENT);
  live_[normal(to)] = found->second;
  live_.erase(normal(from));
}

void FaultyFileSystem::remove(const std::filesystem::path& path) {
  const std::lock_guard guard(mutex_);
  operate("remove", path, Needs::nothing);
  live_.erase(normal(path));
}

void FaultyFileSystem::create_directories(const std::filesystem::path& path) {
  directories_.insert(normal(path));
}

void FaultyFileSystem::sync_directory(const std::filesystem::path& path) {
  const std::lock_guard guard(mutex_);
  operate("sync directory", path, Needs::nothing);
  const std::filesystem::path directory = normal(path);
  const auto is_here = [&](const std::filesystem::path& file) { return file.parent_path() == directory; };
  std::erase_if(durable_, [&](const auto& name) { return is_here(name.first); });
  for (const auto& [name, content] : live_)
    if (is_here(name)) durable_[name] = content;
}

bool FaultyFileSystem::exists(const std::filesystem::path& path) const {
  const std::lock_guard guard(mutex_);
  return live_.contains(normal(path)) || directories_.contains(normal(path));
}

std::vector<std::string> FaultyFileSystem::list(const std::filesystem::path& path) const {
  const std::lock_guard guard(mutex_);
  std::vector<std::string> names;
  for (const auto& [file, content] : live_)
    if (file.parent_path() == normal(path)) names.push_back(file.filename().string());
  return names;
}

std::unique_ptr<File> FaultyFileSystem::try_lock(const std::filesystem::path& given) {
  const std::lock_guard guard(mutex_);
  const std::filesystem::path path = normal(given);
  if (!locks_[path].expired()) return nullptr;
  auto lock = std::make_shared<int>(0);
  locks_[path] = lock;
  auto& content = live_[path];
  if (content == nullptr) content = std::make_shared<Content>();
  return std::make_unique<MemoryFile>(*this, path, content, std::move(lock));
}

std::string FaultyFileSystem::lock_holder(const std::filesystem::path& path) {
  const std::lock_guard guard(mutex_);
  const auto found = locks_.find(normal(path));
  return found == locks_.end() || found->second.expired() ? "" : "process 1 on host memory";
}

}  // namespace dfsweep
