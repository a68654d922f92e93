/// A hash table with open addressing, which keeps entries in insertion order.
#pragma once

#include <cstdint>
#include <vector>

namespace dfsweep {

/// Linear probing with a load factor of at most 1/2. `Keys` is a traits class:
///
///     using Key, Entry;
///     static std::uint64_t hash(const Key&);   // well mixed in the lowest bits, which select the slot
///     static Key key_of(const Entry&);         // or a reference to it
///     static Entry entry_of(const Key&);       // a new entry
template <class Keys>
class OpenAddressing {
 public:
  using Key = typename Keys::Key;
  using Entry = typename Keys::Entry;
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// Index of the entry with this key, which is added if new.
  std::uint32_t find_or_add(const Key& key) {
    if (2 * (entries_.size() + 1) > slots_.size()) grow();
    std::uint32_t& slot = slots_[place_of(key)];
    if (slot == none) {
      slot = static_cast<std::uint32_t>(entries_.size());
      entries_.push_back(Keys::entry_of(key));
    }
    return slot;
  }
  /// Index of the entry with this key, or `none`.
  [[nodiscard]] std::uint32_t find(const Key& key) const { return slots_.empty() ? none : slots_[place_of(key)]; }

  /// Pre: index < size(), and the caller does not change the key.
  Entry& operator[](std::uint32_t index) { return entries_[index]; }
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

 private:
  [[nodiscard]] std::size_t place_of(const Key& key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t place = Keys::hash(key) & mask;
    while (slots_[place] != none && Keys::key_of(entries_[slots_[place]]) != key) place = (place + 1) & mask;
    return place;
  }
  void grow() {
    constexpr std::size_t least_slots = 64;
    slots_.assign(slots_.empty() ? least_slots : 2 * slots_.size(), none);
    for (std::uint32_t i = 0; i < entries_.size(); ++i) slots_[place_of(Keys::key_of(entries_[i]))] = i;
  }

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> slots_;  ///< indices of entries or `none`; the size is a power of two
};

}  // namespace dfsweep
