#include "models/short_number.hpp"

#include <charconv>
#include <iterator>

namespace dfsweep {

std::string short_number(double value) {
  char text[32];
  const auto end = std::to_chars(std::begin(text), std::end(text), value, std::chars_format::general, 6).ptr;
  return {std::begin(text), end};
}

}  // namespace dfsweep
