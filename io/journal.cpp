#include "io/journal.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>

namespace dfsweep {

namespace {

static_assert(std::endian::native == std::endian::little, "journals are little-endian");

constexpr std::array<char, 8> record_magic = {'D', 'F', 'S', 'W', 'R', 'E', 'C', '1'};

/// magic | kind | block | generation | reserved (0) | plan | payload length; then the payload, then a checksum of all
/// that.
struct Header {
  std::array<char, 8> magic = {};
  std::uint32_t kind = 0;
  std::uint32_t block = 0;
  std::uint32_t generation = 0;
  std::uint32_t reserved = 0;
  std::uint64_t plan_high = 0;
  std::uint64_t plan_low = 0;
  std::uint64_t payload_bytes = 0;
};
static_assert(sizeof(Header) == 48);

constexpr std::size_t checksum_bytes = sizeof(Checksum);
static_assert(checksum_bytes == 16);

bool is_known(std::uint32_t kind) {
  return kind >= static_cast<std::uint32_t>(RecordKind::rows) && kind <= static_cast<std::uint32_t>(RecordKind::damage);
}

constexpr std::size_t least_record_bytes = sizeof(Header) + checksum_bytes;

/// A part of a file in memory, which moves towards the end of the file.
class Window {
 public:
  Window(const File& file, std::size_t piece_bytes) : file_(file), piece_bytes_(piece_bytes), end_(file.size()) {}

  /// The end of the file when the window was opened, or where it is shorter since.
  [[nodiscard]] std::uint64_t end() const { return end_; }
  [[nodiscard]] std::size_t piece_bytes() const { return piece_bytes_; }

  /// `count` bytes from an offset on, fewer at the end; valid until the next call. Pre: `from` is not before that of
  /// the last call.
  std::span<const std::byte> bytes(std::uint64_t from, std::uint64_t count) {
    if (std::min(from + count, end_) > begin_ + buffer_.size()) read(from, count);
    const std::uint64_t until = std::min(from + count, end_);
    if (from >= until) return {};
    return std::span(buffer_).subspan(from - begin_, until - from);
  }

 private:
  /// Drops what is before `from`, and reads a piece more.
  void read(std::uint64_t from, std::uint64_t count) {
    const std::size_t dropped = std::min<std::uint64_t>(from - begin_, buffer_.size());
    buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(dropped));
    begin_ = from;
    const std::size_t kept = buffer_.size();
    buffer_.resize(std::min<std::uint64_t>(std::max<std::uint64_t>(count, piece_bytes_), end_ - from));
    const std::size_t found = file_.read_some(begin_ + kept, std::span(buffer_).subspan(kept));
    if (kept + found < buffer_.size()) end_ = begin_ + kept + found;
    buffer_.resize(kept + found);
  }

  const File& file_;
  std::size_t piece_bytes_;
  std::uint64_t end_;
  std::uint64_t begin_ = 0;
  std::vector<std::byte> buffer_;  ///< the bytes from begin_ on
};

/// The record at an offset, if it is complete and its checksum matches.
std::optional<JournalRecord> record_at(Window& window, std::uint64_t at) {
  const std::span<const std::byte> start = window.bytes(at, least_record_bytes);
  if (start.size() < least_record_bytes) return std::nullopt;
  Header header;
  std::memcpy(&header, start.data(), sizeof header);
  if (header.magic != record_magic || !is_known(header.kind)) return std::nullopt;
  if (header.payload_bytes > window.end() - at - least_record_bytes) return std::nullopt;
  const std::span<const std::byte> bytes = window.bytes(at, least_record_bytes + header.payload_bytes);
  const std::size_t covered = sizeof(Header) + header.payload_bytes;
  if (bytes.size() < covered + checksum_bytes) return std::nullopt;  // the file became shorter
  Checksum stored;
  std::memcpy(&stored, bytes.data() + covered, checksum_bytes);
  if (stored != xxh3_128(bytes.first(covered))) return std::nullopt;
  return JournalRecord{.kind = static_cast<RecordKind>(header.kind),
                       .plan = {.high = header.plan_high, .low = header.plan_low},
                       .block = header.block,
                       .generation = header.generation,
                       .payload = bytes.subspan(sizeof(Header), header.payload_bytes)};
}

/// The next offset from `from` on where a record may begin, or the end.
std::uint64_t next_magic(Window& window, std::uint64_t from) {
  const std::span<const std::byte> wanted = std::as_bytes(std::span(record_magic));
  for (;;) {
    const std::span<const std::byte> piece = window.bytes(from, std::max(window.piece_bytes(), wanted.size()));
    const auto found = std::search(piece.begin(), piece.end(), wanted.begin(), wanted.end());
    if (found != piece.end()) return from + static_cast<std::uint64_t>(found - piece.begin());
    if (from + piece.size() >= window.end()) return window.end();
    from += piece.size() - (wanted.size() - 1);
  }
}

}  // namespace

std::vector<std::byte> encode_record(const JournalRecord& record) {
  const Header header{.magic = record_magic,
                      .kind = static_cast<std::uint32_t>(record.kind),
                      .block = record.block,
                      .generation = record.generation,
                      .reserved = 0,
                      .plan_high = record.plan.high,
                      .plan_low = record.plan.low,
                      .payload_bytes = record.payload.size()};
  const std::size_t covered = sizeof header + record.payload.size();
  std::vector<std::byte> bytes(covered + checksum_bytes);
  std::memcpy(bytes.data(), &header, sizeof header);
  std::copy(record.payload.begin(), record.payload.end(), bytes.begin() + sizeof header);
  const Checksum checksum = xxh3_128(std::span(bytes).first(covered));
  std::memcpy(bytes.data() + covered, &checksum, checksum_bytes);
  return bytes;
}

std::uint64_t scan_journal(const File& file, const UseRecord& use, std::size_t piece_bytes) {
  Window window(file, piece_bytes);
  std::uint64_t skipped = 0;
  for (std::uint64_t at = 0; at < window.end();) {
    if (const std::optional<JournalRecord> record = record_at(window, at)) {
      use(*record, at + sizeof(Header));
      at += least_record_bytes + record->payload.size();
      continue;
    }
    const std::uint64_t next = next_magic(window, at + 1);
    skipped += next - at;
    at = next;
  }
  return skipped;
}

std::vector<std::byte> encode_checksums(std::span<const Checksum> checksums) {
  const std::span<const std::byte> bytes = std::as_bytes(checksums);
  return {bytes.begin(), bytes.end()};
}

std::vector<Checksum> decode_checksums(std::span<const std::byte> payload) {
  if (payload.size() % checksum_bytes != 0) return {};
  std::vector<Checksum> checksums(payload.size() / checksum_bytes);
  if (!payload.empty()) std::memcpy(checksums.data(), payload.data(), payload.size());
  return checksums;
}

}  // namespace dfsweep
