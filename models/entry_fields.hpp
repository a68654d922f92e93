/// FieldInfo: declaration of a field of entries.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace dfsweep {

enum class FieldType : std::uint8_t {
  any,      ///< any type: the field is not checked
  number,   ///< a number in `unit`; booleans are 0 and 1
  numbers,  ///< an array of numbers, or a table of named numbers
  text,
  texts,
  parts,  ///< nested tables; their fields are declared as "kernel.m"
};

struct FieldInfo {
  std::string_view path;  ///< "peak_flops", "kernel.m"
  FieldType type = FieldType::any;
  std::string_view unit = "1";    ///< of numbers: base SI, as ParameterInfo::unit
  std::string_view meaning;       ///< one line
  std::string_view readers = {};  ///< estimators that read the field; empty: every estimator that reads the entry
};

}  // namespace dfsweep
