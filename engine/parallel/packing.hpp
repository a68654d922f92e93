/// Packing: values as bytes for messages between ranks of one program, and back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "models/expect.hpp"

namespace dfsweep {

class Packer {
 public:
  template <class T>
  void number(T value) {
    static_assert(std::is_arithmetic_v<T>);
    const auto* first = reinterpret_cast<const std::byte*>(&value);
    bytes_.insert(bytes_.end(), first, first + sizeof value);
  }
  /// A length and then the elements.
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

/// Reads in the order of packing. Throws LogicError where the bytes end too early.
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
    DFSWEEP_EXPECT(count <= rest_.size() / sizeof(T));
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
    DFSWEEP_EXPECT(count <= rest_.size());
    if (count != 0) std::memcpy(to, rest_.data(), count);
    rest_ = rest_.subspan(count);
  }
  std::span<const std::byte> rest_;
};

}  // namespace dfsweep
