/// JSON values and their text. The writer is our own, because the order of members and the number format are documented
/// for readers of the output.
#include "io/json.hpp"

#include <cmath>

#include "io/number_format.hpp"
#include "io/utf8.hpp"

namespace dfsweep {
namespace {

template <class T>
const T& expect(const Json::Value& value, const char* kind) {
  if (const T* found = std::get_if<T>(&value)) return *found;
  throw JsonError(std::string("expected ") + kind);
}

void append_quoted(std::string& out, std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  out += '"';
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const auto c = static_cast<unsigned char>(text.front());
    if (length == 0)
      out += "\xEF\xBF\xBD";
    else if (c == '"' || c == '\\')
      (out += '\\') += text.front();
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (c == '\r')
      out += "\\r";
    else if (c < 0x20 || c == 0x7F)
      ((out += "\\u00") += digits[c >> 4]) += digits[c & 15U];
    else
      out += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  out += '"';
}

bool is_scalar(const Json& json) {
  return !json.is_array() && !json.is_object();
}

class Writer {
 public:
  explicit Writer(JsonStyle style) : style_(style) {}

  void write(const Json& json, std::size_t depth) {
    std::visit([&](const auto& value) { write_value(value, depth); }, json.value());
  }
  std::string take() { return std::move(out_); }

 private:
  void write_value(std::nullptr_t, std::size_t) { out_ += "null"; }
  void write_value(bool boolean, std::size_t) { out_ += boolean ? "true" : "false"; }
  void write_value(double number, std::size_t) { out_ += std::isfinite(number) ? shortest(number) : "null"; }
  void write_value(std::int64_t number, std::size_t) { out_ += std::to_string(number); }
  void write_value(std::uint64_t number, std::size_t) { out_ += std::to_string(number); }
  void write_value(const std::string& text, std::size_t) { append_quoted(out_, text); }

  void write_value(const JsonArray& array, std::size_t depth) {
    bool on_one_line = true;
    for (const Json& element : array) on_one_line = on_one_line && is_scalar(element);
    out_ += '[';
    for (std::size_t i = 0; i < array.size(); ++i) {
      if (i != 0) out_ += on_one_line && style_ == JsonStyle::indented ? ", " : ",";
      if (!on_one_line) new_line(depth + 1);
      write(array[i], depth + 1);
    }
    if (!on_one_line) new_line(depth);
    out_ += ']';
  }

  void write_value(const JsonObject& object, std::size_t depth) {
    out_ += '{';
    for (std::size_t i = 0; i < object.size(); ++i) {
      if (i != 0) out_ += ',';
      new_line(depth + 1);
      append_quoted(out_, object[i].first);
      out_ += style_ == JsonStyle::indented ? ": " : ":";
      write(object[i].second, depth + 1);
    }
    if (!object.empty()) new_line(depth);
    out_ += '}';
  }

  void new_line(std::size_t depth) {
    if (style_ == JsonStyle::indented) out_.append(1, '\n').append(2 * depth, ' ');
  }

  JsonStyle style_;
  std::string out_;
};

}  // namespace

const std::string& Json::text() const {
  return expect<std::string>(value_, "a string");
}
bool Json::boolean() const {
  return expect<bool>(value_, "true or false");
}
const JsonArray& Json::array() const {
  return expect<JsonArray>(value_, "an array");
}
const JsonObject& Json::object() const {
  return expect<JsonObject>(value_, "an object");
}

double Json::number() const {
  if (const auto* whole = std::get_if<std::int64_t>(&value_)) return static_cast<double>(*whole);
  if (const auto* whole = std::get_if<std::uint64_t>(&value_)) return static_cast<double>(*whole);
  return expect<double>(value_, "a number");
}

std::uint64_t Json::whole() const {
  if (const auto* whole = std::get_if<std::int64_t>(&value_); whole != nullptr && *whole >= 0)
    return static_cast<std::uint64_t>(*whole);
  return expect<std::uint64_t>(value_, "a whole number");
}

const Json* Json::find(std::string_view name) const {
  for (const auto& [member, json] : object())
    if (member == name) return &json;
  return nullptr;
}

const Json& Json::at(std::string_view name) const {
  const Json* found = find(name);
  if (found == nullptr) throw JsonError("no member '" + std::string(name) + "'");
  return *found;
}

std::string to_text(const Json& json, JsonStyle style) {
  Writer writer(style);
  writer.write(json, 0);
  return style == JsonStyle::indented ? writer.take() + "\n" : writer.take();
}

std::string quoted(std::string_view text) {
  std::string out;
  append_quoted(out, text);
  return out;
}

}  // namespace dfsweep
