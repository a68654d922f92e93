/// Queue of blocks, server thread on rank 0, client side on the other ranks.
#include "engine/run/dispatcher.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <thread>

#include "io/packing.hpp"

namespace dfsweep {
namespace {

constexpr int to_server = 1;  // one tag for all messages, so that those of a rank arrive in order
constexpr int from_server = 2;
enum class Kind : std::uint8_t { request, tally, result, close, done };

using Clock = std::chrono::steady_clock;

/// Prefetch depth: enough blocks to hide one request round trip, but only a few, because expensive blocks come in
/// clusters and a block that one rank holds cannot go to another.
constexpr double round_trip_seconds = 0.5e-3;
constexpr std::size_t max_prefetch = 4;

/// Exponential backoff of a polling loop.
class Backoff {
 public:
  explicit Backoff(std::chrono::microseconds max_pause) : max_pause_(max_pause) {}
  void wait() {
    std::this_thread::sleep_for(pause_);
    pause_ = std::min(2 * pause_, max_pause_);
  }
  void reset() { pause_ = min_pause; }

 private:
  static constexpr std::chrono::microseconds min_pause{20};
  std::chrono::microseconds max_pause_;
  std::chrono::microseconds pause_ = min_pause;
};

std::vector<std::byte> message(Kind kind, std::span<const std::byte> content = {}) {
  std::vector<std::byte> bytes(1 + content.size());
  bytes.front() = static_cast<std::byte>(kind);
  std::copy(content.begin(), content.end(), bytes.begin() + 1);
  return bytes;
}

std::vector<std::byte> pack_number(std::uint64_t number) {
  Packer packer;
  packer.number(number);
  return packer.take();
}

/// Unassigned blocks. Thread-safe.
class Queue {
 public:
  explicit Queue(std::vector<BlockId> todo) : todo_(std::move(todo)) {}

  struct Grant {
    std::vector<BlockId> blocks;
    bool may_prefetch = false;  ///< enough blocks are left to request the next ones early
  };
  Grant take(std::size_t wanted, std::size_t ranks) {
    const std::lock_guard lock(mutex_);
    const std::size_t left = todo_.size() - taken_;
    const std::size_t count = grant(wanted, left, ranks);
    Grant result;
    const auto first = todo_.begin() + static_cast<std::ptrdiff_t>(taken_);
    result.blocks.assign(first, first + static_cast<std::ptrdiff_t>(count));
    taken_ += count;
    result.may_prefetch = left - count > 2 * ranks;
    return result;
  }
  void close() {
    const std::lock_guard lock(mutex_);
    taken_ = todo_.size();
  }

 private:
  std::mutex mutex_;
  std::vector<BlockId> todo_;
  std::size_t taken_ = 0;
};

}  // namespace

std::size_t grant(std::size_t wanted, std::size_t left, std::size_t ranks) {
  const std::size_t share = std::max<std::size_t>(left / (2 * ranks), 1);
  return std::min({std::max<std::size_t>(wanted, 1), share, left});
}

class Dispatcher::Implementation {
 public:
  Implementation(Communicator& communicator, std::vector<BlockId> todo, Inbox inbox)
      : communicator_(communicator), queue_(std::move(todo)), inbox_(std::move(inbox)) {
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
      const Queue::Grant own = queue_.take(1, communicator_.size());
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
      queue_.close();
    } else {
      communicator_.send(0, to_server, message(Kind::close));
    }
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
      communicator_.send(0, to_server, message(Kind::result, result));
    }
  }

  void finish() {
    if (!is_server()) {
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
    if (inbox_.tally(tally) == Dispatch::stop) queue_.close();
  }

  void rethrow() {
    if (has_failed_) std::rethrow_exception(failure_);
  }

  // ----------------------------------------------------------------------------------------------------------- client

  void request_blocks() {
    const double elapsed = std::chrono::duration<double>(Clock::now() - requested_at_).count();
    const double each = elapsed / static_cast<double>(std::max<std::size_t>(granted_count_, 1));
    const std::size_t wanted =
        granted_count_ == 0 || each >= round_trip_seconds
            ? 1
            : std::min(max_prefetch, static_cast<std::size_t>(round_trip_seconds / std::max(each, 1e-6)));
    communicator_.send(0, to_server, message(Kind::request, pack_number(wanted)));
    requested_at_ = Clock::now();
    is_request_pending_ = true;
  }

  bool await_reply(const std::function<bool()>& cancelled) {
    constexpr int tags[] = {from_server};
    Backoff backoff(std::chrono::microseconds(1000));
    for (;;) {
      if (const auto reply = communicator_.poll(tags)) {
        Unpacker unpacker(reply->bytes);
        granted_ = unpacker.numbers<BlockId>();
        std::reverse(granted_.begin(), granted_.end());
        may_prefetch_ = unpacker.number<std::uint8_t>() != 0;
        granted_count_ = granted_.size();
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
    Backoff backoff(std::chrono::microseconds(2000));
    for (std::uint32_t active = communicator_.size() - 1; active > 0 && !quit_;) {
      std::optional<Communicator::Message> arrived;
      try {
        arrived = communicator_.poll(tags);
        if (arrived && handle(*arrived) == Kind::done) --active;
      } catch (...) {
        if (!has_failed_) failure_ = std::current_exception();
        has_failed_ = true;
        queue_.close();
        return;
      }
      if (arrived) {
        backoff.reset();
      } else {
        backoff.wait();
      }
    }
  }

  Kind handle(const Communicator::Message& arrived) {
    const std::span<const std::byte> content = std::span(arrived.bytes).subspan(1);
    const Kind kind = static_cast<Kind>(arrived.bytes.front());
    switch (kind) {
      case Kind::request: {
        const Queue::Grant given = queue_.take(Unpacker(content).number<std::uint64_t>(), communicator_.size());
        Packer packer;
        packer.numbers(std::span<const BlockId>(given.blocks));
        packer.number<std::uint8_t>(given.may_prefetch ? 1 : 0);
        communicator_.send(arrived.from, from_server, packer.take());
        break;
      }
      case Kind::tally:
        take(unpack_tally(content));
        break;
      case Kind::result:
        inbox_.result({content.begin(), content.end()});
        break;
      case Kind::close:
        queue_.close();
        break;
      case Kind::done:
        break;
    }
    return kind;
  }

  Communicator& communicator_;
  Queue queue_;
  Inbox inbox_;
  std::thread server_;
  std::atomic<bool> quit_{false};
  std::atomic<bool> has_failed_{false};
  std::exception_ptr failure_;  ///< set before has_failed_

  std::vector<BlockId> granted_;   ///< blocks of this rank that are not started, in reverse order
  std::size_t granted_count_ = 0;  ///< number of blocks in the latest reply
  Clock::time_point requested_at_ = Clock::now();
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
