/// Converts the output of toml++ to documents.
#include "io/toml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "io/toml_workarounds.hpp"

namespace dfsweep {

namespace {

SourcePosition position_of(const toml::source_region& region, const std::string& file) {
  return {file, region.begin.line, region.begin.column};
}

Document converted(const toml::table& table, const std::string& file);

Node converted(const toml::node& node, const std::string& file) {
  Node result;
  result.at = position_of(node.source(), file);
  if (const auto* text = node.as_string()) {
    result.value = text->get();
    const toml::source_region& region = node.source();
    result.verbatim =
        region.begin.line == region.end.line && region.end.column - region.begin.column == text->get().size() + 2;
  } else if (const auto* integer = node.as_integer()) {
    result.value = integer->get();
  } else if (const auto* real = node.as_floating_point()) {
    result.value = real->get();
  } else if (const auto* boolean = node.as_boolean()) {
    result.value = boolean->get();
  } else if (const auto* array = node.as_array()) {
    NodeList values;
    for (const toml::node& element : *array) values.push_back(converted(element, file));
    result.value = std::move(values);
  } else if (const auto* table = node.as_table()) {
    result.value = converted(*table, file);
  } else {
    result.value = DocumentDate{};
  }
  return result;
}

Document converted(const toml::table& table, const std::string& file) {
  Document result;
  for (const auto& [key, node] : table) {
    DocumentMember member{std::string(key.str()), position_of(key.source(), file), converted(node, file)};
    if (member.at.line == 0) member.at = member.value.at;
    result.members.push_back(std::move(member));
  }
  std::stable_sort(result.members.begin(), result.members.end(), [](const DocumentMember& a, const DocumentMember& b) {
    return std::tie(a.at.line, a.at.column) < std::tie(b.at.line, b.at.column);
  });
  return result;
}

}  // namespace

Document parse_toml(std::string_view text, const std::string& file) {
  if (text.size() > max_text_bytes)
    throw UserError(
        {{{file, 1, 0}, "file is too large", fmt::format("{} bytes; at most {}", text.size(), max_text_bytes), ""}});
  expect_short_keys(text, file);
  try {
    return converted(toml::parse(text, file), file);
  } catch (const toml::parse_error& error) {
    SourcePosition at = position_of(error.source(), file);
    at.line = std::max(at.line, 1u);
    at.column = std::max(at.column, 1u);
    const bool is_no_value = error.description().find("could not determine value type") != std::string_view::npos;
    throw UserError({{at, "not valid TOML", std::string(error.description()),
                      is_no_value ? "Text needs quotation marks, as in \"llama3-70b\"" : ""}});
  }
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
