/// Reads adjacent blocks of a file and compares each with its checksum, in pieces that stay in the cache of the
/// processor.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>

#include "io/checksum.hpp"

namespace dfsweep::python {

/// Adjacent blocks of a file, from `offset` on. A block that is `known` was compared before.
struct FileBlocks {
  int descriptor;
  std::uint64_t offset;
  std::span<const std::uint64_t> ends;      ///< [block] bytes from `offset` to its end
  std::span<const std::uint64_t> expected;  ///< [2 x block] high and low half of its checksum
  std::span<std::uint8_t> known;            ///< [block] 0 or 1; set where a comparison succeeds

  [[nodiscard]] std::size_t count() const { return ends.size(); }
  [[nodiscard]] std::uint64_t begin(std::size_t block) const { return block == 0 ? 0 : ends[block - 1]; }
};

/// Fills `bytes` from a file. False where the file ends before, or cannot be read.
inline bool read_exactly(int descriptor, std::uint64_t offset, std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = pread(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    offset += static_cast<std::uint64_t>(count);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

/// Reads blocks piece by piece.
class BlockReader {
 public:
  explicit BlockReader(const FileBlocks& blocks) : blocks_(blocks) {}

  /// Fills `out` with the bytes from `begin` on, counted like `ends`. Returns the first damaged block, count() if all
  /// are sound, or count() + 1 where the file cannot be read. Pre: the bytes lie in the blocks.
  std::size_t read(std::uint64_t begin, std::span<std::byte> out) {
    const std::uint64_t end = begin + out.size();
    for (std::size_t b = first_block(begin); b < blocks_.count() && blocks_.begin(b) < end; ++b) {
      const std::uint64_t low = std::max(begin, blocks_.begin(b));
      const std::uint64_t high = std::min(end, blocks_.ends[b]);
      const std::span part = out.subspan(low - begin, high - low);
      if (blocks_.known[b] != 0) {
        if (!read_exactly(blocks_.descriptor, blocks_.offset + low, part)) return blocks_.count() + 1;
        continue;
      }
      stream_.reset();
      if (!skim(blocks_.begin(b), low) || !fill(low, part) || !skim(high, blocks_.ends[b])) return blocks_.count() + 1;
      if (!is_as_expected(b)) return b;
    }
    return blocks_.count();
  }

  /// Fills `out` with elements. `rows`: their ascending numbers, counted from the first block on. Returns as read()
  /// does.
  template <std::size_t Bytes>
  std::size_t gather(std::span<const std::uint32_t> rows, std::byte* out) {
    for (std::size_t b = 0; b < blocks_.count() && !rows.empty(); ++b) {
      const auto end = std::lower_bound(rows.begin(), rows.end(), blocks_.ends[b] / Bytes);
      const std::span wanted = rows.first(static_cast<std::size_t>(end - rows.begin()));
      rows = rows.subspan(wanted.size());
      if (wanted.empty()) continue;
      if (!gather_of_block<Bytes>(b, wanted, out)) return blocks_.count() + 1;
      if (blocks_.known[b] == 0 && !is_as_expected(b)) return b;
      out += wanted.size() * Bytes;
    }
    return blocks_.count();
  }

 private:
  static constexpr std::uint64_t piece_bytes = std::uint64_t{1} << 18;

  [[nodiscard]] std::size_t first_block(std::uint64_t byte) const {
    return static_cast<std::size_t>(std::upper_bound(blocks_.ends.begin(), blocks_.ends.end(), byte) -
                                    blocks_.ends.begin());
  }

  bool is_as_expected(std::size_t block) {
    const Checksum found = stream_.digest();
    if (found.high != blocks_.expected[2 * block] || found.low != blocks_.expected[2 * block + 1]) return false;
    blocks_.known[block] = 1;
    return true;
  }

  /// Hashes bytes [begin, end) that are not wanted.
  bool skim(std::uint64_t begin, std::uint64_t end) {
    for (; begin < end; begin += piece_bytes)
      if (!fill(begin, std::span(piece_.get(), std::min(piece_bytes, end - begin)))) return false;
    return true;
  }

  /// Reads and hashes bytes from `begin` on.
  bool fill(std::uint64_t begin, std::span<std::byte> out) {
    while (!out.empty()) {
      const std::span piece = out.first(std::min<std::size_t>(piece_bytes, out.size()));
      if (!read_exactly(blocks_.descriptor, blocks_.offset + begin, piece)) return false;
      stream_.update(piece);
      begin += piece.size();
      out = out.subspan(piece.size());
    }
    return true;
  }

  template <std::size_t Bytes>
  bool gather_of_block(std::size_t b, std::span<const std::uint32_t> rows, std::byte* out) {
    const bool is_known = blocks_.known[b] != 0;
    std::uint64_t begin = is_known ? std::uint64_t{rows.front()} * Bytes : blocks_.begin(b);
    const std::uint64_t end = is_known ? (std::uint64_t{rows.back()} + 1) * Bytes : blocks_.ends[b];
    if (!is_known) stream_.reset();
    std::size_t i = 0;
    for (; begin < end; begin += piece_bytes) {
      const std::span piece(piece_.get(), std::min(piece_bytes, end - begin));
      if (!read_exactly(blocks_.descriptor, blocks_.offset + begin, piece)) return false;
      if (!is_known) stream_.update(piece);
      const std::uint64_t piece_end = (begin + piece.size()) / Bytes;
      for (; i < rows.size() && rows[i] < piece_end; ++i)
        std::memcpy(out + i * Bytes, piece.data() + (std::uint64_t{rows[i]} * Bytes - begin), Bytes);
    }
    return true;
  }

  FileBlocks blocks_;
  ChecksumStream stream_;
  std::unique_ptr<std::byte[]> piece_{new std::byte[piece_bytes]};
};

}  // namespace dfsweep::python
