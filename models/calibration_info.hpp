/// CalibrationInfo: a number of an entry that measurements may correct, as an estimator publishes it.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

namespace dfsweep {

/// Who shares a number.
enum class SharedBy : std::uint8_t {
  all,    ///< a property of how the work is done: one correction for all entries
  entry,  ///< a property of one software stack or machine: entries may be corrected apart
};

/// What a number is about. Measured times correct numbers of times, measured memory those of memory.
enum class Resource : std::uint8_t { time, memory };

/// "time", "memory".
[[nodiscard]] constexpr std::string_view name_of(Resource resource) {
  return resource == Resource::time ? "time" : "memory";
}

/// How many runs a number decides about.
enum class Reach : std::uint8_t {
  leading,  ///< the times of nearly all of them follow it
  minor,    ///< those of some kinds do, or all of them a little
};

struct CalibrationInfo {
  std::string_view field;      ///< of the entry, "matrix_share"
  std::string_view parameter;  ///< that names the entry, "software"
  std::string_view unit = "1";
  double usual = 1.0;   ///< value where the entry does not give the field
  double spread = 0.1;  ///< standard deviation of its logarithm before anything is measured
  double highest = std::numeric_limits<double>::infinity();  ///< 1 for shares; numbers are positive
  /// Value of a machine that loses nothing: no run is faster, or needs less memory, than with all of these.
  double ideal = 0.0;
  SharedBy shared_by = SharedBy::all;
  std::string_view belongs_to;  ///< what it belongs to: "matrix products", "links"
  std::string_view meaning;
  Resource resource = Resource::time;
  Reach reach = Reach::leading;
};

}  // namespace dfsweep
