/// The kinds of catalogue entries and their fields.
#pragma once

#include <span>
#include <string_view>

#include "io/document.hpp"
#include "models/entry_fields.hpp"

namespace dfsweep {

/// Fields of a kind, which is a folder of the catalogue ("devices") or a kind of files that sweeps name by path
/// ("mappings"). Empty: all fields are allowed.
[[nodiscard]] std::span<const FieldInfo> fields_of_kind(std::string_view kind);

/// Fields of every entry, whatever its kind.
[[nodiscard]] std::span<const FieldInfo> fields_of_all_kinds();

/// Two kinds that users may take for each other, and the field by which an entry is known to be of the other one.
struct LikeKind {
  std::string_view kind;
  std::string_view other;
  std::string_view field;
  std::string_view hint;
};
[[nodiscard]] std::span<const LikeKind> like_kinds();

/// What an entry of `kind` is taken for, where its fields say that it is of another kind; else null.
[[nodiscard]] const LikeKind* taken_for(const Document& entry, std::string_view kind);

/// A text field of a kind that names an entry of another kind. A sweep that names the one reads the other too, as a
/// part with the name of the field.
struct ReferenceField {
  std::string_view kind;
  std::string_view field;
  std::string_view named_kind;
};
[[nodiscard]] std::span<const ReferenceField> reference_fields();

/// Folders of the catalogue where entries of a kind may be: its own, then those that held them before it had one.
[[nodiscard]] std::span<const std::string_view> folders_of_kind(const std::string_view& kind);

}  // namespace dfsweep
