/// BlockWriter: writes and commits evaluated blocks in the background, and reserves the space for those that follow;
/// commits cover groups of blocks, and one that is slow does not hold up the next.
#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

#include "engine/dataset/block_encoding.hpp"
#include "engine/run/evaluator.hpp"
#include "engine/store/store.hpp"

namespace dfsweep {

/// Limits of the pause between commits: see commit_pause().
inline constexpr std::chrono::milliseconds shortest_commit_pause{100};
inline constexpr std::chrono::milliseconds longest_commit_pause{1000};

/// How long to wait after a commit that took this long: 20 times as long, so that commits take little of the time, and
/// 0.1 to 1 second, so that readers of an unfinished run see blocks soon.
[[nodiscard]] std::chrono::steady_clock::duration commit_pause(std::chrono::steady_clock::duration commit);

class BlockWriter {
 public:
  /// A group is committed at 64 MiB, or when enough time has passed since the last commit: see commit_pause().
  static constexpr std::uint64_t group_bytes = std::uint64_t{64} << 20;
  /// Limit of queued bytes above which push() blocks; two blocks of any size always fit.
  static constexpr std::uint64_t queue_bytes = std::uint64_t{16} << 20;

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
  [[nodiscard]] std::chrono::steady_clock::time_point due_time() const;
  void reserve_all();

  store::Store& store_;
  std::function<void(BlockBytes)> written_;
  std::mutex mutex_;                 ///< guards what follows, up to the threads
  std::condition_variable changed_;  ///< the queue; those who push and the writing thread wait for it
  std::condition_variable due_;      ///< a commit may be due; committing threads wait for it alone, not for each block
  std::deque<EvaluatedBlock> queue_;
  std::uint64_t queued_bytes_ = 0;
  bool has_uncommitted_ = false;  ///< whether a block was put that is not being committed
  std::chrono::steady_clock::time_point next_commit_ =
      std::chrono::steady_clock::now() + shortest_commit_pause;  ///< not before, unless a group is full
  bool is_closed_ = false;
  bool is_all_put_ = false;
  std::exception_ptr failure_;
  std::thread writing_;
  std::array<std::thread, store::Store::concurrent_commits> committing_;
  std::thread reserving_;  ///< started only if space is left to reserve
};

/// Serializes a small block for rank 0, without its tally, and back.
[[nodiscard]] std::vector<std::byte> pack(const EvaluatedBlock& block);
[[nodiscard]] EvaluatedBlock unpack_block(std::span<const std::byte> bytes, const Plan& plan);

}  // namespace dfsweep
