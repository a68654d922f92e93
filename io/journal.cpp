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

/// The record at the first byte, if it is complete and its checksum matches.
std::optional<JournalRecord> record_at_start(std::span<const std::byte> bytes) {
  if (bytes.size() < sizeof(Header) + checksum_bytes) return std::nullopt;
  Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.magic != record_magic || !is_known(header.kind)) return std::nullopt;
  if (header.payload_bytes > bytes.size() - sizeof(Header) - checksum_bytes) return std::nullopt;
  const std::size_t covered = sizeof(Header) + header.payload_bytes;
  Checksum stored;
  std::memcpy(&stored, bytes.data() + covered, checksum_bytes);
  if (stored != xxh3_128(bytes.first(covered))) return std::nullopt;
  return JournalRecord{.kind = static_cast<RecordKind>(header.kind),
                       .plan = {.high = header.plan_high, .low = header.plan_low},
                       .block = header.block,
                       .generation = header.generation,
                       .payload = bytes.subspan(sizeof(Header), header.payload_bytes)};
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

std::uint64_t scan_journal(std::span<const std::byte> bytes,
                           const std::function<void(const JournalRecord&, std::uint64_t)>& use) {
  const std::span<const std::byte> wanted = std::as_bytes(std::span(record_magic));
  std::uint64_t skipped = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::optional<JournalRecord> record = record_at_start(bytes.subspan(at));
    if (record) {
      use(*record, at + sizeof(Header));
      at += sizeof(Header) + record->payload.size() + checksum_bytes;
      continue;
    }
    const auto next =
        std::search(bytes.begin() + static_cast<std::ptrdiff_t>(at) + 1, bytes.end(), wanted.begin(), wanted.end());
    const auto next_at = static_cast<std::size_t>(next - bytes.begin());
    skipped += next_at - at;
    at = next_at;
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
