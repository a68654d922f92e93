/// FieldInfo: what is known about a field that entries of a kind may have.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace dfsweep {

enum class FieldType : std::uint8_t {
  any,      ///< nothing is known about the field
  number,   ///< a number in `unit`; booleans are 0 and 1
  numbers,  ///< an array of numbers, or a table of numbers with names
  text,
  texts,
  parts,  ///< tables, whose fields follow as "kernel.m"
};

struct FieldInfo {
  std::string_view path;  ///< "peak_flops", "kernel.m"
  FieldType type = FieldType::any;
  std::string_view unit = "1";    ///< numbers: base SI, as ParameterInfo::unit
  std::string_view meaning;       ///< one line
  std::string_view readers = {};  ///< estimators that read it, where not all that read the entry do
};

}  // namespace dfsweep
