/// Declared fields of entries and their reader: reading a field that the table does not declare is a compile error.
#pragma once

#include <string>
#include <string_view>

#include "models/entry_field_tables.hpp"
#include "models/expect.hpp"
#include "models/field_reader.hpp"

namespace dfsweep {

/// Name of a field of `table`, which is one of dfsweep::declared.
template <const auto& table>
class DeclaredField {
 public:
  /// Pre: `path` is the path of a row of `table` ("peak_flops", "kernel.m"). Any other path is a compile error.
  consteval DeclaredField(const char* path) : path_(path) {
    bool is_declared = false;
    for (const FieldInfo& field : table) is_declared |= field.path == path_;
    if (!is_declared) throw LogicError("no such field is declared");
  }
  /// The last component of the path, as the entry or its part spells it: "m" for "kernel.m".
  [[nodiscard]] constexpr std::string_view name() const {
    const std::size_t dot = path_.rfind('.');
    return dot == std::string_view::npos ? path_ : path_.substr(dot + 1);
  }
  constexpr operator std::string_view() const { return name(); }

 private:
  std::string_view path_;
};

using DeviceField = DeclaredField<declared::devices>;
using MemoryField = DeclaredField<declared::memories>;
using InterconnectField = DeclaredField<declared::interconnects>;
using TopologyField = DeclaredField<declared::topologies>;
using NetworkField = DeclaredField<declared::networks>;
using WorkloadField = DeclaredField<declared::workloads>;
using CalculonSystemField = DeclaredField<declared::calculon_systems>;
using EngineField = DeclaredField<declared::engines>;
using LawField = DeclaredField<declared::laws>;
using BatchLawField = DeclaredField<declared::batch_laws>;
using MappingField = DeclaredField<declared::mappings>;
using TaskGraphField = DeclaredField<declared::taskgraphs>;

/// FieldReader that accepts only the names of `Field`, a DeclaredField: `FieldsOf<DeviceField> fields(entry,
/// problems);` and then `fields.positive("cores")`.
template <class Field>
class FieldsOf : public FieldReader {
 public:
  using FieldReader::FieldReader;

  [[nodiscard]] bool has_number(Field field) const { return FieldReader::has_number(field); }
  [[nodiscard]] bool has_text(Field field) const { return FieldReader::has_text(field); }
  [[nodiscard]] double number_or(Field field, double otherwise) const {
    return FieldReader::number_or(field, otherwise);
  }
  double positive(Field field) { return FieldReader::positive(field); }
  double positive_or(Field field, double otherwise) { return FieldReader::positive_or(field, otherwise); }
  double not_negative_or(Field field, double otherwise) { return FieldReader::not_negative_or(field, otherwise); }
  double whole(Field field, double lowest, double highest) { return FieldReader::whole(field, lowest, highest); }
  double whole_or(Field field, double otherwise, double lowest, double highest) {
    return FieldReader::whole_or(field, otherwise, lowest, highest);
  }
  std::optional<std::size_t> choice(Field field, std::span<const std::string_view> choices) {
    return FieldReader::choice(field, choices);
  }
  std::size_t choice_or(Field field, std::span<const std::string_view> choices, std::size_t otherwise) {
    return FieldReader::choice_or(field, choices, otherwise);
  }
  void complain(Field field, std::string_view what, std::string reason) {
    FieldReader::complain(field, what, std::move(reason));
  }
  void complain_missing(Field field) { FieldReader::complain_missing(field); }
};

}  // namespace dfsweep
