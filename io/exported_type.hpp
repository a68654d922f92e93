/// ExportedType: the types of values in the tables of other formats.
#pragma once

#include <cstdint>

namespace dfsweep {

enum class ExportedType : std::uint8_t {
  int32,
  int64,
  uint64,
  float32,
  float64,
  label,  ///< a text from a list; stored as codes with a dictionary
};

}  // namespace dfsweep
