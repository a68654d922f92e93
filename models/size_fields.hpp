/// SizeFields: the whole numbers of an entry that say how large something is, and what is wrong with them.
#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "models/entry.hpp"

namespace dfsweep {

class SizeFields {
 public:
  /// Sizes above `most`, a power of ten, are refused. Problems are added to `problems`; a field with one counts as 1.
  SizeFields(const Entry& entry, double most, std::vector<std::string>& problems)
      : entry_(entry), most_(most), problems_(problems) {}

  double required(std::string_view field) {
    if (entry_.has_number(field)) return checked(field, 1);
    problems_.push_back("needs the number '" + std::string(field) + "'");
    return 1.0;
  }
  double optional(std::string_view field, double otherwise, int lowest = 1) {
    return entry_.has_number(field) ? checked(field, lowest) : otherwise;
  }

 private:
  double checked(std::string_view field, int lowest) {
    const double value = entry_.number_or(field, 0.0);
    if (value >= lowest && value <= most_ && value == std::floor(value)) return value;
    problems_.push_back("needs a whole number from " + std::to_string(lowest) + " to 1e" +
                        std::to_string(std::lround(std::log10(most_))) + " as '" + std::string(field) + "'");
    return 1.0;
  }

  const Entry& entry_;
  double most_;
  std::vector<std::string>& problems_;
};

}  // namespace dfsweep
