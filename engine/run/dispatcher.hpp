/// Dispatcher: hands blocks to whichever rank is free, and carries what ranks send to rank 0.
///
/// A thread on rank 0 serves requests with point-to-point messages, which every transport moves while rank 0 computes
/// (one-sided operations do not). A rank asks for its next blocks when it starts its last one, so that the answer is
/// there when it is needed; near the end it asks when it is free, so that no block waits behind an
/// expensive one while other ranks are idle. Ranks whose blocks take less than the time of a request are given a few at
/// once.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/evaluation/tally.hpp"
#include "engine/parallel/communicator.hpp"
#include "engine/plan/plan.hpp"

namespace dfsweep {

/// Whether blocks are still to be handed out.
enum class HandingOut : std::uint8_t { on, over };

class Dispatcher {
 public:
  /// What rank 0 does with what it is sent; called by the serving thread and, for rank 0's own, by the caller. The
  /// answer to a tally may end the handing out (too many failures).
  struct Inbox {
    std::function<HandingOut(const Tally&)> tally;
    std::function<void(std::vector<std::byte>)> result;
  };
  /// Collective. `todo` and `inbox` count on rank 0 alone; blocks are handed out in the order of `todo`.
  Dispatcher(Communicator& communicator, std::vector<BlockId> todo, Inbox inbox);
  /// Without finish() before: the serving thread ends at once, other ranks are not heard any more.
  ~Dispatcher();

  /// The next block for this rank, or nothing where none is left. One thread at a time. Waits for rank 0's answer, but
  /// no longer than until `cancelled` is true. Throws what the inbox threw, on rank 0.
  [[nodiscard]] std::optional<BlockId> next(const std::function<bool()>& cancelled);
  /// From any rank and thread: no rank is given any more blocks.
  void close();
  /// From any rank and thread.
  void tell(const Tally& tally);
  void deliver(std::vector<std::byte> result);
  /// Collective: returns on rank 0 when everything that the others sent has arrived. Throws as next() does.
  void finish();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// How many blocks a request is answered with: what the rank wants, but never more than an equal share of half of what
/// is left, and at least one while any is left.
[[nodiscard]] std::size_t grant(std::size_t wanted, std::size_t left, std::size_t ranks);

}  // namespace dfsweep
