/// A bounded queue, a thread that writes its blocks to the store, threads that commit groups of blocks, and one that
/// reserves space.
#include "engine/run/block_writer.hpp"

#include <algorithm>

#include "engine/dataset/block_encoding.hpp"
#include "io/packing.hpp"

namespace dfsweep {
namespace {

using Clock = std::chrono::steady_clock;

std::uint64_t size_of(const EvaluatedBlock& block) {
  std::uint64_t sum = block.candidates.size();
  for (const auto& column : block.bytes) sum += column.size();
  return sum;
}

}  // namespace

BlockWriter::BlockWriter(store::Store& store, std::function<void(BlockBytes)> written)
    : store_(store), written_(std::move(written)), writing_([this] { guarded(&BlockWriter::write_all); }) {
  try {
    for (std::thread& thread : committing_) thread = std::thread([this] { guarded(&BlockWriter::commit_all); });
    if (!store_.is_reserved()) reserving_ = std::thread([this] { guarded(&BlockWriter::reserve_all); });
  } catch (...) {  // the system refuses another thread
    close_and_join();
    throw;
  }
}

BlockWriter::~BlockWriter() {
  {
    const std::lock_guard lock(mutex_);
    queue_.clear();
  }
  close_and_join();
}

void BlockWriter::push(EvaluatedBlock block) {
  const std::uint64_t bytes = size_of(block);
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return failure_ || queue_.size() < 2 || queued_bytes_ + bytes <= queue_bytes; });
  if (failure_) std::rethrow_exception(failure_);
  queued_bytes_ += bytes;
  queue_.push_back(std::move(block));
  lock.unlock();
  changed_.notify_all();
}

void BlockWriter::finish() {
  close_and_join();
  if (failure_) std::rethrow_exception(failure_);
}

void BlockWriter::close_and_join() {
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
  }
  changed_.notify_all();
  due_.notify_all();
  if (writing_.joinable()) writing_.join();
  for (std::thread& thread : committing_)
    if (thread.joinable()) thread.join();
  if (reserving_.joinable()) reserving_.join();
}

/// The first failure of a thread ends all of them, and then every push.
void BlockWriter::guarded(void (BlockWriter::*work)()) {
  try {
    (this->*work)();
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
  }
  changed_.notify_all();
  due_.notify_all();
}

void BlockWriter::write_all() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return failure_ || !queue_.empty() || is_closed_; });
    if (failure_) return;
    if (queue_.empty()) break;
    EvaluatedBlock block = std::move(queue_.front());
    queue_.pop_front();
    queued_bytes_ -= size_of(block);
    lock.unlock();
    changed_.notify_all();
    put(block);
    lock.lock();
    const bool is_first = !has_uncommitted_;
    has_uncommitted_ = true;
    if (is_first || store_.uncommitted_bytes() >= group_bytes) due_.notify_all();
  }
  is_all_put_ = true;
}

void BlockWriter::put(EvaluatedBlock& block) {
  if (block.candidates.empty()) {
    store_.put(block.block, block.bytes);
  } else {
    store_.put_candidates(block.block, block.candidates);
  }
  written_(std::move(block.bytes));
}

/// When the blocks that wait for a commit are due. Pre: mutex_ is held.
Clock::time_point BlockWriter::due_time() const {
  return is_all_put_ || store_.uncommitted_bytes() >= group_bytes ? Clock::time_point::min() : next_commit_;
}

/// Commits a group when it is due. Meanwhile the next one is written, and committed by another thread after the longest
/// pause, so that a slow sync holds nothing up.
void BlockWriter::commit_all() {
  std::unique_lock lock(mutex_);
  for (;;) {
    due_.wait(lock, [&] { return failure_ || has_uncommitted_ || is_all_put_; });
    if (failure_) return;
    if (const Clock::time_point due = due_time(); due > Clock::now()) {
      due_.wait_until(lock, due);
      continue;  // another thread may have taken the group
    }
    const bool is_last = is_all_put_;
    has_uncommitted_ = false;
    const Clock::time_point start = Clock::now();
    next_commit_ = start + longest_commit_pause;
    lock.unlock();
    store_.commit();
    lock.lock();
    const Clock::time_point end = Clock::now();
    next_commit_ = std::min(next_commit_, end + commit_pause(end - start));
    if (is_last) return;
  }
}

/// Ends early once nothing more is pushed: what is written needs no reservation.
void BlockWriter::reserve_all() {
  const auto is_over = [this] {
    const std::lock_guard lock(mutex_);
    return failure_ || is_closed_;
  };
  while (!is_over() && store_.reserve_more()) continue;
}

Clock::duration commit_pause(Clock::duration commit) {
  return std::clamp<Clock::duration>(20 * commit, shortest_commit_pause, longest_commit_pause);
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
