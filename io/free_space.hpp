/// How much a user may still write at a place: the free space of its file system, and the quotas that the kernel knows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace dfsweep {

/// Bytes that this process may still write under `path`, or under its nearest parent that exists. Unknown where the
/// file system does not say; quotas that only a file server knows are not seen.
[[nodiscard]] std::optional<std::uint64_t> free_space(const std::filesystem::path& path);

}  // namespace dfsweep
