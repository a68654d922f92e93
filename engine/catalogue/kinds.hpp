/// The kinds of catalogue entries, and the fields that entries of each kind may have.
#pragma once

#include <span>
#include <string_view>

#include "models/entry_fields.hpp"

namespace dfsweep {

/// Fields of the entries of a kind, which is a folder of the catalogue ("devices") or the kind of a file that sweeps
/// name by its path ("mappings"). Empty: entries of that kind may have any field.
[[nodiscard]] std::span<const FieldInfo> fields_of_kind(std::string_view kind);

/// Fields of every entry, whatever its kind.
[[nodiscard]] std::span<const FieldInfo> fields_of_all_kinds();

}  // namespace dfsweep
