/// Requests and sessions in flight: slots that are used again, and lists through them.
#pragma once

#include <cstdint>
#include <vector>

namespace dfsweep::queueing {

/// No slot.
inline constexpr std::uint32_t no_slot = 0xFFFFFFFFu;

/// A request in flight. Times in seconds from time 0; tokens are whole numbers.
struct ActiveRequest {
  std::uint64_t request = 0;
  double sent = 0.0;
  double received = 0.0;
  double started = -1.0;       ///< below 0 until a step handles it
  double first_token = -1.0;   ///< at its client without a lag; below 0 until it is known
  double lag = 0.0;            ///< of the first token, at most
  std::uint32_t promised = 0;  ///< tokens kept free for its answer
  std::uint32_t session = 0;
  std::uint32_t prompt = 1;          ///< new tokens of the prompt
  std::uint32_t carried = 0;         ///< tokens of former turns before them
  std::uint32_t output = 1;          ///< tokens of the answer
  std::uint32_t read = 0;            ///< tokens that are in the cache while the prompt is read
  std::uint32_t generated = 0;       ///< tokens of the answer that are there; while it decodes, those before it joined
  std::uint32_t held = 0;            ///< tokens of it that its rank held when it started
  std::uint32_t joined_context = 0;  ///< its context when it began to decode
  std::uint64_t joined_steps = 0;    ///< decode steps of its replica before that
  std::uint32_t rank = 0;            ///< of all ranks
  std::uint32_t next = no_slot;
  std::uint32_t previous = no_slot;
  std::uint32_t version = 0;  ///< of its entry among those that will finish; older entries are void
  /// Tokens that the cache must hold before the next token comes.
  [[nodiscard]] std::uint32_t to_read() const { return carried + prompt + generated; }
};

/// Where the tokens of a session are between two turns.
enum class KeptIn : std::uint8_t { nowhere, device, host };

/// A user, or one conversation of an open stream.
struct Session {
  std::uint64_t left = 0;     ///< requests that it has still to send
  std::uint32_t turn = 0;     ///< of the conversation
  std::uint32_t context = 0;  ///< tokens of its former turns, shared ones included
  std::uint32_t prompt = 0;   ///< of a trace, else 0: drawn
  std::uint32_t output = 0;
  std::uint32_t rank = 0;  ///< that keeps the tokens
  KeptIn kept = KeptIn::nowhere;
  std::uint32_t next = no_slot;
  std::uint32_t previous = no_slot;
};

/// Slots of one type; freed ones are used again.
template <class T>
class Slots {
 public:
  std::uint32_t take() {
    if (free_.empty()) {
      items_.emplace_back();
      return static_cast<std::uint32_t>(items_.size() - 1);
    }
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    return slot;
  }
  void give_back(std::uint32_t slot) { free_.push_back(slot); }
  T& operator[](std::uint32_t slot) { return items_[slot]; }
  const T& operator[](std::uint32_t slot) const { return items_[slot]; }

 private:
  std::vector<T> items_;
  std::vector<std::uint32_t> free_;
};

/// A doubly linked list through `next` and `previous` of slots.
template <class T>
class SlotList {
 public:
  [[nodiscard]] bool empty() const { return first_ == no_slot; }
  [[nodiscard]] std::uint32_t front() const { return first_; }
  [[nodiscard]] std::uint32_t back() const { return last_; }
  void push_back(Slots<T>& slots, std::uint32_t slot) {
    slots[slot].previous = last_;
    slots[slot].next = no_slot;
    (last_ == no_slot ? first_ : slots[last_].next) = slot;
    last_ = slot;
  }
  void push_front(Slots<T>& slots, std::uint32_t slot) {
    slots[slot].next = first_;
    slots[slot].previous = no_slot;
    (first_ == no_slot ? last_ : slots[first_].previous) = slot;
    first_ = slot;
  }
  void remove(Slots<T>& slots, std::uint32_t slot) {
    const T& item = slots[slot];
    (item.previous == no_slot ? first_ : slots[item.previous].next) = item.next;
    (item.next == no_slot ? last_ : slots[item.next].previous) = item.previous;
  }
  /// Moves all of `other` to the end.
  void append(Slots<T>& slots, SlotList& other) {
    if (other.empty()) return;
    if (empty()) {
      first_ = other.first_;
    } else {
      slots[last_].next = other.first_;
      slots[other.first_].previous = last_;
    }
    last_ = other.last_;
    other = {};
  }

 private:
  std::uint32_t first_ = no_slot;
  std::uint32_t last_ = no_slot;
};

}  // namespace dfsweep::queueing
