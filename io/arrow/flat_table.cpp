#include "io/arrow/flat_table.hpp"

#include <algorithm>
#include <cstring>

namespace dfsweep {

namespace {

constexpr std::size_t offset_bytes = sizeof(std::uint32_t);
constexpr std::size_t largest_alignment = 8;

/// Parents come before their children, because offsets point forward.
class FlatBuffer {
 public:
  std::vector<std::byte> take(const FlatTable& root) {
    bytes_.resize(offset_bytes);
    refer(0, add(root));
    align(largest_alignment);
    return std::move(bytes_);
  }

 private:
  /// A place for the offset of a child that is not written yet.
  struct Reference {
    std::size_t place = 0;
    const FlatValue* value = nullptr;
  };

  void align(std::size_t alignment) { bytes_.resize((bytes_.size() + alignment - 1) / alignment * alignment); }

  template <class Number>
  void set(std::size_t place, Number number) {
    std::memcpy(bytes_.data() + place, &number, sizeof number);
  }

  void refer(std::size_t place, std::size_t target) { set(place, static_cast<std::uint32_t>(target - place)); }

  /// Bytes of a value inside its table: the value, or the offset of a child.
  static std::size_t inline_bytes(const FlatValue& value) {
    if (std::holds_alternative<bool>(value) || std::holds_alternative<std::uint8_t>(value)) return 1;
    if (std::holds_alternative<std::int16_t>(value)) return sizeof(std::int16_t);
    if (std::holds_alternative<std::int64_t>(value)) return sizeof(std::int64_t);
    return sizeof(std::int32_t);
  }

  /// Writes a value at its place; false: it is a child.
  bool set_inline(std::size_t place, const FlatValue& value) {
    if (const auto* flag = std::get_if<bool>(&value)) return set(place, static_cast<std::uint8_t>(*flag)), true;
    if (const auto* number = std::get_if<std::uint8_t>(&value)) return set(place, *number), true;
    if (const auto* number = std::get_if<std::int16_t>(&value)) return set(place, *number), true;
    if (const auto* number = std::get_if<std::int32_t>(&value)) return set(place, *number), true;
    if (const auto* number = std::get_if<std::int64_t>(&value)) return set(place, *number), true;
    return false;
  }

  /// The table of places of the fields, the table, then its children.
  std::size_t add(const FlatTable& table) {
    std::size_t numbers = 0;
    for (const auto& [number, value] : table.fields) numbers = std::max(numbers, number + 1);
    align(sizeof(std::uint16_t));
    const std::size_t places = bytes_.size();
    const std::size_t places_bytes = (2 + numbers) * sizeof(std::uint16_t);
    bytes_.resize(places + places_bytes);
    align(largest_alignment);
    const std::size_t start = bytes_.size();
    bytes_.resize(start + offset_bytes);
    std::vector<Reference> children;
    for (const auto& [number, value] : table.fields) {
      align(inline_bytes(value));
      const std::size_t place = bytes_.size();
      bytes_.resize(place + inline_bytes(value));
      set(places + (2 + number) * sizeof(std::uint16_t), static_cast<std::uint16_t>(place - start));
      if (!set_inline(place, value)) children.push_back({place, &value});
    }
    set(places, static_cast<std::uint16_t>(places_bytes));
    set(places + sizeof(std::uint16_t), static_cast<std::uint16_t>(bytes_.size() - start));
    set(start, static_cast<std::int32_t>(start - places));
    for (const Reference& child : children) refer(child.place, add(*child.value));
    return start;
  }

  std::size_t add(const FlatValue& value) {
    if (const auto* table = std::get_if<FlatTable>(&value)) return add(*table);
    if (const auto* tables = std::get_if<std::vector<FlatTable>>(&value)) return add(*tables);
    if (const auto* text = std::get_if<std::string>(&value)) return add(*text);
    return add(std::get<FlatStructs>(value));
  }

  std::size_t add(const std::string& text) {
    const std::size_t start = add_count(text.size(), offset_bytes);
    bytes_.resize(bytes_.size() + text.size() + 1);  // and a zero
    std::memcpy(bytes_.data() + start + offset_bytes, text.data(), text.size());
    return start;
  }

  std::size_t add(const std::vector<FlatTable>& tables) {
    const std::size_t start = add_count(tables.size(), offset_bytes);
    std::size_t place = bytes_.size();
    bytes_.resize(place + tables.size() * offset_bytes);
    for (const FlatTable& table : tables) {
      refer(place, add(table));
      place += offset_bytes;
    }
    return start;
  }

  std::size_t add(const FlatStructs& structs) {
    const std::size_t start = add_count(structs.numbers.size() / structs.words, largest_alignment);
    const std::size_t place = bytes_.size();
    bytes_.resize(place + structs.numbers.size() * sizeof(std::int64_t));
    if (!structs.numbers.empty())
      std::memcpy(bytes_.data() + place, structs.numbers.data(), structs.numbers.size() * sizeof(std::int64_t));
    return start;
  }

  /// The number of elements of a vector, which follow at a multiple of `alignment`.
  std::size_t add_count(std::size_t count, std::size_t alignment) {
    align(offset_bytes);
    while ((bytes_.size() + offset_bytes) % alignment != 0) bytes_.resize(bytes_.size() + offset_bytes);
    const std::size_t start = bytes_.size();
    bytes_.resize(start + offset_bytes);
    set(start, static_cast<std::uint32_t>(count));
    return start;
  }

  std::vector<std::byte> bytes_;
};

}  // namespace

std::vector<std::byte> flat_buffer(const FlatTable& root) {
  return FlatBuffer().take(root);
}

}  // namespace dfsweep
