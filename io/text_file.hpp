/// Text files and standard input, read whole, each with a limit.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace dfsweep {

/// Sweep files, catalogue entries and JSON documents.
inline constexpr std::size_t most_text_bytes = std::size_t{64} << 20;
/// Point lists and measured tables, which are kept in memory.
inline constexpr std::size_t most_table_bytes = std::size_t{1} << 30;

/// The bytes of a file, of a pipe, or of standard input for "-". Throws UserError naming `shown` where it cannot be
/// read, is a device, or holds more than `most_bytes`: an endless input is given up as soon as it is longer than that.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path, const std::string& shown,
                                         std::size_t most_bytes = most_text_bytes);

}  // namespace dfsweep
