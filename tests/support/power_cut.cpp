#include "tests/support/power_cut.hpp"

#include <algorithm>

namespace dfsweep {

namespace {

constexpr std::size_t written_sector_bytes = 512;
constexpr std::size_t written_page_bytes = 4096;

/// splitmix64
class Choices {
 public:
  explicit Choices(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ULL + 1) {}
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(next() % count); }

 private:
  std::uint64_t state_;
};

/// Applies a change to the bytes [first, first + piece.size()) of its file.
void apply(const RecordedChange& change, std::size_t first, std::span<std::byte> piece) {
  const std::size_t end = first + piece.size();
  if (change.kind == ChangeKind::resize) {
    for (std::size_t at = std::max<std::size_t>(first, change.offset); at < end; ++at) piece[at - first] = std::byte{0};
    return;
  }
  const std::size_t from = std::max<std::size_t>(first, change.offset);
  const std::size_t to = std::min<std::size_t>(end, change.offset + change.bytes.size());
  for (std::size_t at = from; at < to; ++at) piece[at - first] = change.bytes[at - change.offset];
}

std::size_t size_after(std::size_t size, const RecordedChange& change) {
  if (change.kind == ChangeKind::resize) return static_cast<std::size_t>(change.offset);
  return std::max<std::size_t>(size, change.offset + change.bytes.size());
}

bool touches(const RecordedChange& change, std::size_t first, std::size_t end) {
  if (change.kind == ChangeKind::resize) return change.offset < end;
  return change.offset < end && change.offset + change.bytes.size() > first;
}

/// A file of which each piece is as it was at a moment of its own.
std::vector<std::byte> torn(const std::vector<std::byte>& synced, const std::vector<const RecordedChange*>& unsynced,
                            DataSurvival survival, Choices& choices) {
  const std::size_t moment = choices.below(unsynced.size() + 1);
  std::size_t size = synced.size();
  for (std::size_t i = 0; i < moment; ++i) size = size_after(size, *unsynced[i]);
  std::vector<std::byte> content(size);
  std::copy_n(synced.begin(), std::min(size, synced.size()), content.begin());
  const std::size_t step = survival == DataSurvival::sectors ? written_sector_bytes
                           : survival == DataSurvival::pages ? written_page_bytes
                                                             : std::max<std::size_t>(size, 1);
  for (std::size_t first = 0; first < size; first += step) {
    const std::span<std::byte> piece = std::span(content).subspan(first, std::min(step, size - first));
    std::vector<const RecordedChange*> here;
    for (const RecordedChange* change : unsynced)
      if (touches(*change, first, first + piece.size())) here.push_back(change);
    if (here.empty()) continue;
    const std::size_t count = survival == DataSurvival::files ? moment : choices.below(here.size() + 1);
    if (survival == DataSurvival::files) here = unsynced;
    for (std::size_t i = 0; i < count; ++i) apply(*here[i], first, piece);
    const bool is_new = first >= synced.size();
    if (survival == DataSurvival::sectors && is_new && choices.below(8) == 0)
      for (std::byte& byte : piece) byte = static_cast<std::byte>(choices.next());
  }
  return content;
}

}  // namespace

PowerCuts::PowerCuts(const DiskState& initial, std::span<const RecordedChange> changes)
    : synced_directories_(initial.directories) {
  for (const auto& [path, bytes] : initial.files) {
    synced_names_[path] = inodes_.size();
    inodes_.push_back({bytes, {}});
  }
  for (const RecordedChange& change : changes) take(change);
}

std::size_t PowerCuts::unsynced_data() const {
  std::size_t count = 0;
  for (const Inode& inode : inodes_) count += inode.unsynced.size();
  return count;
}

void PowerCuts::rename_in(std::map<std::filesystem::path, std::size_t>& names, std::set<std::filesystem::path>& folders,
                          const RecordedChange& change) {
  switch (change.kind) {
    case ChangeKind::make_directory:
      folders.insert(change.path);
      return;
    case ChangeKind::rename:
      names.erase(change.path);
      names[change.to] = change.file;
      return;
    case ChangeKind::remove:
      names.erase(change.path);
      return;
    default:
      names[change.path] = change.file;
  }
}

void PowerCuts::take(const RecordedChange& change) {
  switch (change.kind) {
    case ChangeKind::write:
    case ChangeKind::resize:
      inodes_[change.file].unsynced.push_back(&change);
      return;
    case ChangeKind::sync: {
      Inode& inode = inodes_[change.file];
      for (const RecordedChange* each : inode.unsynced) {
        inode.synced.resize(size_after(inode.synced.size(), *each));
        apply(*each, 0, inode.synced);
      }
      inode.unsynced.clear();
      return;
    }
    case ChangeKind::sync_directory:
      std::erase_if(names_, [&](const RecordedChange* name) {
        if (name->path.parent_path() != change.path) return false;
        rename_in(synced_names_, synced_directories_, *name);
        return true;
      });
      return;
    case ChangeKind::create:
      inodes_.emplace_back();
      break;
    default:
      break;
  }
  names_.push_back(&change);
}

DiskState PowerCuts::after(const Cut& cut) const {
  Choices choices(cut.seed);
  std::map<std::filesystem::path, std::size_t> names = synced_names_;
  std::set<std::filesystem::path> directories = synced_directories_;
  const std::size_t chosen = choices.below(names_.size() + 1);
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const bool survives = cut.names == NameSurvival::all || (cut.names == NameSurvival::first && i < chosen) ||
                          (cut.names == NameSurvival::any && choices.below(2) == 0) ||
                          (cut.names == NameSurvival::all_but && i != chosen) ||
                          (cut.names == NameSurvival::only && i == chosen);
    if (survives) rename_in(names, directories, *names_[i]);
  }
  DiskState state;
  for (const std::filesystem::path& directory : directories) {  // parents come before their children
    const std::filesystem::path parent = directory.parent_path();
    if (parent.empty() || state.directories.contains(parent)) state.directories.insert(directory);
  }
  for (const auto& [path, number] : names) {
    if (!path.parent_path().empty() && !state.directories.contains(path.parent_path())) continue;
    const Inode& inode = inodes_[number];
    std::vector<std::byte> bytes = inode.synced;
    if (cut.data == DataSurvival::all) {
      for (const RecordedChange* change : inode.unsynced) {
        bytes.resize(size_after(bytes.size(), *change));
        apply(*change, 0, bytes);
      }
    } else if (cut.data != DataSurvival::none && !inode.unsynced.empty()) {
      bytes = torn(inode.synced, inode.unsynced, cut.data, choices);
    }
    state.files[path] = std::move(bytes);
  }
  return state;
}

}  // namespace dfsweep
