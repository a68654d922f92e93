#include "engine/sweep/search_order.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace dfsweep {

double four_digits(double value) {
  std::array<char, 32> text;
  const char* const end = fmt::format_to(text.data(), "{:.3e}", value);
  double rounded = value;
  std::from_chars(text.data(), end, rounded);
  return rounded;
}

}  // namespace dfsweep
