/// Dispatcher: dynamic assignment of blocks to ranks by rank 0, and transport of tallies and results to rank 0.
///
/// A thread on rank 0 serves requests by point-to-point messages, because every transport progresses them while rank 0
/// computes (one-sided operations need not progress). A rank prefetches: it requests its next blocks when it starts its
/// last one. Near the end of the run it requests only when it is idle, so that no block waits behind an expensive one
/// while other ranks are idle. Ranks with very short blocks get several at once. Which ones a rank gets is decided by
/// `block_queue`.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/evaluation/tally.hpp"
#include "engine/parallel/communicator.hpp"
#include "engine/run/block_queue.hpp"

namespace dfsweep {

/// Whether rank 0 continues to assign blocks.
enum class Dispatch : std::uint8_t { proceed, stop };

class Dispatcher {
 public:
  /// Handlers of messages on rank 0. The serving thread calls them; for messages of rank 0 itself the caller's thread
  /// does. The handler of a tally can stop the dispatch (too many failures).
  struct Inbox {
    std::function<Dispatch(const Tally&)> tally;
    std::function<void(std::vector<std::byte>)> result;
  };
  /// Collective. `todo` and `inbox` are used on rank 0 only; blocks are assigned in the order of `todo`.
  Dispatcher(Communicator& communicator, std::vector<BlockId> todo, Inbox inbox);
  /// If finish() was not called, the serving thread ends at once and messages of other ranks are lost.
  ~Dispatcher();

  /// The next block for this rank; nothing if none is left. Waits for the reply of rank 0, until `cancelled` returns
  /// true. Not thread-safe. On rank 0 rethrows exceptions of the inbox.
  [[nodiscard]] std::optional<BlockId> next(const std::function<bool()>& cancelled);
  /// Stops the dispatch: no rank gets another block. Callable on any rank, thread-safe.
  void close();
  /// Notes the time of a block that this rank has evaluated; its next request tells rank 0. Thread-safe.
  void note(const MeasuredBlock& measured);
  /// Send a tally or a result to rank 0. Callable on any rank, thread-safe. Results of short blocks are sent together,
  /// at the latest with the next request or by finish().
  void report(const Tally& tally);
  void deliver(std::vector<std::byte> result);
  /// Collective: on rank 0 returns after all messages of other ranks were handled. Throws as next() does.
  void finish();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace dfsweep
