/// BlockWriter: writes evaluated blocks while the next ones are evaluated, and makes them durable in groups meanwhile.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

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
  BlockWriter(const BlockWriter&) = delete;
  BlockWriter& operator=(const BlockWriter&) = delete;

  /// Thread-safe. Waits while the queue is full. Throws what the writing thread threw (IoError).
  void push(EvaluatedBlock block);
  /// Writes and commits everything pushed so far and ends the thread. Throws as push() does.
  void finish();

 private:
  void close_and_join();
  void guarded(void (BlockWriter::*work)());
  void write_all();
  void put(EvaluatedBlock& block);
  void commit_all();

  store::Store& store_;
  std::function<void(BlockBytes)> written_;
  std::mutex mutex_;  ///< guards what follows, up to the threads
  std::condition_variable changed_;
  std::deque<EvaluatedBlock> queue_;
  std::uint64_t queued_bytes_ = 0;
  std::optional<std::chrono::steady_clock::time_point>
      oldest_;  ///< when the oldest block was put that is not being committed
  bool is_closed_ = false;
  bool is_all_put_ = false;
  std::exception_ptr failure_;
  std::thread writing_;
  std::thread committing_;
};

/// A small block as a message to rank 0, and back. The tally travels on its own.
[[nodiscard]] std::vector<std::byte> pack(const EvaluatedBlock& block);
[[nodiscard]] EvaluatedBlock unpack_block(std::span<const std::byte> bytes, const Plan& plan);

}  // namespace dfsweep
