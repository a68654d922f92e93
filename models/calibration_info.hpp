/// CalibrationInfo: a number of an entry that measurements may correct, as an estimator publishes it.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

namespace dfsweep {

/// Which entries share one correction of a number.
enum class SharedBy : std::uint8_t {
  all,    ///< a property of how the work is done: one correction for all entries
  entry,  ///< a property of one software stack or machine: entries may be corrected apart
};

/// The resource that a number describes. Measured times calibrate `time` numbers, measured memory calibrates `memory`
/// numbers.
enum class Resource : std::uint8_t { time, memory };

/// "time", "memory".
[[nodiscard]] constexpr std::string_view name_of(Resource resource) {
  return resource == Resource::time ? "time" : "memory";
}

/// How many runs a number influences.
enum class Reach : std::uint8_t {
  leading,  ///< it dominates the times of nearly all runs
  minor,    ///< it influences some kinds of runs, or all runs a little
};

struct CalibrationInfo {
  std::string_view field;      ///< field of the entry: "matrix_share"
  std::string_view parameter;  ///< parameter that names the entry: "software"
  std::string_view unit = "1";
  double usual = 1.0;   ///< default where the entry lacks the field
  double spread = 0.1;  ///< standard deviation of its logarithm before anything is measured
  double highest = std::numeric_limits<double>::infinity();  ///< upper bound, 1 for shares; the lower bound is 0
  /// Value of an ideal machine without losses. With all numbers ideal, times and memory are lower bounds.
  double ideal = 0.0;
  SharedBy shared_by = SharedBy::all;
  std::string_view belongs_to;  ///< group of numbers: "matrix products", "links"
  std::string_view meaning;
  Resource resource = Resource::time;
  Reach reach = Reach::leading;
};

}  // namespace dfsweep
