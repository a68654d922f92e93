/// Compression of what is written for other programs, by Zstandard. Source: [zstd]
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dfsweep {

enum class Compression : std::uint8_t { none, zstd };

/// Appends a frame of Zstandard. The same bytes always give the same frame with one version of the library.
/// Thread-safe. Throws std::bad_alloc.
void append_compressed(std::vector<std::byte>& frames, std::span<const std::byte> bytes);

}  // namespace dfsweep
