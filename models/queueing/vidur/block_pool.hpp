/// BlockPool: the blocks of the cache of one replica, and which requests have an entry in its table.
#pragma once

#include "models/queueing/vidur/request.hpp"
#include "models/queueing/vidur/rules.hpp"

namespace dfsweep::vidur {

class BlockPool {
 public:
  explicit BlockPool(const Rules& rules)
      : blocks_(rules.blocks),
        block_tokens_(rules.block_tokens),
        watermark_(static_cast<std::uint32_t>(rules.watermark * rules.blocks)) {}

  [[nodiscard]] std::uint32_t blocks() const { return blocks_; }
  [[nodiscard]] std::uint32_t used() const { return used_; }
  [[nodiscard]] std::uint32_t free() const { return blocks_ - used_; }
  /// Requests that hold blocks.
  [[nodiscard]] std::uint32_t entries() const { return entries_; }
  [[nodiscard]] std::uint32_t blocks_of(std::uint32_t tokens) const {
    return (tokens + block_tokens_ - 1) / block_tokens_;
  }

  /// Whether a new request can have blocks for its prompt and leave the watermark free.
  [[nodiscard]] bool admits(const RequestState& r) const {
    return std::uint64_t{blocks_of(r.prompt)} + watermark_ <= free();
  }
  /// Gives `count` blocks to a new request.
  void admit(RequestState& r, std::uint32_t count) {
    r.blocks = count;
    used_ += count;
    ++entries_;
  }
  /// One more block where the tokens processed exceed the blocks held. A running request is refused where no block is
  /// free, even where it needs none.
  void grow(RequestState& r) {
    if (r.processed <= std::uint64_t{r.blocks} * block_tokens_) return;
    ++r.blocks;
    ++used_;
  }
  void release(RequestState& r) {
    used_ -= r.blocks;
    r.blocks = 0;
    --entries_;
  }
  /// Step from 1 at which grow() gives the next block to a decoding request that goes on one token at a time.
  [[nodiscard]] std::uint32_t steps_to_growth(const RequestState& r) const {
    return r.blocks * block_tokens_ - r.processed + 1;
  }
  /// The effect of `steps` calls of grow(), each after one more token. Pre: r.processed is still that before the steps.
  void grow_by(RequestState& r, std::uint32_t steps) {
    const std::uint32_t first = steps_to_growth(r);
    if (steps < first) return;
    const std::uint32_t more = 1 + (steps - first) / block_tokens_;
    r.blocks += more;
    used_ += more;
  }

 private:
  std::uint32_t blocks_;
  std::uint32_t block_tokens_;
  std::uint32_t watermark_;
  std::uint32_t used_ = 0;
  std::uint32_t entries_ = 0;
};

}  // namespace dfsweep::vidur
