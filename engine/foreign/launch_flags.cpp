#include "engine/foreign/launch_flags.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

#include "engine/foreign/document_reader.hpp"
#include "io/toml.hpp"

namespace dfsweep::foreign {

namespace {

std::string_view trimmed(std::string_view text, std::string_view ends) {
  const std::size_t begin = text.find_first_not_of(ends);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(ends) + 1 - begin);
}

/// The words of a value: those of a list in brackets, else the value itself, without blanks and quotes around them.
std::vector<std::string> words_of_value(std::string_view value) {
  constexpr std::string_view ends = " \t\r\"'";
  value = trimmed(value, ends);
  if (!value.starts_with("[")) return {std::string(value)};
  value = trimmed(value, "[]");
  std::vector<std::string> words;
  while (!value.empty()) {
    const std::string_view word = value.substr(0, value.find(','));
    words.emplace_back(trimmed(word, ends));
    value.remove_prefix(std::min(word.size() + 1, value.size()));
  }
  return words;
}

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string replaced(std::string text, char from, char to) {
  std::replace(text.begin(), text.end(), from, to);
  return text;
}

/// A key as LaunchFlag has it.
std::string uniform_key(std::string_view written) {
  if (written.find('.') == std::string_view::npos)
    return written.starts_with("--") ? replaced(std::string(written), '_', '-') : std::string(written);
  written.remove_prefix(std::min(written.find_first_not_of("-+~"), written.size()));
  return replaced(std::string(written), '-', '_');
}

/// Length of the key before '=' at the start of a word: 7 of "model.x=3"; 0 without a key.
std::size_t length_of_assigned_key(std::string_view word) {
  std::size_t begin = std::min(word.find_first_not_of("-+~"), word.size());
  std::size_t end = begin;
  while (end < word.size() && (is_name_character(word[end]) || word[end] == '.' || word[end] == '-')) ++end;
  return end > begin && end < word.size() && word[end] == '=' ? end : 0;
}

/// A script, word by word.
class Script {
 public:
  Script(std::string_view text, const std::string& shown) : text_(text), shown_(shown) {}

  std::vector<LaunchFlag> flags() {
    while (at_ < text_.size()) step();
    return std::move(flags_);
  }

 private:
  void step() {
    const char c = text_[at_];
    if (c == '\n' || c == ';' || c == '|' || c == '&' || c == '(' || c == ')') {
      is_open_ = false;
      advance();
    } else if (c == ' ' || c == '\t' || c == '\r') {
      advance();
    } else if (c == '\\' && at_ + 1 < text_.size()) {  // a continued line
      advance();
      advance();
    } else if (c == '#') {
      while (at_ < text_.size() && text_[at_] != '\n') advance();
    } else {
      const SourcePosition begin{shown_, line_, column_};
      take(read_word(), begin);
    }
  }

  void advance() {
    column_ = text_[at_] == '\n' ? 1 : column_ + 1;
    line_ += text_[at_] == '\n' ? 1 : 0;
    ++at_;
  }

  std::string read_word() {
    std::string word;
    char quote = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (quote == 0 && std::string_view(" \t\r\n;|&()").find(c) != std::string_view::npos) break;
      if (quote == 0 && (c == '"' || c == '\'')) {
        quote = c;
      } else if (c == quote) {
        quote = 0;
      } else if (c == '\\' && quote != '\'' && at_ + 1 < text_.size()) {
        advance();
        if (text_[at_] != '\n') word += text_[at_];
      } else if (c == '$' && quote != '\'') {
        word += read_variable();
        continue;
      } else {
        word += c;
      }
      advance();
    }
    return word;
  }

  /// The value of $NAME, ${NAME} or ${NAME:-otherwise}; as it is written where the text does not set the variable.
  std::string read_variable() {
    const std::size_t begin = at_;
    advance();
    const bool has_braces = at_ < text_.size() && text_[at_] == '{';
    if (has_braces) advance();
    const std::size_t name = at_;
    while (at_ < text_.size() && is_name_character(text_[at_])) advance();
    const std::string_view named = text_.substr(name, at_ - name);
    std::optional<std::string> otherwise;
    if (has_braces) {
      const std::size_t rest = at_;
      while (at_ < text_.size() && text_[at_] != '}' && text_[at_] != '\n') advance();
      const std::string_view behind = text_.substr(rest, at_ - rest);
      if (behind.starts_with("[")) otherwise = "";  // an array, whose flags were read where it was set
      if (behind.starts_with(":-")) otherwise = behind.substr(2);
      if (at_ < text_.size() && text_[at_] == '}') advance();
    }
    const auto found = variables_.find(named);
    if (found != variables_.end()) return found->second;
    return otherwise ? *otherwise : std::string(text_.substr(begin, at_ - begin));
  }

  void take(const std::string& word, const SourcePosition& begin) {
    if (word.find(" --") != std::string::npos || (word.starts_with("--") && word.find(' ') != std::string::npos)) {
      const std::size_t length = length_of_assigned_key(word.substr(0, word.find(' ')));
      for (LaunchFlag& flag : flags_of_script(word.substr(length > 0 ? length + 1 : 0), shown_)) {
        flag.at = begin;
        flags_.push_back(std::move(flag));
      }
      is_open_ = false;
    } else if (const std::size_t length = length_of_assigned_key(word); length > 0) {
      const std::string key = word.substr(0, length);
      variables_[key] = word.substr(length + 1);
      flags_.push_back({uniform_key(key), words_of_value(word.substr(length + 1)), begin});
      is_open_ = false;
    } else if (word.starts_with("--") && word.size() > 2) {
      flags_.push_back({uniform_key(word), {}, begin});
      is_open_ = true;
    } else if (is_open_ && !word.empty()) {
      flags_.back().words.push_back(word);
    }
  }

  std::string_view text_;
  const std::string& shown_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t column_ = 1;
  bool is_open_ = false;  ///< the last flag can have further words
  std::vector<LaunchFlag> flags_;
  std::map<std::string, std::string, std::less<>> variables_;
};

void add_members(const Document& table, const std::string& path, std::vector<LaunchFlag>& flags) {
  for (const DocumentMember& member : table.members) {
    const std::string key = path.empty() ? member.key : path + "." + member.key;
    if (const Document* inner = member.value.table()) {
      add_members(*inner, key, flags);
    } else if (const NodeList* list = member.value.array()) {
      LaunchFlag flag{key, {}, member.at};
      for (const Node& node : *list)
        if (const std::optional<std::string> text = scalar_text(node)) flag.words.push_back(*text);
      flags.push_back(std::move(flag));
    } else if (const std::optional<std::string> text = scalar_text(member.value)) {
      flags.push_back({key, {*text}, member.at});
    }
  }
}

std::string_view without_comment(std::string_view yaml) {
  return yaml.substr(0, yaml.find(" #"));
}

/// Block mappings of scalars, which is what configuration files of these programs are; other lines are skipped.
std::vector<LaunchFlag> flags_of_yaml(std::string_view text, const std::string& shown) {
  std::vector<LaunchFlag> flags;
  std::vector<std::pair<std::size_t, std::string>> path;  // indents and keys of the mappings around the line
  std::uint32_t line_number = 0;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    ++line_number;
    const std::size_t indent = line.find_first_not_of(' ');
    const std::size_t colon = line.find(':');
    if (indent == std::string_view::npos || colon == std::string_view::npos || !is_name_character(line[indent]))
      continue;
    while (!path.empty() && path.back().first >= indent) path.pop_back();
    std::string key = path.empty() ? "" : path.back().second + ".";
    key += line.substr(indent, colon - indent);
    const std::size_t value = line.find_first_not_of(" \t\r", colon + 1);
    if (value == std::string_view::npos || line[value] == '#')
      path.emplace_back(indent, key);
    else
      flags.push_back({key,
                       words_of_value(without_comment(line.substr(value))),
                       {shown, line_number, static_cast<std::uint32_t>(indent + 1)}});
  }
  return flags;
}

}  // namespace

std::vector<LaunchFlag> flags_of_script(std::string_view text, const std::string& shown) {
  return Script(text, shown).flags();
}

std::vector<LaunchFlag> flags_of_file(const std::string& text, const std::string& shown) {
  if (shown.ends_with(".yml") || shown.ends_with(".yaml")) return flags_of_yaml(text, shown);
  if (!shown.ends_with(".toml")) return flags_of_script(text, shown);
  std::vector<LaunchFlag> flags;
  add_members(parse_toml(text, shown), "", flags);
  return flags;
}

}  // namespace dfsweep::foreign
