/// JSON: a value type that keeps the order of members, a writer with the number format of dfsweep, and a strict parser.
#pragma once

#include <concepts>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace dfsweep {

class Json;
using JsonArray = std::vector<Json>;
using JsonObject = std::vector<std::pair<std::string, Json>>;  ///< members in order of writing; names are distinct

/// null, boolean, number, text, array or object.
class Json {
 public:
  Json() = default;
  Json(std::nullptr_t) {}
  template <std::same_as<bool> B>
  Json(B boolean) : value_(boolean) {}
  template <std::floating_point F>
  Json(F number) : value_(static_cast<double>(number)) {}
  template <std::signed_integral I>
  Json(I number) : value_(static_cast<std::int64_t>(number)) {}
  template <std::unsigned_integral U>
  requires(!std::same_as<U, bool>) Json(U number) : value_(static_cast<std::uint64_t>(number)) {}
  Json(std::string text) : value_(std::move(text)) {}
  Json(std::string_view text) : value_(std::string(text)) {}
  Json(const char* text) : value_(std::string(text)) {}
  Json(JsonArray array) : value_(std::move(array)) {}
  Json(JsonObject object) : value_(std::move(object)) {}

  [[nodiscard]] bool is_null() const { return std::holds_alternative<std::nullptr_t>(value_); }
  [[nodiscard]] bool is_object() const { return std::holds_alternative<JsonObject>(value_); }
  [[nodiscard]] bool is_array() const { return std::holds_alternative<JsonArray>(value_); }
  [[nodiscard]] bool is_text() const { return std::holds_alternative<std::string>(value_); }
  /// Each accessor throws JsonError if the value has another type; whole() also if the number does not fit.
  [[nodiscard]] const std::string& text() const;
  [[nodiscard]] double number() const;
  [[nodiscard]] std::uint64_t whole() const;
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] const JsonArray& array() const;
  [[nodiscard]] const JsonObject& object() const;
  /// The member called `name`; null if the object has no such member. `at` throws JsonError instead.
  [[nodiscard]] const Json* find(std::string_view name) const;
  [[nodiscard]] const Json& at(std::string_view name) const;

  using Value =
      std::variant<std::nullptr_t, bool, double, std::int64_t, std::uint64_t, std::string, JsonArray, JsonObject>;
  [[nodiscard]] const Value& value() const { return value_; }

 private:
  Value value_ = nullptr;
};

/// A text that is not JSON, or a value of another type than requested.
class JsonError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class JsonStyle : std::uint8_t { one_line, indented };

/// UTF-8 text; numbers in shortest round-trip form, NaN and infinities as null; invalid UTF-8 becomes U+FFFD.
/// Indented text ends with a newline and keeps arrays of scalars on one line.
[[nodiscard]] std::string to_text(const Json& json, JsonStyle style = JsonStyle::indented);

/// A JSON string literal, with the same escapes.
[[nodiscard]] std::string quoted(std::string_view text);

/// Throws JsonError with the position of the error.
[[nodiscard]] Json parse_json(std::string_view text);

}  // namespace dfsweep
