#include "models/measured_row.hpp"

#include <charconv>

namespace dfsweep {

namespace {

constexpr std::string_view digit_characters = "0123456789";

}  // namespace

std::string_view MeasuredRow::text(std::string_view column) const {
  const auto found = cells.find(column);
  return found == cells.end() ? std::string_view{} : std::string_view{found->second};
}

std::optional<double> MeasuredRow::number(std::string_view column) const {
  const std::string_view cell = text(column);
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (cell.empty() || error != std::errc{} || end != cell.data() + cell.size()) return std::nullopt;
  return value;
}

double MeasuredRow::number_or(std::string_view column, double otherwise) const {
  return number(column).value_or(otherwise);
}

bool MeasuredRow::says(std::string_view column, std::string_view words) const {
  return text(column).find(words) != std::string_view::npos;
}

std::optional<double> first_number(std::string_view text, std::size_t from) {
  const std::size_t start = text.find_first_of(digit_characters, from);
  if (start == std::string_view::npos) return std::nullopt;
  double value = 0;
  std::from_chars(text.data() + start, text.data() + text.size(), value);
  return value;
}

std::optional<double> number_after(std::string_view text, std::string_view words) {
  const std::size_t found = text.find(words);
  if (found == std::string_view::npos) return std::nullopt;
  return first_number(text, found + words.size());
}

}  // namespace dfsweep
