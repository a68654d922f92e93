/// A file system as a client of a file server sees it, in user space: remote_file_system MOUNT_POINT SERVER_FOLDER
/// CONTROL.
///
/// Several of these processes on one server folder are several hosts. A client keeps what it writes in whole pages
/// until close or sync, and what it has read until the next open (close-to-open); space cannot be reserved; locks hold
/// on one host only. The pipe CONTROL takes lines:
///   fail ERRNO N   about one call in N ends with this error; N = 0 ends that
///   quota BYTES    the server refuses a page that would make its files larger than that together; 0 is no quota
///   away MS        the server does not answer for so long: calls wait
///   count FILE     writes the calls and the injected faults so far to FILE
#define FUSE_USE_VERSION 31
#include <dirent.h>
#include <fcntl.h>
#include <fuse3/fuse.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <thread>

#include "tests/faults/remote_client.hpp"

namespace {

using namespace remote;

int result(int code) {
  return code < 0 ? -errno : 0;
}

int get_attributes(const char* path, struct stat* info, fuse_file_info*) {
  if (const int error = enter()) return -error;
  const std::lock_guard lock(client.mutex);
  if (::lstat(on_server(path).c_str(), info) != 0) return -errno;
  const auto open_file = client.files.find(path);
  if (open_file != client.files.end()) info->st_size = static_cast<off_t>(open_file->second.size);
  return 0;
}

/// Notes that a file is open: clean pages are read again from the server from now on.
int open_cached(const char* path, fuse_file_info* info) {
  struct stat now = {};
  if (::stat(on_server(path).c_str(), &now) != 0) return -errno;
  CachedFile& file = client.files[path];
  if (file.users == 0) file.size = static_cast<std::uint64_t>(now.st_size);
  file.size = std::max(file.size, static_cast<std::uint64_t>(now.st_size));
  ++file.users;
  std::erase_if(file.pages, [](const auto& each) { return !each.second.is_dirty; });
  info->direct_io = 1;  // this process is the cache
  return 0;
}

int open_file(const char* path, fuse_file_info* info) {
  if (const int error = enter()) return -error;
  const std::lock_guard lock(client.mutex);
  const int descriptor = ::open(on_server(path).c_str(), (info->flags & ~O_APPEND & ~O_TRUNC) | O_CLOEXEC);
  if (descriptor < 0) return -errno;
  ::close(descriptor);
  return open_cached(path, info);
}

int create_file(const char* path, mode_t mode, fuse_file_info* info) {
  if (const int error = enter()) return -error;
  const std::lock_guard lock(client.mutex);
  const int descriptor = ::open(on_server(path).c_str(), O_CREAT | O_RDWR | (info->flags & O_EXCL) | O_CLOEXEC, mode);
  if (descriptor < 0) return -errno;
  ::close(descriptor);
  return open_cached(path, info);
}

int read_file(const char* path, char* buffer, std::size_t count, off_t offset, fuse_file_info*) {
  if (const int error = enter()) return -error;
  const std::lock_guard lock(client.mutex);
  CachedFile& file = client.files[path];
  const auto first = static_cast<std::uint64_t>(offset);
  const std::uint64_t end = std::min(first + count, std::max(first, file.size));
  for (std::uint64_t at = first; at < end;) {
    const std::uint64_t part = std::min(end - at, page_bytes - at % page_bytes);
    std::memcpy(buffer + (at - first), page_of(path, file, at / page_bytes).bytes.data() + at % page_bytes, part);
    at += part;
  }
  return static_cast<int>(end - first);
}

int write_file(const char* path, const char* buffer, std::size_t count, off_t offset, fuse_file_info*) {
  if (const int error = enter()) return -error;
  const std::lock_guard lock(client.mutex);
  CachedFile& file = client.files[path];
  const auto first = static_cast<std::uint64_t>(offset);
  for (std::uint64_t at = first; at < first + count;) {
    const std::uint64_t part = std::min(first + count - at, page_bytes - at % page_bytes);
    Page& page = page_of(path, file, at / page_bytes);
    std::memcpy(page.bytes.data() + at % page_bytes, buffer + (at - first), part);
    page.is_dirty = true;
    at += part;
  }
  file.size = std::max(file.size, first + count);
  return static_cast<int>(count);
}

int sync_file(const char* path, int, fuse_file_info*) {
  if (const int error = enter()) return -error;
  const std::lock_guard lock(client.mutex);
  return write_back(path, client.files[path]);
}

int flush_file(const char* path, fuse_file_info* info) {
  return sync_file(path, 0, info);
}

int release_file(const char* path, fuse_file_info*) {
  const std::lock_guard lock(client.mutex);
  const auto file = client.files.find(path);
  if (file == client.files.end()) return 0;
  if (--file->second.users > 0) return 0;
  static_cast<void>(write_back(path, file->second));
  client.files.erase(file);
  return 0;
}

int truncate_file(const char* path, off_t size, fuse_file_info*) {
  if (const int error = enter()) return -error;
  const std::lock_guard lock(client.mutex);
  const auto open_file = client.files.find(path);
  if (open_file != client.files.end()) {
    if (const int error = write_back(path, open_file->second)) return error;
    open_file->second.pages.clear();
    open_file->second.size = static_cast<std::uint64_t>(size);
  }
  return result(::truncate(on_server(path).c_str(), size));
}

int rename_file(const char* from, const char* to, unsigned) {
  if (const int error = enter()) return -error;
  const std::lock_guard lock(client.mutex);
  const auto open_file = client.files.find(from);
  if (open_file != client.files.end()) {
    client.files[to] = std::move(open_file->second);
    client.files.erase(open_file);
  }
  return result(::rename(on_server(from).c_str(), on_server(to).c_str()));
}

int remove_file(const char* path) {
  if (const int error = enter()) return -error;
  return result(::unlink(on_server(path).c_str()));
}

int make_folder(const char* path, mode_t mode) {
  if (const int error = enter()) return -error;
  return result(::mkdir(on_server(path).c_str(), mode));
}

int remove_folder(const char* path) {
  if (const int error = enter()) return -error;
  return result(::rmdir(on_server(path).c_str()));
}

int list_folder(const char* path, void* buffer, fuse_fill_dir_t fill, off_t, fuse_file_info*, fuse_readdir_flags) {
  if (const int error = enter()) return -error;
  DIR* folder = ::opendir(on_server(path).c_str());
  if (folder == nullptr) return -errno;
  while (const dirent* entry = ::readdir(folder)) fill(buffer, entry->d_name, nullptr, 0, fuse_fill_dir_flags{});
  ::closedir(folder);
  return 0;
}

int sync_folder(const char*, int, fuse_file_info*) {
  return -enter();
}

void* start(fuse_conn_info*, fuse_config* settings) {
  settings->attr_timeout = 0.0;
  settings->entry_timeout = 0.0;
  settings->negative_timeout = 0.0;
  settings->hard_remove = 1;
  return nullptr;
}

int error_number(const std::string& name) {
  const std::map<std::string, int> numbers = {{"EIO", EIO}, {"ESTALE", ESTALE}, {"EDQUOT", EDQUOT}, {"ENOSPC", ENOSPC}};
  const auto found = numbers.find(name);
  return found == numbers.end() ? EIO : found->second;
}

void obey(const std::string& line) {
  std::istringstream words(line);
  std::string command;
  std::string text;
  words >> command >> text;
  const std::lock_guard lock(client.mutex);
  if (command == "fail") {
    client.error = error_number(text);
    words >> client.one_in;
  } else if (command == "quota") {
    client.quota = std::stoull(text);
  } else if (command == "away") {
    client.back = Clock::now() + std::chrono::milliseconds(std::stoll(text));
    ++client.absences;
  } else if (command == "count") {
    std::ofstream(text + ".new") << client.calls << " calls, " << client.failed << " failed, " << client.refused
                                 << " refused by quota, " << client.absences << " absences of the server\n";
    std::filesystem::rename(text + ".new", text);
  }
}

void listen(const std::string& pipe) {
  for (;;) {
    std::ifstream lines(pipe);  // ends when its writer closes it
    for (std::string line; std::getline(lines, line);) obey(line);
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) return 2;
  client.server = arguments[2];
  std::thread([pipe = std::string(arguments[3])] { listen(pipe); }).detach();
  fuse_operations operations = {};
  operations.init = start;
  operations.getattr = get_attributes;
  operations.open = open_file;
  operations.create = create_file;
  operations.read = read_file;
  operations.write = write_file;
  operations.fsync = sync_file;
  operations.flush = flush_file;
  operations.release = release_file;
  operations.truncate = truncate_file;
  operations.rename = rename_file;
  operations.unlink = remove_file;
  operations.mkdir = make_folder;
  operations.rmdir = remove_folder;
  operations.readdir = list_folder;
  operations.fsyncdir = sync_folder;
  std::string name = arguments[0];
  std::string foreground = "-f";
  std::string mount_point = arguments[1];
  std::string threads = "-omax_threads=4";
  char* of_fuse[] = {name.data(), foreground.data(), threads.data(), mount_point.data()};
  return fuse_main(4, of_fuse, &operations, nullptr);
}
