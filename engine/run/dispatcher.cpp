/// Server thread on rank 0, client side on the other ranks.
#include "engine/run/dispatcher.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "engine/run/block_queue.hpp"
#include "io/packing.hpp"

namespace dfsweep {
namespace {

constexpr int to_server = 1;  // one tag for all messages, so that those of a rank arrive in order
constexpr int from_server = 2;
enum class Kind : std::uint8_t { request, tally, results, close, done };

using Clock = std::chrono::steady_clock;

/// Results of short blocks are sent together: those of at most this time, or of this size.
constexpr auto result_interval = std::chrono::milliseconds(2);
constexpr std::size_t result_bytes = std::size_t{256} << 10;

/// Exponential backoff of a polling loop.
class Backoff {
 public:
  Backoff(std::chrono::microseconds min_pause, std::chrono::microseconds max_pause)
      : min_pause_(min_pause), max_pause_(max_pause) {}
  void wait() {
    std::this_thread::sleep_for(pause_);
    pause_ = std::min(2 * pause_, max_pause_);
  }
  void reset() { pause_ = min_pause_; }

 private:
  std::chrono::microseconds min_pause_;
  std::chrono::microseconds max_pause_;
  std::chrono::microseconds pause_ = min_pause_;
};

std::vector<std::byte> message(Kind kind, std::span<const std::byte> content = {}) {
  std::vector<std::byte> bytes(1 + content.size());
  bytes.front() = static_cast<std::byte>(kind);
  std::copy(content.begin(), content.end(), bytes.begin() + 1);
  return bytes;
}

/// A request for `wanted` blocks, with what was measured since the last one.
std::vector<std::byte> pack_request(std::size_t wanted, std::span<const MeasuredBlock> measured) {
  Packer packer;
  packer.number<std::uint64_t>(wanted);
  packer.number<std::uint64_t>(measured.size());
  for (const MeasuredBlock& each : measured) {
    packer.number(each.block);
    packer.number(each.seconds);
  }
  return packer.take();
}

std::vector<MeasuredBlock> unpack_measured(Unpacker& unpacker) {
  std::vector<MeasuredBlock> measured;
  for (auto count = unpacker.number<std::uint64_t>(); count > 0; --count) {
    const auto block = unpacker.number<BlockId>();
    measured.push_back({block, unpacker.number<double>()});
  }
  return measured;
}

}  // namespace

class Dispatcher::Implementation {
 public:
  Implementation(Communicator& communicator, std::vector<BlockId> todo, Inbox inbox)
      : communicator_(communicator), queue_(std::move(todo), communicator.size()), inbox_(std::move(inbox)) {
    if (is_server() && communicator_.size() > 1) server_ = std::thread([this] { serve(); });
  }
  ~Implementation() {
    quit_ = true;
    if (server_.joinable()) server_.join();
  }
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  std::optional<BlockId> next(const std::function<bool()>& cancelled) {
    if (is_server()) {
      rethrow();
      const BlockQueue::Grant own = take(0, 1, take_measured());
      return own.blocks.empty() ? std::nullopt : std::optional(own.blocks.front());
    }
    if (granted_.empty() && !exhausted_ && !is_request_pending_) request_blocks();
    if (granted_.empty() && is_request_pending_ && !await_reply(cancelled)) return std::nullopt;
    if (granted_.empty()) return std::nullopt;
    const BlockId block = granted_.back();
    granted_.pop_back();
    if (granted_.empty() && may_prefetch_) request_blocks();
    return block;
  }

  void close() {
    if (is_server()) {
      close_queue();
    } else {
      communicator_.send(0, to_server, message(Kind::close));
    }
  }

  void note(const MeasuredBlock& measured) {
    const std::lock_guard lock(measured_mutex_);
    measured_.push_back(measured);
  }

  void report(const Tally& tally) {
    if (is_server()) {
      take(tally);
    } else {
      communicator_.send(0, to_server, message(Kind::tally, pack(tally)));
    }
  }

  void deliver(std::vector<std::byte> result) {
    if (is_server()) {
      inbox_.result(std::move(result));
    } else {
      const std::lock_guard lock(results_mutex_);
      results_size_ += result.size();
      results_.push_back(std::move(result));
      if (results_size_ >= result_bytes || Clock::now() - results_sent_at_ >= result_interval) send_results();
    }
  }

  void finish() {
    if (!is_server()) {
      flush_results();
      if (is_request_pending_) await_reply([] { return false; });
      communicator_.send(0, to_server, message(Kind::done));
      return;
    }
    if (server_.joinable()) server_.join();
    rethrow();
  }

 private:
  [[nodiscard]] bool is_server() const { return communicator_.rank() == 0; }

  void take(const Tally& tally) {
    if (inbox_.tally(tally) == Dispatch::stop) close_queue();
  }

  BlockQueue::Grant take(std::uint32_t rank, std::size_t wanted, std::span<const MeasuredBlock> measured) {
    const std::lock_guard lock(queue_mutex_);
    queue_.note(rank, measured);
    return queue_.take(rank, wanted);
  }

  void close_queue() {
    const std::lock_guard lock(queue_mutex_);
    queue_.close();
  }

  std::vector<MeasuredBlock> take_measured() {
    const std::lock_guard lock(measured_mutex_);
    return std::exchange(measured_, {});
  }

  void rethrow() {
    if (has_failed_) std::rethrow_exception(failure_);
  }

  // ----------------------------------------------------------------------------------------------------------- client

  void flush_results() {
    const std::lock_guard lock(results_mutex_);
    if (!results_.empty()) send_results();
  }

  /// Pre: the caller holds results_mutex_.
  void send_results() {
    Packer packer;
    packer.number<std::uint64_t>(results_.size());
    for (const std::vector<std::byte>& result : results_) packer.numbers(std::span<const std::byte>(result));
    results_.clear();
    results_size_ = 0;
    results_sent_at_ = Clock::now();
    communicator_.send(0, to_server, message(Kind::results, packer.take()));
  }

  void request_blocks() {
    flush_results();
    const double elapsed = std::chrono::duration<double>(Clock::now() - requested_at_).count();
    const std::vector<MeasuredBlock> measured = take_measured();
    const std::size_t wanted = wanted_blocks(elapsed, measured.size(), communicator_.size());
    communicator_.send(0, to_server, message(Kind::request, pack_request(wanted, measured)));
    requested_at_ = Clock::now();
    is_request_pending_ = true;
  }

  bool await_reply(const std::function<bool()>& cancelled) {
    constexpr int tags[] = {from_server};
    Backoff backoff(std::chrono::microseconds(20), std::chrono::microseconds(1000));
    for (;;) {
      if (const auto reply = communicator_.poll(tags)) {
        Unpacker unpacker(reply->bytes);
        granted_ = unpacker.numbers<BlockId>();
        std::reverse(granted_.begin(), granted_.end());
        may_prefetch_ = unpacker.number<std::uint8_t>() != 0;
        exhausted_ = granted_.empty();
        is_request_pending_ = false;
        return true;
      }
      if (cancelled()) return false;
      backoff.wait();
    }
  }

  // ----------------------------------------------------------------------------------------------------------- server

  void serve() {
    constexpr int tags[] = {to_server};
    // Ranks ask ahead, so that no one waits for this pause; rank 0 computes besides.
    Backoff backoff(std::chrono::microseconds(100), std::chrono::microseconds(2000));
    for (std::uint32_t active = communicator_.size() - 1; active > 0 && !quit_;) {
      std::optional<Communicator::Message> arrived;
      try {
        arrived = communicator_.poll(tags);
        if (arrived && handle(*arrived) == Kind::done) --active;
      } catch (...) {
        if (!has_failed_) failure_ = std::current_exception();
        has_failed_ = true;
        close_queue();
        return;
      }
      if (arrived) {
        backoff.reset();
      } else {
        backoff.wait();
      }
    }
  }

  void take_results(Unpacker unpacker) {
    for (auto count = unpacker.number<std::uint64_t>(); count > 0; --count)
      inbox_.result(unpacker.numbers<std::byte>());
  }

  Kind handle(const Communicator::Message& arrived) {
    const std::span<const std::byte> content = std::span(arrived.bytes).subspan(1);
    const Kind kind = static_cast<Kind>(arrived.bytes.front());
    switch (kind) {
      case Kind::request: {
        Unpacker unpacker(content);
        const auto wanted = unpacker.number<std::uint64_t>();
        const BlockQueue::Grant given = take(arrived.from, wanted, unpack_measured(unpacker));
        Packer packer;
        packer.numbers(std::span<const BlockId>(given.blocks));
        packer.number<std::uint8_t>(given.may_prefetch ? 1 : 0);
        communicator_.send(arrived.from, from_server, packer.take());
        break;
      }
      case Kind::tally:
        take(unpack_tally(content));
        break;
      case Kind::results:
        take_results(Unpacker(content));
        break;
      case Kind::close:
        close_queue();
        break;
      case Kind::done:
        break;
    }
    return kind;
  }

  Communicator& communicator_;
  std::mutex queue_mutex_;               ///< guards queue_
  BlockQueue queue_;                     ///< used on rank 0
  std::mutex measured_mutex_;            ///< guards measured_
  std::vector<MeasuredBlock> measured_;  ///< blocks of this rank that rank 0 does not know yet
  Inbox inbox_;
  std::thread server_;
  std::atomic<bool> quit_{false};
  std::atomic<bool> has_failed_{false};
  std::exception_ptr failure_;  ///< set before has_failed_

  std::vector<BlockId> granted_;  ///< blocks of this rank that are not started, in reverse order
  Clock::time_point requested_at_ = Clock::now();
  std::mutex results_mutex_;                     ///< guards the next three
  std::vector<std::vector<std::byte>> results_;  ///< of this rank that are not sent yet
  std::size_t results_size_ = 0;                 ///< bytes
  Clock::time_point results_sent_at_;
  bool is_request_pending_ = false;
  bool may_prefetch_ = false;
  bool exhausted_ = false;
};

Dispatcher::Dispatcher(Communicator& communicator, std::vector<BlockId> todo, Inbox inbox)
    : implementation_(std::make_unique<Implementation>(communicator, std::move(todo), std::move(inbox))) {}
Dispatcher::~Dispatcher() = default;
std::optional<BlockId> Dispatcher::next(const std::function<bool()>& cancelled) {
  return implementation_->next(cancelled);
}
void Dispatcher::close() {
  implementation_->close();
}
void Dispatcher::note(const MeasuredBlock& measured) {
  implementation_->note(measured);
}
void Dispatcher::report(const Tally& tally) {
  implementation_->report(tally);
}
void Dispatcher::deliver(std::vector<std::byte> result) {
  implementation_->deliver(std::move(result));
}
void Dispatcher::finish() {
  implementation_->finish();
}

}  // namespace dfsweep
