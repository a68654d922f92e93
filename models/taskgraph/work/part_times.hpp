/// PartTimes: time divided by category of work.
#pragma once

#include <cstdint>
#include <string_view>

#include "models/enum_array.hpp"
#include "models/units.hpp"

namespace dfsweep::taskgraph {

enum class Part : std::uint8_t { attention, ffn, communication, other, count };
inline constexpr std::string_view part_names[] = {"attention", "ffn", "communication", "other"};

struct PartTimes {
  EnumArray<Part, Seconds> of;

  [[nodiscard]] constexpr Seconds total() const {
    return of[Part::attention] + of[Part::ffn] + of[Part::communication] + of[Part::other];
  }
  friend constexpr PartTimes operator+(const PartTimes& a, const PartTimes& b) {
    PartTimes sum;
    for (const Part part : all_of<Part>) sum.of[part] = a.of[part] + b.of[part];
    return sum;
  }
  friend constexpr PartTimes operator*(double factor, const PartTimes& times) {
    PartTimes scaled;
    for (const Part part : all_of<Part>) scaled.of[part] = factor * times.of[part];
    return scaled;
  }
};

/// Time of a single category.
[[nodiscard]] constexpr PartTimes only(Part part, Seconds time) {
  PartTimes times;
  times.of[part] = time;
  return times;
}

}  // namespace dfsweep::taskgraph
