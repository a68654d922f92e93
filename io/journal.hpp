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
#include "io/file_system.hpp"

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

using UseRecord = std::function<void(const JournalRecord&, std::uint64_t payload_offset)>;

/// Bytes of a journal that are in memory at once, unless a record has more.
inline constexpr std::size_t journal_piece_bytes = std::size_t{1} << 20;

/// Calls `use` for every valid record of a journal in order, with the offset of its payload, which is valid during the
/// call. Returns the number of bytes outside valid records. Reads what the file has when the scan begins, in pieces of
/// `piece_bytes`. Throws IoError.
std::uint64_t scan_journal(const File& file, const UseRecord& use, std::size_t piece_bytes = journal_piece_bytes);

/// Checksums as the payload of a `rows` record, and back; a size that is not a multiple of 16 gives an empty result.
[[nodiscard]] std::vector<std::byte> encode_checksums(std::span<const Checksum> checksums);
[[nodiscard]] std::vector<Checksum> decode_checksums(std::span<const std::byte> payload);

}  // namespace dfsweep
