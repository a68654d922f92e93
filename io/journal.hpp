/// Journal: an append-only file of self-contained records that list the complete blocks. docs/dataset.md specifies the
/// bytes. A torn or damaged record is skipped; all other records stay valid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "io/checksum.hpp"

namespace dfsweep {

enum class RecordKind : std::uint32_t {
  rows = 1,        ///< a block is complete; payload: XXH3-128 of its bytes in each column, 16 bytes each
  candidates = 2,  ///< a slice is complete; payload: its candidates
  damage = 3,      ///< earlier records of this block, up to this generation, are void; no payload
};

/// Block number of a damage record for the whole file: its frame, checksum table or reduced rows.
inline constexpr std::uint32_t whole_file = std::numeric_limits<std::uint32_t>::max();

struct JournalRecord {
  RecordKind kind = RecordKind::rows;
  Checksum plan;  ///< fingerprint of the plan
  std::uint32_t block = 0;
  std::uint32_t generation = 0;  ///< 0, or one more than the newest damage record of the block
  std::span<const std::byte> payload;
};

/// Serializes a record, ready to append.
[[nodiscard]] std::vector<std::byte> encode_record(const JournalRecord& record);

/// Calls `use` for every valid record of a journal in order, with the offset of its payload. Returns the number of
/// bytes outside valid records. The payload is a view into `bytes`.
std::uint64_t scan_journal(std::span<const std::byte> bytes,
                           const std::function<void(const JournalRecord&, std::uint64_t payload_offset)>& use);

/// Checksums as the payload of a `rows` record, and back; a size that is not a multiple of 16 gives an empty result.
[[nodiscard]] std::vector<std::byte> encode_checksums(std::span<const Checksum> checksums);
[[nodiscard]] std::vector<Checksum> decode_checksums(std::span<const std::byte> payload);

}  // namespace dfsweep
