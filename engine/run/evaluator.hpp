/// Evaluator: evaluates a stream of blocks on all threads of this rank.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/dataset/block_encoding.hpp"
#include "engine/dataset/description.hpp"
#include "engine/evaluation/estimates.hpp"
#include "engine/evaluation/known_rows.hpp"
#include "engine/evaluation/tally.hpp"

namespace dfsweep {

/// A completely evaluated block, encoded for writing.
struct EvaluatedBlock {
  Block block;
  BlockBytes bytes;                   ///< BlockKind::aligned and small
  std::vector<std::byte> candidates;  ///< BlockKind::candidates
  Tally tally;
  double seconds = 0.0;  ///< wall time from the start of its first point to the end of its last one
};

/// Blocks are split into pieces of at most `max_piece_points` points. An idle thread takes the next piece, also of the
/// next block, so that the other threads never wait for an expensive point. Small blocks are split further only if the
/// plan has few of them for each thread, because neighbouring points of a piece share work. Results do not depend on
/// the number of threads, nor on the pieces, but for the number of points that bounds exclude: there the pieces depend
/// on the sweep only.
class Evaluator {
 public:
  static constexpr std::uint64_t max_piece_points = 4096;

  struct Hooks {
    std::function<std::optional<Block>()> next;  ///< called by one thread at a time; may block; nothing: no more blocks
    std::function<void(EvaluatedBlock)> done;    ///< called by any thread, concurrently; may block
    std::function<bool()> abandon;               ///< called by any thread; true: drop the blocks in progress
    /// Called by any thread with the number of points that it has just evaluated of a block in progress; may be empty.
    std::function<void(std::uint64_t)> advanced = {};
  };

  /// `ranks`: number of processes that share the blocks of the plan; `known`: rows, or reported points of a
  /// search, that are not evaluated, or null. Pre: plan, sweep and rows outlive the evaluator; a search without bounds
  /// if reported points are known.
  Evaluator(const Plan& plan, const PreparedSweep& prepared, unsigned threads, std::uint32_t ranks = 1,
            const KnownRows* known = nullptr);
  ~Evaluator();
  /// Evaluates blocks until there are no more. Rethrows exceptions of hooks; exceptions of points become status
  /// `failed`.
  void run(const Hooks& hooks);
  /// Returns a buffer for reuse by later blocks. Thread-safe.
  void recycle(BlockBytes bytes);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace dfsweep
