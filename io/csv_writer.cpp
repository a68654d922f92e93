/// CSV cells appended to a text; numbers go through a stack buffer, never a stream or a locale.
#include "io/csv_writer.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "io/number_format.hpp"

namespace dfsweep {
namespace {

constexpr std::size_t max_number_length = 32;

}  // namespace

void CsvWriter::separate() {
  if (line_has_cells_) text_ += ',';
  line_has_cells_ = true;
}

void CsvWriter::cell(std::string_view text) {
  separate();
  if (text.find_first_of(",\"\r\n") == std::string_view::npos)
    text_ += text;
  else
    text_ += csv_cell(text);
}

void CsvWriter::cell(double number) {
  separate();
  if (std::isnan(number)) return;
  std::array<char, max_number_length> digits;
  const bool is_whole = std::fabs(number) < largest_exact_whole &&
                        static_cast<double>(static_cast<std::int64_t>(number)) == number && !std::signbit(number);
  const char* const first = digits.data();
  const char* const end = is_whole ? fmt::format_to(digits.data(), FMT_COMPILE("{}"), static_cast<std::int64_t>(number))
                                   : fmt::format_to(digits.data(), FMT_COMPILE("{}"), number);
  text_.append(first, end);
}

void CsvWriter::cell(std::uint64_t number) {
  separate();
  std::array<char, max_number_length> digits;
  text_.append(digits.data(), fmt::format_to(digits.data(), FMT_COMPILE("{}"), number));
}

void CsvWriter::end_line() {
  text_ += '\n';
  line_has_cells_ = false;
}

std::string without_formula(std::string text) {
  if (text.empty() || std::string_view("=+-@").find(text.front()) == std::string_view::npos) return text;
  const std::string_view digits = std::string_view(text).substr(text.front() == '+' ? 1 : 0);
  double number = 0.0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool is_number = error == std::errc() && end == digits.data() + digits.size();
  return is_number ? std::move(text) : '\'' + std::move(text);
}

std::string csv_cell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace dfsweep
