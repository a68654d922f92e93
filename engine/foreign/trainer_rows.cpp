#include "engine/foreign/trainer_rows.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "engine/foreign/launch_quantities.hpp"

namespace dfsweep::foreign {

std::optional<double> as_number(std::string_view text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

bool is_same_value(std::string_view a, std::string_view b) {
  const std::optional<double> left = as_number(a);
  const std::optional<double> right = as_number(b);
  if (left && right) return std::abs(*left - *right) <= 1e-12 * std::abs(*left);
  const auto is_same = [](char x, char y) { return x == y || (x ^ y) == 32; };  // True and true
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), is_same);
}

std::span<const Entry> rows_of(const Entry& trainer, std::string_view table) {
  const auto found = trainer.parts.find(table);
  return found == trainer.parts.end() ? std::span<const Entry>() : std::span<const Entry>(found->second);
}

std::optional<std::string> placeholder(std::string_view word, const Entry& row) {
  if (word.size() < 2 || word.front() != '{' || word.back() != '}') return std::nullopt;
  const std::string name(word.substr(1, word.size() - 2));
  return name.empty() ? row.text_or("parameter", "") : name;
}

std::optional<std::string> filled(std::string text, const Entry& row, const ParameterText& value_of) {
  for (std::size_t begin = text.find('{'); begin != std::string::npos; begin = text.find('{', begin)) {
    const std::size_t end = text.find('}', begin);
    const std::optional<std::string> name = placeholder(std::string_view(text).substr(begin, end + 1 - begin), row);
    const std::optional<std::string> value = quantity_of(*name, value_of);
    if (!value) return std::nullopt;
    text.replace(begin, end + 1 - begin, *value);
    begin += value->size();
  }
  return text;
}

bool holds(const Entry& row, const ParameterText& value_of) {
  const auto is_there = [&](const std::string& name) {
    const std::optional<std::string> value = quantity_of(name, value_of);
    return value && *value != "none" && *value != "0";
  };
  const std::string needed = row.text_or("beside", "");
  const std::string excluded = row.text_or("without", "");
  return (needed.empty() || is_there(needed)) && (excluded.empty() || !is_there(excluded));
}

bool is_for(const Entry& row, const ParameterText& value_of) {
  const std::string parameter = row.text_or("parameter", "");
  if (parameter.empty()) return true;
  const std::optional<std::string> value = quantity_of(parameter, value_of);
  if (!value || !is_same_value(row.text_or("value", *value), *value)) return false;
  return !row.has_number("above") || as_number(*value).value_or(0.0) > row.number_or("above", 0.0);
}

}  // namespace dfsweep::foreign
