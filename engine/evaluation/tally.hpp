/// Tally: counts of evaluated points by status, of blocks, and of failures by message; additive over blocks and ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/evaluation/estimates.hpp"

namespace dfsweep {

/// Failures by message. At most `limit` distinct messages are stored, because messages may name their point; the rest
/// is counted as `others`.
class FailureLog {
 public:
  static constexpr std::size_t limit = 20;
  static constexpr std::string_view others = "(further messages)";
  void add(std::string_view message, std::uint64_t first_point, std::uint64_t count);
  void add(const FailureLog& other);
  [[nodiscard]] const std::vector<Failure>& entries() const { return entries_; }
  [[nodiscard]] std::uint64_t count() const;

 private:
  std::vector<Failure> entries_;
};

struct Tally {
  std::uint64_t points = 0;
  std::uint64_t taken = 0;  ///< of `points`: those whose rows an earlier result has, see KnownRows
  std::uint64_t blocks = 0;
  /// Evaluated points of blocks in progress. In an increment: their change, which may be negative.
  std::int64_t in_progress = 0;
  std::vector<std::uint64_t> statuses;  ///< [status code] points
  FailureLog failures;

  void add(const Tally& other);
  /// Counts statuses of evaluated points.
  void add_points(std::span<const std::uint8_t> status);
  /// Counts `count` points under another status than before. Pre: they were added with status `from`.
  void change(std::uint8_t from, std::uint8_t to, std::uint64_t count);
};

[[nodiscard]] std::vector<std::byte> pack(const Tally& tally);
[[nodiscard]] Tally unpack_tally(std::span<const std::byte> bytes);

}  // namespace dfsweep
