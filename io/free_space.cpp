#include "io/free_space.hpp"

#include <fcntl.h>
#include <sys/quota.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>

namespace dfsweep {
namespace {

constexpr std::uint64_t quota_block_bytes = 1024;  // the unit of limits in struct dqblk

/// The nearest folder that exists; the current one where none of a relative path does.
std::filesystem::path existing_parent(const std::filesystem::path& path) {
  std::error_code ignored;
  std::filesystem::path folder = std::filesystem::absolute(path, ignored);
  while (!std::filesystem::exists(folder, ignored) && folder.has_relative_path()) folder = folder.parent_path();
  return folder.empty() ? std::filesystem::path(".") : folder;
}

/// What a quota of users or groups leaves to `id` on the file system of an open folder; unknown where there is no
/// limit.
std::optional<std::uint64_t> left_by_quota([[maybe_unused]] int folder, [[maybe_unused]] int kind,
                                           [[maybe_unused]] unsigned id) {
#ifdef SYS_quotactl_fd
  struct dqblk quota = {};
  if (::syscall(SYS_quotactl_fd, folder, QCMD(Q_GETQUOTA, kind), id, &quota) != 0) return std::nullopt;
  if ((quota.dqb_valid & QIF_BLIMITS) == 0 || quota.dqb_bhardlimit == 0) return std::nullopt;
  const std::uint64_t limit = quota.dqb_bhardlimit * quota_block_bytes;
  return limit - std::min<std::uint64_t>(limit, quota.dqb_curspace);
#else
  return std::nullopt;
#endif
}

}  // namespace

std::optional<std::uint64_t> free_space(const std::filesystem::path& path) {
  const std::filesystem::path folder = existing_parent(path);
  struct statvfs info = {};
  if (::statvfs(folder.c_str(), &info) != 0 || info.f_blocks == 0) return std::nullopt;
  std::uint64_t left = std::uint64_t{info.f_bavail} * info.f_frsize;
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return left;
  if (::geteuid() != 0) {  // root may write beyond every quota
    left = std::min(left, left_by_quota(descriptor, USRQUOTA, ::geteuid()).value_or(left));
    left = std::min(left, left_by_quota(descriptor, GRPQUOTA, ::getegid()).value_or(left));
  }
  ::close(descriptor);
  return left;
}

}  // namespace dfsweep
