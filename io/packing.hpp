/// Packing: serializes values for messages between processes of one program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace dfsweep {

class Packer {
 public:
  template <class T>
  void number(T value) {
    static_assert(std::is_arithmetic_v<T>);
    const auto* first = reinterpret_cast<const std::byte*>(&value);
    bytes_.insert(bytes_.end(), first, first + sizeof value);
  }
  /// Appends the length, then the elements.
  template <class T>
  void numbers(std::span<const T> values) {
    static_assert(std::is_arithmetic_v<T> || std::is_same_v<T, std::byte>);
    number<std::uint64_t>(values.size());
    const auto* first = reinterpret_cast<const std::byte*>(values.data());
    bytes_.insert(bytes_.end(), first, first + values.size_bytes());
  }
  void text(std::string_view value) { numbers(std::span(value.data(), value.size())); }
  [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

/// A message that ends before the requested value.
class MessageTooShort : public std::runtime_error {
 public:
  MessageTooShort() : std::runtime_error("a message ends too early") {}
};

/// Reads values in the order in which they were packed. Throws MessageTooShort.
class Unpacker {
 public:
  explicit Unpacker(std::span<const std::byte> bytes) : rest_(bytes) {}
  template <class T>
  [[nodiscard]] T number() {
    T value{};
    copy(&value, sizeof value);
    return value;
  }
  template <class T>
  [[nodiscard]] std::vector<T> numbers() {
    const auto count = number<std::uint64_t>();
    if (count > rest_.size() / sizeof(T)) throw MessageTooShort();
    std::vector<T> values(count);
    copy(values.data(), count * sizeof(T));
    return values;
  }
  [[nodiscard]] std::string text() {
    const std::vector<char> characters = numbers<char>();
    return {characters.begin(), characters.end()};
  }

 private:
  void copy(void* to, std::size_t count) {
    if (count > rest_.size()) throw MessageTooShort();
    if (count != 0) std::memcpy(to, rest_.data(), count);
    rest_ = rest_.subspan(count);
  }
  std::span<const std::byte> rest_;
};

}  // namespace dfsweep
