/// BlockWriter: writes evaluated blocks while the next ones are evaluated, and makes them durable in groups meanwhile.
#pragma once

#include <functional>
#include <memory>

#include "engine/dataset/block_encoding.hpp"
#include "engine/run/evaluator.hpp"
#include "engine/store/store.hpp"

namespace dfsweep {

class BlockWriter {
 public:
  /// A group is committed when it holds so many bytes or its oldest block is so old.
  static constexpr std::uint64_t group_bytes = std::uint64_t{64} << 20;
  static constexpr double group_seconds = 1.0;
  /// Bytes that may wait to be written before push() makes its caller wait; two blocks may wait whatever their size.
  static constexpr std::uint64_t queue_bytes = std::uint64_t{64} << 20;

  /// `written` gets the bytes of each block back once they are in the file; called by the writing thread.
  BlockWriter(store::Store& store, std::function<void(BlockBytes)> written);
  /// Without finish() before: what is in the queue is dropped.
  ~BlockWriter();

  /// Thread-safe. Waits while the queue is full. Throws what the writing thread threw (IoError).
  void push(EvaluatedBlock block);
  /// Writes and commits everything pushed so far and ends the thread. Throws as push() does.
  void finish();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// A small block as a message to rank 0, and back. The tally travels on its own.
[[nodiscard]] std::vector<std::byte> pack(const EvaluatedBlock& block);
[[nodiscard]] EvaluatedBlock unpack_block(std::span<const std::byte> bytes, const Plan& plan);

}  // namespace dfsweep
