/// Evaluator: all threads of this rank on a stream of blocks.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/dataset/block_encoding.hpp"
#include "engine/dataset/description.hpp"
#include "engine/evaluation/estimates.hpp"
#include "engine/evaluation/tally.hpp"

namespace dfsweep {

/// A block whose points are all evaluated, as bytes that are ready to be written.
struct EvaluatedBlock {
  Block block;
  BlockBytes bytes;                   ///< BlockKind::aligned and small
  std::vector<std::byte> candidates;  ///< BlockKind::candidates
  Tally tally;
  double seconds = 0.0;  ///< from the start of its first point to the end of its last
};

/// Blocks are cut into pieces of at most `largest_piece` points. A thread that is free takes the next piece, of the
/// next block if need be, so that one expensive point never keeps the other threads waiting. Nothing of the results
/// depends on the cut or on the number of threads.
class Evaluator {
 public:
  static constexpr std::uint64_t largest_piece = 4096;

  struct Hooks {
    std::function<std::optional<Block>()> next;  ///< called by one thread at a time; may wait; nothing: no more blocks
    std::function<void(EvaluatedBlock)> done;    ///< called by any thread, several at a time; may wait
    std::function<bool()> abandon;               ///< called by any thread; true: drop the blocks in progress
    /// Called by any thread with the number of points it has just evaluated of a block that is not done; may be empty.
    std::function<void(std::uint64_t)> advanced = {};
  };

  /// Pre: plan and sweep outlive the evaluator.
  Evaluator(const Plan& plan, const PreparedSweep& prepared, unsigned threads);
  ~Evaluator();
  /// Evaluates blocks until there are no more. An exception from a hook, or one that is not a point's, ends it.
  void run(const Hooks& hooks);
  /// Takes back the bytes of a block for the next one. Thread-safe.
  void recycle(BlockBytes bytes);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace dfsweep
