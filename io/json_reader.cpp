/// JSON parsing with nlohmann-json; the only file that includes it. The library does not report positions of values, so
/// a cursor follows the text in step with the library's events.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "io/json.hpp"
#include "io/json_document.hpp"
#include "io/text_file.hpp"

namespace dfsweep {
namespace {

constexpr std::size_t max_json_bytes = max_text_bytes;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::size_t max_depth = 64;  ///< nesting of objects and arrays: they are destroyed recursively

Json converted(const nlohmann::ordered_json& source) {
  switch (source.type()) {
    case nlohmann::ordered_json::value_t::boolean:
      return source.get<bool>();
    case nlohmann::ordered_json::value_t::number_float:
      return source.get<double>();
    case nlohmann::ordered_json::value_t::number_integer:
      return source.get<std::int64_t>();
    case nlohmann::ordered_json::value_t::number_unsigned:
      return source.get<std::uint64_t>();
    case nlohmann::ordered_json::value_t::string:
      return source.get<std::string>();
    case nlohmann::ordered_json::value_t::array: {
      JsonArray array;
      for (const auto& element : source) array.push_back(converted(element));
      return array;
    }
    case nlohmann::ordered_json::value_t::object: {
      JsonObject object;
      for (const auto& [name, member] : source.items()) object.emplace_back(name, converted(member));
      return object;
    }
    default:
      return nullptr;
  }
}

/// Position of each value in the text. Pre of every step: the next value in the text has that type.
class TextCursor {
 public:
  TextCursor(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  /// Moves to the start of the next value.
  void skip_to_value() { at_ = std::min(text_.find_first_not_of(" \t\r\n:,", at_), text_.size()); }
  /// Each function moves to the end of the value that begins here.
  void pass(std::size_t bytes) { at_ += bytes; }
  void pass_number() { at_ = std::min(text_.find_first_not_of("+-.eE0123456789", at_), text_.size()); }
  void pass_text() {
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_)
      if (text_[at_] == '\\') ++at_;
    ++at_;
  }
  [[nodiscard]] SourcePosition position() { return position_of(at_); }
  /// O(n) when offsets are not ascending.
  [[nodiscard]] SourcePosition position_of(std::size_t offset) {
    offset = std::min(offset, text_.size());
    if (offset < counted_) std::tie(counted_, line_, column_) = std::tuple(0, 1, 1);
    for (; counted_ < offset; ++counted_) {
      const auto byte = static_cast<unsigned char>(text_[counted_]);
      if (byte == '\n')
        std::tie(line_, column_) = std::tuple(line_ + 1, 1);
      else if ((byte & 0xC0U) != 0x80U)  // first byte of a UTF-8 character
        ++column_;
    }
    return {file_, line_, column_};
  }

 private:
  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::size_t counted_ = 0;  ///< bytes counted so far
  std::uint32_t line_ = 1;   ///< of the byte at counted_
  std::uint32_t column_ = 1;
};

/// Builds the document from the library's events.
class DocumentBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  DocumentBuilder(std::string_view text, const std::string& file, JsonNulls nulls)
      : cursor_(text, file), nulls_(nulls) {}

  bool null() override {
    if (nulls_ == JsonNulls::dropped) return drop();
    add(false);
    problems_.push_back(
        {cursor_.position(), "a value is null", "numbers, texts, arrays and objects are needed", "Remove it"});
    cursor_.pass(4);
    return true;
  }
  bool boolean(bool value) override {
    add(value);
    cursor_.pass(value ? 4 : 5);
    return true;
  }
  bool number_integer(number_integer_t value) override { return add_number(value); }
  bool number_unsigned(number_unsigned_t value) override {
    constexpr auto most = static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max());
    return value <= most ? add_number(static_cast<std::int64_t>(value)) : add_number(static_cast<double>(value));
  }
  bool number_float(number_float_t value, const string_t&) override { return add_number(value); }
  bool string(string_t& value) override {
    add(std::move(value));
    cursor_.pass_text();
    return true;
  }
  bool binary(binary_t&) override { return false; }  // does not occur in JSON text
  bool start_object(std::size_t) override { return open(Document{}); }
  bool start_array(std::size_t) override { return open(NodeList{}); }
  bool key(string_t& name) override {
    cursor_.skip_to_value();
    keys_.push_back({std::move(name), cursor_.position(), {}});
    cursor_.pass_text();
    return true;
  }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  /// `read`: number of bytes up to and including the wrong one.
  bool parse_error(std::size_t read, const std::string&, const nlohmann::detail::exception& error) override {
    // "[json.exception.parse_error.101] parse error at line 2, column 1: the reason", or the reason after the brackets
    std::string_view reason = error.what();
    reason.remove_prefix(std::min(reason.find("] ") + 2, reason.size()));
    if (reason.starts_with("parse error")) reason.remove_prefix(std::min(reason.find(": ") + 2, reason.size()));
    problems_ = {
        {cursor_.position_of(read - std::min<std::size_t>(read, 1)), "not valid JSON", std::string(reason), ""}};
    return false;
  }

  /// Throws UserError if there was a problem.
  Document take() {
    if (!problems_.empty()) throw UserError(std::move(problems_));
    if (whole_.table() == nullptr)
      throw UserError({{whole_.at, fmt::format("the document is {}", whole_.type_name()), "an object is needed", ""}});
    return std::move(std::get<Document>(whole_.value));
  }

 private:
  /// Ignores a null.
  bool drop() {
    cursor_.skip_to_value();
    cursor_.pass(4);
    if (!open_.empty() && open_.back().table() != nullptr) keys_.pop_back();
    return true;
  }
  template <class Value>
  bool add_number(Value value) {
    add(value);
    cursor_.pass_number();
    return true;
  }
  template <class Value>
  void add(Value value) {
    cursor_.skip_to_value();
    place({cursor_.position(), std::move(value), false});
  }
  template <class Container>
  bool open(Container container) {
    cursor_.skip_to_value();
    open_.push_back({cursor_.position(), std::move(container), false});
    cursor_.pass(1);
    if (open_.size() <= max_depth) return true;
    problems_ = {
        {open_.back().at, "arrays and objects are nested too deeply", fmt::format("at most {}", max_depth), ""}};
    return false;
  }
  bool close() {
    cursor_.skip_to_value();
    cursor_.pass(1);
    Node container = std::move(open_.back());
    open_.pop_back();
    place(std::move(container));
    return true;
  }
  void place(Node value) {
    if (open_.empty()) {
      whole_ = std::move(value);
    } else if (auto* array = std::get_if<NodeList>(&open_.back().value)) {
      array->push_back(std::move(value));
    } else {
      auto& table = std::get<Document>(open_.back().value);
      DocumentMember member = std::move(keys_.back());
      keys_.pop_back();
      if (table.find(member.key) != nullptr)
        problems_.push_back({member.at, fmt::format("'{}' is given twice", member.key), "", "Keep one of them"});
      member.value = std::move(value);
      table.members.push_back(std::move(member));
    }
  }

  TextCursor cursor_;
  JsonNulls nulls_;
  std::vector<Node> open_;            ///< arrays and objects being parsed
  std::vector<DocumentMember> keys_;  ///< names whose values are being parsed
  Node whole_;
  std::vector<Problem> problems_;
};

}  // namespace

Json parse_json(std::string_view text) {
  try {
    return converted(nlohmann::ordered_json::parse(text));
  } catch (const nlohmann::json::exception& error) {
    throw JsonError(error.what());
  }
}

Document parse_json_document(std::string_view text, const std::string& file, JsonNulls nulls) {
  if (text.size() > max_json_bytes)
    throw UserError(
        {{{file, 1, 0}, "file is too large", fmt::format("{} bytes; at most {}", text.size(), max_json_bytes), ""}});
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  DocumentBuilder builder(text, file, nulls);
  nlohmann::json::sax_parse(text, &builder);
  return builder.take();
}

}  // namespace dfsweep
