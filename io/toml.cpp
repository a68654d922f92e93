/// Reading TOML through toml++, used header-only so that its assertions (which malformed headers trip) are ours to
/// silence: its ordinary errors follow.
#include "io/toml.hpp"

#include <fmt/format.h>

#define TOML_ASSERT(condition) static_cast<void>(0)
#undef TOML_SHARED_LIB
#undef TOML_HEADER_ONLY
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace dfsweep {

namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20;
constexpr std::size_t deepest_key = 8;  ///< parts of a dotted key: tables are destroyed recursively

SourcePosition position_of(const toml::source_region& region, const std::string& file) {
  return {file, region.begin.line, region.begin.column};
}

TomlTable converted(const toml::table& table, const std::string& file);

TomlValue converted(const toml::node& node, const std::string& file) {
  TomlValue result;
  result.at = position_of(node.source(), file);
  if (const auto* text = node.as_string()) {
    result.value = text->get();
    const toml::source_region& region = node.source();
    result.verbatim = region.begin.line == region.end.line &&
                      region.end.column - region.begin.column == text->get().size() + 2;
  } else if (const auto* integer = node.as_integer()) {
    result.value = integer->get();
  } else if (const auto* real = node.as_floating_point()) {
    result.value = real->get();
  } else if (const auto* boolean = node.as_boolean()) {
    result.value = boolean->get();
  } else if (const auto* array = node.as_array()) {
    TomlArray values;
    for (const toml::node& element : *array) values.push_back(converted(element, file));
    result.value = std::move(values);
  } else if (const auto* table = node.as_table()) {
    result.value = converted(*table, file);
  } else {
    result.value = TomlDate{};
  }
  return result;
}

TomlTable converted(const toml::table& table, const std::string& file) {
  TomlTable result;
  for (const auto& [key, node] : table) {
    TomlMember member{std::string(key.str()), position_of(key.source(), file), converted(node, file)};
    if (member.at.line == 0) member.at = member.value.at;
    result.members.push_back(std::move(member));
  }
  std::stable_sort(result.members.begin(), result.members.end(), [](const TomlMember& a, const TomlMember& b) {
    return std::tie(a.at.line, a.at.column) < std::tie(b.at.line, b.at.column);
  });
  return result;
}

/// Walks over text outside of comments and strings and refuses keys of too many parts ("a.a.a. ...").
class KeyDepthCheck {
 public:
  KeyDepthCheck(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  void run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#')
        at_ = std::min(text_.find('\n', at_), text_.size());
      else if (c == '"' || c == '\'')
        skip_string(c);
      else
        step(c);
    }
  }

 private:
  void step(char c) {
    if (c == '\n') {
      ++line_;
      line_begin_ = at_ + 1;
    }
    if (c == '.') {
      if (++dots_ >= deepest_key)
        throw UserError({{{file_, line_, static_cast<std::uint32_t>(at_ - line_begin_ + 1)},
                          "key has too many parts", fmt::format("at most {}", deepest_key), ""}});
    } else if (!is_key(c)) {
      dots_ = 0;
    }
    ++at_;
  }

  static bool is_key(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '-' ||
           c == ' ' || c == '\t' || static_cast<unsigned char>(c) >= 0x80;
  }

  void skip_string(char quote) {
    const std::string triple(3, quote);
    const bool multiline = text_.substr(at_).starts_with(triple);
    const std::size_t begin = at_ + (multiline ? 3 : 1);
    std::size_t i = begin;
    while (i < text_.size()) {
      if (quote == '"' && text_[i] == '\\') {
        i += 2;
        continue;
      }
      if (multiline ? text_.substr(i).starts_with(triple) : (text_[i] == quote || text_[i] == '\n')) break;
      if (text_[i] == '\n') {
        ++line_;
        line_begin_ = i + 1;
      }
      ++i;
    }
    const bool closed = i < text_.size() && text_[i] == quote;
    at_ = std::min(text_.size(), i + (multiline ? 3u : (closed ? 1u : 0u)));
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::size_t line_begin_ = 0;
  std::uint32_t line_ = 1;
  std::size_t dots_ = 0;
};

}  // namespace

const TomlValue* TomlTable::find(std::string_view key) const {
  for (const TomlMember& member : members)
    if (member.key == key) return &member.value;
  return nullptr;
}

std::string_view TomlValue::type_name() const {
  constexpr std::string_view names[] = {"a text", "an integer", "a number", "a boolean", "a date", "an array", "a table"};
  return names[value.index()];
}

TomlTable parse_toml(std::string_view text, const std::string& file) {
  if (text.size() > most_bytes)
    throw UserError({{{file, 1, 0}, "file is too large", fmt::format("{} bytes; at most {}", text.size(), most_bytes), ""}});
  KeyDepthCheck(text, file).run();
  try {
    return converted(toml::parse(text, file), file);
  } catch (const toml::parse_error& error) {
    SourcePosition at = position_of(error.source(), file);
    at.line = std::max(at.line, 1u);
    at.column = std::max(at.column, 1u);
    throw UserError({{at, "not valid TOML", std::string(error.description()), ""}});
  }
}

std::string read_text_file(const std::filesystem::path& path, const std::string& shown) {
  const auto failed = [&](const std::string& why, const std::string& hint) {
    throw UserError({{{shown, 0, 0}, "cannot be read", why, hint}});
  };
  std::error_code ignored;
  if (path != "-" && std::filesystem::is_directory(path, ignored)) failed("it is a directory", "Name a file");
  const auto close = [](std::FILE* file) {
    if (file != stdin) std::fclose(file);
  };
  const std::unique_ptr<std::FILE, decltype(close)> file(path == "-" ? stdin : std::fopen(path.c_str(), "rb"), close);
  if (!file) failed(std::strerror(errno), "");
  std::string text;
  char buffer[1 << 16];
  for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, file.get())) > 0;) text.append(buffer, got);
  if (std::ferror(file.get())) failed(std::strerror(errno), "");
  return text;
}

std::string toml_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += fmt::format("\\{}", c);
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out += fmt::format("\\u{:04X}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out + '"';
}

}  // namespace dfsweep
