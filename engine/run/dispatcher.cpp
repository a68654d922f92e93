/// The queue of blocks, the thread that serves it, and the side that asks.
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

constexpr int to_server = 1;  // every message to rank 0 has this tag, so that those of one rank stay in order
constexpr int from_server = 2;
enum class Kind : std::uint8_t { request, tally, result, close, farewell };

using Clock = std::chrono::steady_clock;

/// A rank asks for as many blocks as keep it busy for the time of a request, but not for more than a few: expensive
/// blocks come in clusters, and blocks that one rank holds cannot go to another.
constexpr double target_seconds = 0.5e-3;
constexpr std::size_t most_at_once = 4;

/// Sleeps that grow while nothing happens, and start short again when something does.
class Patience {
 public:
  explicit Patience(std::chrono::microseconds longest) : longest_(longest) {}
  void rest() {
    std::this_thread::sleep_for(pause_);
    pause_ = std::min(2 * pause_, longest_);
  }
  void renew() { pause_ = shortest; }

 private:
  static constexpr std::chrono::microseconds shortest{20};
  std::chrono::microseconds longest_;
  std::chrono::microseconds pause_ = shortest;
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

/// The blocks that nobody has been given yet.
class Queue {
 public:
  explicit Queue(std::vector<BlockId> todo) : todo_(std::move(todo)) {}

  struct Grant {
    std::vector<BlockId> blocks;
    bool plenty = false;  ///< so much is left that the rank may ask ahead
  };
  Grant take(std::size_t wanted, std::size_t ranks) {
    const std::lock_guard lock(mutex_);
    const std::size_t left = todo_.size() - taken_;
    const std::size_t count = grant(wanted, left, ranks);
    Grant result;
    const auto first = todo_.begin() + static_cast<std::ptrdiff_t>(taken_);
    result.blocks.assign(first, first + static_cast<std::ptrdiff_t>(count));
    taken_ += count;
    result.plenty = left - count > 2 * ranks;
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
    if (mine_.empty() && !exhausted_ && !is_waiting_) ask();
    if (mine_.empty() && is_waiting_ && !await_answer(cancelled)) return std::nullopt;
    if (mine_.empty()) return std::nullopt;
    const BlockId block = mine_.back();
    mine_.pop_back();
    if (mine_.empty() && may_ask_ahead_) ask();
    return block;
  }

  void close() {
    if (is_server()) {
      queue_.close();
    } else {
      communicator_.send(0, to_server, message(Kind::close));
    }
  }

  void tell(const Tally& tally) {
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
      if (is_waiting_) await_answer([] { return false; });
      communicator_.send(0, to_server, message(Kind::farewell));
      return;
    }
    if (server_.joinable()) server_.join();
    rethrow();
  }

 private:
  [[nodiscard]] bool is_server() const { return communicator_.rank() == 0; }

  void take(const Tally& tally) {
    if (inbox_.tally(tally) == HandingOut::over) queue_.close();
  }

  void rethrow() {
    if (has_failed_) std::rethrow_exception(failure_);
  }

  // ------------------------------------------------------------------------------------------- the side that asks

  void ask() {
    const double elapsed = std::chrono::duration<double>(Clock::now() - asked_at_).count();
    const double each = elapsed / static_cast<double>(std::max<std::size_t>(granted_, 1));
    const std::size_t wanted =
        granted_ == 0 || each >= target_seconds
            ? 1
            : std::min(most_at_once, static_cast<std::size_t>(target_seconds / std::max(each, 1e-6)));
    communicator_.send(0, to_server, message(Kind::request, pack_number(wanted)));
    asked_at_ = Clock::now();
    is_waiting_ = true;
  }

  bool await_answer(const std::function<bool()>& cancelled) {
    constexpr int tags[] = {from_server};
    Patience patience(std::chrono::microseconds(1000));
    for (;;) {
      if (const auto answer = communicator_.poll(tags)) {
        Unpacker unpacker(answer->bytes);
        mine_ = unpacker.numbers<BlockId>();
        std::reverse(mine_.begin(), mine_.end());
        may_ask_ahead_ = unpacker.number<std::uint8_t>() != 0;
        granted_ = mine_.size();
        exhausted_ = mine_.empty();
        is_waiting_ = false;
        return true;
      }
      if (cancelled()) return false;
      patience.rest();
    }
  }

  // ------------------------------------------------------------------------------------------ the side that serves

  void serve() {
    constexpr int tags[] = {to_server};
    Patience patience(std::chrono::microseconds(2000));
    for (std::uint32_t talking = communicator_.size() - 1; talking > 0 && !quit_;) {
      std::optional<Communicator::Message> arrived;
      try {
        arrived = communicator_.poll(tags);
        if (arrived && answer(*arrived) == Kind::farewell) --talking;
      } catch (...) {
        if (!has_failed_) failure_ = std::current_exception();
        has_failed_ = true;
        queue_.close();
        return;
      }
      if (arrived) {
        patience.renew();
      } else {
        patience.rest();
      }
    }
  }

  Kind answer(const Communicator::Message& arrived) {
    const std::span<const std::byte> content = std::span(arrived.bytes).subspan(1);
    const Kind kind = static_cast<Kind>(arrived.bytes.front());
    switch (kind) {
      case Kind::request: {
        const Queue::Grant given = queue_.take(Unpacker(content).number<std::uint64_t>(), communicator_.size());
        Packer packer;
        packer.numbers(std::span<const BlockId>(given.blocks));
        packer.number<std::uint8_t>(given.plenty ? 1 : 0);
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
      case Kind::farewell:
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

  std::vector<BlockId> mine_;  ///< granted and not yet taken, last first
  std::size_t granted_ = 0;    ///< by the latest answer
  Clock::time_point asked_at_ = Clock::now();
  bool is_waiting_ = false;  ///< for an answer
  bool may_ask_ahead_ = false;
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
void Dispatcher::tell(const Tally& tally) {
  implementation_->tell(tally);
}
void Dispatcher::deliver(std::vector<std::byte> result) {
  implementation_->deliver(std::move(result));
}
void Dispatcher::finish() {
  implementation_->finish();
}

}  // namespace dfsweep
