/// BlockWriter: writes and commits evaluated blocks in the background, and reserves the space for those that follow;
/// commits cover groups of blocks.
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
  /// A group is committed at 64 MiB, or when its oldest block is `group_seconds` old.
  static constexpr std::uint64_t group_bytes = std::uint64_t{64} << 20;
  static constexpr double group_seconds = 1.0;
  /// Limit of queued bytes above which push() blocks; two blocks of any size always fit.
  static constexpr std::uint64_t queue_bytes = std::uint64_t{64} << 20;

  /// `written` gets the buffer of each block back after it was written; called by the writing thread.
  BlockWriter(store::Store& store, std::function<void(BlockBytes)> written);
  /// If finish() was not called, queued blocks are discarded.
  ~BlockWriter();
  BlockWriter(const BlockWriter&) = delete;
  BlockWriter& operator=(const BlockWriter&) = delete;

  /// Blocks while the queue is full. Thread-safe. Rethrows exceptions of the background threads (IoError).
  void push(EvaluatedBlock block);
  /// Writes and commits everything pushed so far and joins the threads. Throws as push() does.
  void finish();

 private:
  void close_and_join();
  void guarded(void (BlockWriter::*work)());
  void write_all();
  void put(EvaluatedBlock& block);
  void commit_all();
  void reserve_all();

  store::Store& store_;
  std::function<void(BlockBytes)> written_;
  std::mutex mutex_;                 ///< guards what follows, up to the threads
  std::condition_variable changed_;  ///< the queue; those who push and the writing thread wait for it
  std::condition_variable due_;  ///< a commit may be due; the committing thread waits for it alone, not for each block
  std::deque<EvaluatedBlock> queue_;
  std::uint64_t queued_bytes_ = 0;
  std::optional<std::chrono::steady_clock::time_point>
      oldest_;  ///< when the oldest block was put that is not being committed
  bool is_closed_ = false;
  bool is_all_put_ = false;
  std::exception_ptr failure_;
  std::thread writing_;
  std::thread committing_;
  std::thread reserving_;  ///< started only if space is left to reserve
};

/// Serializes a small block for rank 0, without its tally, and back.
[[nodiscard]] std::vector<std::byte> pack(const EvaluatedBlock& block);
[[nodiscard]] EvaluatedBlock unpack_block(std::span<const std::byte> bytes, const Plan& plan);

}  // namespace dfsweep
