/// The fields that entries of each kind (devices, memories, models, ...) may have: one vocabulary for all estimators.
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
  std::string_view unit = "1";  ///< numbers: base SI, as ParameterInfo::unit
  std::string_view meaning;     ///< one line
};

/// Fields of the entries of a kind, which is a folder of the catalogue ("devices") or the kind of a file that sweeps
/// name by its path ("mappings"). Empty: entries of that kind may have any field.
[[nodiscard]] std::span<const FieldInfo> fields_of_kind(std::string_view kind);

/// Fields of every entry, whatever its kind.
[[nodiscard]] std::span<const FieldInfo> fields_of_all_kinds();

}  // namespace dfsweep
