/// BlockQueue: which blocks a rank gets next, and when it stops asking. A policy without clocks and messages, so that
/// tests drive it in virtual time.
///
/// Blocks are assigned in a given order. When half of them are assigned, the rest is ordered by the time that their
/// measured neighbours took, expensive ones first: neighbours of a grid cost about the same, and the blocks that are
/// still evaluated at the end are then cheap ones. A rank that is much slower than the others gets no more blocks when
/// the rest is expected to be evaluated in less than the longest time that one of its blocks took.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/plan/plan.hpp"

namespace dfsweep {

/// A block that a rank has evaluated, and the wall time that it took.
struct MeasuredBlock {
  BlockId block = 0;
  double seconds = 0.0;
};

class BlockQueue {
 public:
  /// Pre: no block occurs twice, ranks > 0.
  BlockQueue(std::vector<BlockId> todo, std::uint32_t ranks);

  struct Grant {
    std::vector<BlockId> blocks;
    bool may_prefetch = false;  ///< enough blocks are left to request the next ones early
  };
  /// The next blocks of a rank that asks for `wanted`: none if it gets no more. Rank 0 gets blocks while any is left.
  [[nodiscard]] Grant take(std::uint32_t rank, std::size_t wanted);
  /// Notes what a rank has evaluated since it asked last. Blocks that this queue did not assign are ignored.
  void note(std::uint32_t rank, std::span<const MeasuredBlock> measured);
  /// No rank gets another block.
  void close() { taken_ = todo_.size(); }
  [[nodiscard]] std::size_t left() const { return todo_.size() - taken_; }

 private:
  struct Measured {
    std::uint64_t blocks = 0;
    double seconds = 0.0;
    double longest = 0.0;
    [[nodiscard]] double mean() const { return blocks == 0 ? 0.0 : seconds / static_cast<double>(blocks); }
  };
  void order_rest();
  [[nodiscard]] bool is_slow(std::uint32_t rank) const;
  /// Expected time of all ranks for the blocks that are left.
  [[nodiscard]] double rest_seconds() const;

  std::vector<BlockId> todo_;
  std::size_t taken_ = 0;
  bool is_rest_ordered_ = false;
  std::vector<float> seconds_;     ///< [block] measured time; 0: not measured
  std::vector<Measured> of_rank_;  ///< [rank]
  Measured of_all_;
};

/// Number of blocks for one request: `wanted`, at most an equal share of half of the remaining blocks, and at least one
/// while any is left (guided self-scheduling).
[[nodiscard]] std::size_t grant(std::size_t wanted, std::size_t left, std::size_t ranks);

/// Number of blocks that a rank asks for, which evaluated `blocks` in the `seconds` since its last request: few,
/// because expensive blocks come in clusters and a block that one rank holds cannot go to another, but enough to hide a
/// round trip, and that the requests of all ranks together do not occupy rank 0.
[[nodiscard]] std::size_t wanted_blocks(double seconds, std::size_t blocks, std::size_t ranks);

/// Time between two reports of a rank to rank 0: a tenth of a second, longer with more than 1000 ranks.
[[nodiscard]] double report_interval_seconds(std::size_t ranks);

}  // namespace dfsweep
