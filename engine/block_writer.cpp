/// A bounded queue and the thread that empties it into the store.
#include "engine/block_writer.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "engine/packing.hpp"

namespace dfsweep {
namespace {

using Clock = std::chrono::steady_clock;

std::uint64_t size_of(const EvaluatedBlock& block) {
  std::uint64_t sum = block.candidates.size();
  for (const auto& column : block.bytes) sum += column.size();
  return sum;
}

}  // namespace

class BlockWriter::Implementation {
 public:
  Implementation(Store& store, std::function<void(BlockBytes)> written)
      : store_(store), written_(std::move(written)), thread_([this] { write_all(); }) {}
  ~Implementation() {
    {
      const std::lock_guard lock(mutex_);
      queue_.clear();
      is_closed_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  void push(EvaluatedBlock block) {
    const std::uint64_t bytes = size_of(block);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failure_ || queue_.size() < 2 || queued_bytes_ + bytes <= queue_bytes; });
    if (failure_) std::rethrow_exception(failure_);
    queued_bytes_ += bytes;
    queue_.push_back(std::move(block));
    lock.unlock();
    changed_.notify_all();
  }

  void finish() {
    {
      const std::lock_guard lock(mutex_);
      is_closed_ = true;
    }
    changed_.notify_all();
    thread_.join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void write_all() {
    try {
      while (write_next()) {
      }
      if (has_uncommitted_) store_.commit();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
    }
    changed_.notify_all();
  }

  /// Puts one block or commits a group that is due; false at the end.
  bool write_next() {
    std::unique_lock lock(mutex_);
    const auto is_ready = [&] { return !queue_.empty() || is_closed_; };
    if (has_uncommitted_) {
      changed_.wait_until(lock, due_, is_ready);
    } else {
      changed_.wait(lock, is_ready);
    }
    if (!queue_.empty()) {
      EvaluatedBlock block = std::move(queue_.front());
      queue_.pop_front();
      queued_bytes_ -= size_of(block);
      lock.unlock();
      changed_.notify_all();
      put(block);
    } else if (is_closed_) {
      return false;
    } else {
      lock.unlock();
    }
    if (has_uncommitted_ && (Clock::now() >= due_ || store_.uncommitted_bytes() >= group_bytes)) {
      store_.commit();
      has_uncommitted_ = false;
    }
    return true;
  }

  void put(EvaluatedBlock& block) {
    if (block.candidates.empty()) {
      store_.put(block.block, block.bytes);
    } else {
      store_.put_candidates(block.block, block.candidates);
    }
    if (!has_uncommitted_)
      due_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(group_seconds));
    has_uncommitted_ = true;
    written_(std::move(block.bytes));
  }

  Store& store_;
  std::function<void(BlockBytes)> written_;
  std::mutex mutex_;  ///< guards the four members that follow
  std::deque<EvaluatedBlock> queue_;
  std::uint64_t queued_bytes_ = 0;
  bool is_closed_ = false;
  std::exception_ptr failure_;
  std::condition_variable changed_;
  bool has_uncommitted_ = false;  ///< of the writing thread, as is what follows
  Clock::time_point due_;
  std::thread thread_;
};

BlockWriter::BlockWriter(Store& store, std::function<void(BlockBytes)> written)
    : implementation_(std::make_unique<Implementation>(store, std::move(written))) {}
BlockWriter::~BlockWriter() = default;
void BlockWriter::push(EvaluatedBlock block) {
  implementation_->push(std::move(block));
}
void BlockWriter::finish() {
  implementation_->finish();
}

std::vector<std::byte> pack(const EvaluatedBlock& block) {
  Packer packer;
  packer.number(block.block.id);
  packer.number<std::uint64_t>(block.bytes.size());
  for (const auto& column : block.bytes) packer.numbers(std::span<const std::byte>(column));
  return packer.take();
}

EvaluatedBlock unpack_block(std::span<const std::byte> bytes, const Plan& plan) {
  Unpacker unpacker(bytes);
  EvaluatedBlock block;
  block.block = plan.block(unpacker.number<BlockId>());
  for (auto left = unpacker.number<std::uint64_t>(); left > 0; --left)
    block.bytes.push_back(unpacker.numbers<std::byte>());
  return block;
}

}  // namespace dfsweep
