/// Reads text files and standard input as a whole, up to a limit.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace dfsweep {

/// Limit for sweep files, catalogue entries and JSON documents.
inline constexpr std::size_t max_text_bytes = std::size_t{64} << 20;
/// Limit for point lists and measured tables, which are kept in memory.
inline constexpr std::size_t max_table_bytes = std::size_t{1} << 30;

/// Reads a file, a pipe, or standard input for "-". Throws UserError naming `shown` if it cannot be read, is a device,
/// or holds more than `max_bytes`; reading stops at the limit.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path, const std::string& shown,
                                         std::size_t max_bytes = max_text_bytes);

}  // namespace dfsweep
