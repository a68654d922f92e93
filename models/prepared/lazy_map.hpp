/// LazyMap: a thread-safe map of values that are computed on first use and then kept, for keys that are not known
/// before.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace dfsweep {

/// For few keys: a look-up compares them one after the other. Threads that need the same value at once may all compute
/// it; one result is kept, so the computation must be deterministic. Beyond a number of keys values are computed and
/// not kept. An exception leaves the value uncomputed.
template <class Key, class Value>
class LazyMap {
 public:
  explicit LazyMap(std::size_t most_keys) : most_keys_(most_keys) {}
  LazyMap(const LazyMap&) = delete;
  LazyMap& operator=(const LazyMap&) = delete;
  ~LazyMap() {
    for (const Node* node = newest_.load(std::memory_order_relaxed); node != nullptr;)
      delete std::exchange(node, node->next);
  }

  /// Number of keys whose values are kept.
  [[nodiscard]] std::size_t size() const {
    const Node* const newest = newest_.load(std::memory_order_acquire);
    return newest == nullptr ? 0 : newest->number;
  }

  /// The value of `key`; `compute()` is called where it is not kept.
  template <class Compute>
  [[nodiscard]] std::shared_ptr<const Value> get(const Key& key, Compute compute) const {
    const Node* known = newest_.load(std::memory_order_acquire);
    if (const Node* kept = find(key, known, nullptr)) return kept->value;
    auto fresh = std::make_unique<Node>(Node{key, std::make_shared<const Value>(compute()), nullptr, 0});
    for (;;) {
      fresh->next = known;
      fresh->number = known == nullptr ? 1 : known->number + 1;
      if (fresh->number > most_keys_) return fresh->value;
      const Node* const seen = known;
      if (newest_.compare_exchange_strong(known, fresh.get(), std::memory_order_acq_rel, std::memory_order_acquire))
        return fresh.release()->value;
      if (const Node* kept = find(key, known, seen)) return kept->value;
    }
  }

 private:
  struct Node {
    Key key;
    std::shared_ptr<const Value> value;
    const Node* next;
    std::size_t number;  ///< of keys up to this one
  };

  /// The node of `key` among those from `from` to before `to`, or null.
  [[nodiscard]] static const Node* find(const Key& key, const Node* from, const Node* to) {
    for (; from != to; from = from->next)
      if (from->key == key) return from;
    return nullptr;
  }

  std::size_t most_keys_;
  mutable std::atomic<const Node*> newest_{nullptr};
};

}  // namespace dfsweep
