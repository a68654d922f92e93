#include "engine/foreign/launch_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "models/short_number.hpp"

namespace dfsweep::foreign {

namespace {

std::optional<double> number_of(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  double value = 0.0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc{} || end != text->data() + text->size()) return std::nullopt;
  return value;
}

const std::vector<Entry>& parts_of(const Entry& engine, std::string_view name) {
  static const std::vector<Entry> none;
  const auto found = engine.parts.find(name);
  return found == engine.parts.end() ? none : found->second;
}

/// The value for which a flag is given; nothing where it is not given.
std::optional<std::string> value_of_flag(const Entry& flag, const std::string& pool, const ParameterText& value_of) {
  if (const std::string only = flag.text_or("pool", ""); !only.empty() && only != pool) return std::nullopt;
  std::optional<std::string> value = value_of(flag.text_or("parameter", ""));
  if (!value) return std::nullopt;
  if (const std::string wanted = flag.text_or("value", *value); wanted != *value) return std::nullopt;
  if (const std::string beside = flag.text_or("beside", ""); !beside.empty()) {
    const std::optional<std::string> other = value_of(beside);
    if (!other || *other == "none") return std::nullopt;
  }
  const std::optional<double> number = number_of(value);
  if (flag.has_number("above") && !(number && *number > flag.number_or("above", 0.0))) return std::nullopt;
  if (const std::string times = flag.text_or("times", ""); !times.empty() && number)
    value = short_number(*number * number_of(value_of(times)).value_or(1.0));
  return value;
}

std::string with_value(std::string text, const std::string& value) {
  const std::size_t place = text.find("{}");
  return place == std::string::npos ? text : text.replace(place, 2, value);
}

/// Adds "a.b: c" to a file of nested keys: "a:" and below it "  b: c". Lines with the same first key follow one
/// another.
void add_line(std::string& config, const std::string& line) {
  const std::size_t dot = line.find('.');
  const std::size_t colon = line.find(':');
  if (dot == std::string::npos || dot > colon) {
    config += line + "\n";
    return;
  }
  const std::string head = line.substr(0, dot) + ":\n";
  const std::string member = "  " + line.substr(dot + 1) + "\n";
  const std::size_t found = config.starts_with(head) ? 0 : config.find("\n" + head);
  if (found == std::string::npos) {
    config += head + member;
    return;
  }
  std::size_t end = config.find(head, found) + head.size();
  while (end < config.size() && config[end] == ' ') end = config.find('\n', end) + 1;
  config.insert(end, member);
}

LaunchCommand command_of(const Entry& engine, const std::string& pool, const ParameterText& value_of) {
  LaunchCommand command{.pool = pool, .words = {engine.text_or("launch", "")}, .config = ""};
  for (const Entry& flag : parts_of(engine, "flag")) {
    const std::optional<std::string> value = value_of_flag(flag, pool, value_of);
    if (!value) continue;
    const std::string text = with_value(flag.text_or("text", ""), *value);
    if (flag.text_or("place", "command") == "config")
      add_line(command.config, text);
    else
      command.words.push_back(text);
  }
  return command;
}

/// Whether the engine has not this value: the one that the row names, or any above its bound.
bool is_lacked(const Entry& lack, const std::optional<std::string>& value) {
  if (const std::string lacked = lack.text_or("value", ""); !lacked.empty()) return value == lacked;
  return number_of(value).value_or(0.0) > lack.number_or("above", 0.0);
}

void add_lacks(const Entry& engine, const ParameterText& value_of, std::vector<std::string>& lacks) {
  for (const Entry& lack : parts_of(engine, "lack")) {
    if (!is_lacked(lack, value_of(lack.text_or("parameter", "")))) continue;
    const std::string beside = lack.text_or("beside", "");
    if (!beside.empty() && number_of(value_of(beside)).value_or(1.0) <= 1.0) continue;
    const std::string text = lack.text_or("text", "");
    if (std::find(lacks.begin(), lacks.end(), text) == lacks.end()) lacks.push_back(text);
  }
}

}  // namespace

Launch launch_of(const Entry& engine, const ParameterText& value_of) {
  Launch launch;
  if (value_of("pools").value_or("shared") != "separate") {
    launch.servers.push_back(command_of(engine, "", value_of));
    add_lacks(engine, value_of, launch.lacks);
  } else {
    for (const std::string pool : {"prefill", "decode"}) {
      const ParameterText of_pool = [&](std::string_view parameter) {
        std::optional<std::string> own = value_of(pool + "_" + std::string(parameter));
        return own ? own : value_of(parameter);
      };
      launch.servers.push_back(command_of(engine, pool, of_pool));
      add_lacks(engine, of_pool, launch.lacks);
    }
    launch.router = engine.text_or("router", "");
  }
  // The file is named where there is one.
  for (LaunchCommand& server : launch.servers)
    if (!server.config.empty()) server.words.push_back(engine.text_or("config_flag", "") + " CONFIG");
  return launch;
}

std::string launch_text(const Launch& launch, const std::string& name) {
  std::string text;
  for (const LaunchCommand& server : launch.servers) {
    const std::string file = fmt::format("{}{}.yml", name, server.pool.empty() ? "" : "-" + server.pool);
    if (!server.pool.empty()) text += fmt::format("# each server of the pool {}\n", server.pool);
    if (!server.config.empty()) text += fmt::format("cat > {} <<'END'\n{}END\n", file, server.config);
    for (std::size_t i = 0; i < server.words.size(); ++i) {
      std::string word = server.words[i];
      if (const std::size_t place = word.find("CONFIG"); place != std::string::npos) word.replace(place, 6, file);
      text += fmt::format("{}{}{}\n", i == 0 ? "" : "  ", word, i + 1 < server.words.size() ? " \\" : "");
    }
  }
  if (!launch.router.empty()) text += fmt::format("# {}\n", launch.router);
  for (const std::string& lack : launch.lacks) text += fmt::format("# {}\n", lack);
  return text;
}

}  // namespace dfsweep::foreign
