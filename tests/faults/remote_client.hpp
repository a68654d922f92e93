/// The client of a file server: what it keeps until close or sync, and the faults that are injected into its calls.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <thread>

namespace remote {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t page_bytes = 4096;

struct Page {
  std::array<char, page_bytes> bytes{};
  bool is_dirty = false;
};

/// What this client knows of an open file.
struct CachedFile {
  int users = 0;
  std::uint64_t size = 0;
  std::map<std::uint64_t, Page> pages;
};

/// State of the client; `mutex` guards all of it.
struct Client {
  std::mutex mutex;
  std::filesystem::path server;
  std::map<std::string, CachedFile> files;
  Clock::time_point back{};  ///< until then the server does not answer
  int error = 0;
  std::uint64_t one_in = 0;
  std::uint64_t quota = 0;
  std::uint64_t calls = 0;
  std::uint64_t failed = 0;
  std::uint64_t refused = 0;
  std::uint64_t absences = 0;
};
inline Client client;  // libfuse calls plain functions

inline std::string on_server(const std::string& path) {
  return client.server.string() + path;
}

/// A well-mixed function of a counter (the finalizer of SplitMix64).
inline std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// How long the server will still be away.
inline Clock::duration absence() {
  const std::lock_guard lock(client.mutex);
  return client.back - Clock::now();
}

/// Waits while the server is away. Returns the error that is injected into this call, or 0.
inline int enter() {
  for (Clock::duration left = absence(); left > Clock::duration::zero(); left = absence())
    std::this_thread::sleep_for(left);
  const std::lock_guard lock(client.mutex);
  ++client.calls;
  if (client.one_in == 0 || mixed(client.calls) % client.one_in != 0) return 0;
  ++client.failed;
  return client.error;
}

inline std::uint64_t bytes_on_server() {
  std::uint64_t bytes = 0;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(client.server, ignored)) {
    struct stat info = {};
    if (::lstat(entry.path().c_str(), &info) == 0 && S_ISREG(info.st_mode))
      bytes += static_cast<std::uint64_t>(info.st_blocks) * 512;
  }
  return bytes;
}

/// Sends the dirty pages of a file to the server. Returns 0 or an error; pages that were refused are lost, as with NFS.
inline int write_back(const std::string& path, CachedFile& file) {
  const int descriptor = ::open(on_server(path).c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return -ESTALE;
  int error = 0;
  for (auto& [index, page] : file.pages) {
    if (!page.is_dirty) continue;
    page.is_dirty = false;
    if (client.quota != 0 && bytes_on_server() + page_bytes > client.quota) {
      ++client.refused;
      error = -EDQUOT;
      continue;
    }
    const std::uint64_t first = index * page_bytes;
    const std::uint64_t count = std::min(page_bytes, file.size - std::min(file.size, first));
    if (::pwrite(descriptor, page.bytes.data(), count, static_cast<off_t>(first)) < 0) error = -errno;
  }
  ::close(descriptor);
  return error;
}

inline Page& page_of(const std::string& path, CachedFile& file, std::uint64_t index) {
  const auto [place, is_new] = file.pages.try_emplace(index);
  if (is_new) {
    const int descriptor = ::open(on_server(path).c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor >= 0) {
      const auto first = static_cast<off_t>(index * page_bytes);
      [[maybe_unused]] const ssize_t read = ::pread(descriptor, place->second.bytes.data(), page_bytes, first);
      ::close(descriptor);
    }
  }
  return place->second;
}

}  // namespace remote
