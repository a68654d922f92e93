/// Entry tables: each row declares a field of an entry with its unit, meaning, range and the member that stores it.
/// Decoders, `describe`, calibration and the checks of the catalogue all read these rows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "models/entry_fields.hpp"
#include "models/field_reader.hpp"

namespace dfsweep {

/// Access to a number through a path of members: member<&Software::matrix, &Matrix::launch>.
template <class Value>
struct NumberMember {
  double (*get)(const Value&) = nullptr;
  void (*set)(Value&, double) = nullptr;
};

namespace detail {

template <auto first, auto... rest>
constexpr auto& member_at(auto& object) {
  if constexpr (sizeof...(rest) == 0)
    return object.*first;
  else
    return member_at<rest...>(object.*first);
}

}  // namespace detail

template <class Value, auto... path>
[[nodiscard]] consteval NumberMember<Value> member() {
  return {[](const Value& value) -> double {
            const auto& found = detail::member_at<path...>(value);
            if constexpr (requires { found.value(); })
              return found.value();
            else
              return found;
          },
          [](Value& value, double number) {
            auto& found = detail::member_at<path...>(value);
            found = std::remove_reference_t<decltype(found)>(number);
          }};
}

/// A field and the member that stores it. The decoder itself reads rows without a member (texts, parts).
template <class Value>
struct FieldRow {
  FieldInfo info;
  NumberMember<Value> member = {};
  FieldRange range = any_number;
  Presence presence = Presence::optional;
};

/// A row for a number, stored in the member at the end of `path`.
template <class Value, auto... path>
[[nodiscard]] consteval FieldRow<Value> number_row(std::string_view name, std::string_view unit, FieldRange range,
                                                   Presence presence, std::string_view meaning) {
  return {{name, FieldType::number, unit, meaning}, member<Value, path...>(), range, presence};
}

/// A row for a text or a list, which the decoder reads itself.
template <class Value>
[[nodiscard]] consteval FieldRow<Value> other_row(std::string_view name, FieldType type, std::string_view unit,
                                                  std::string_view meaning) {
  return {{name, type, unit, meaning}};
}

/// The FieldInfo of every row, for `describe` and the checks of the catalogue.
template <class Row, std::size_t count>
[[nodiscard]] consteval std::array<FieldInfo, count> declared_fields(const std::array<Row, count>& rows) {
  std::array<FieldInfo, count> fields;
  for (std::size_t i = 0; i < count; ++i) fields[i] = rows[i].info;
  return fields;
}

/// Sets the members whose fields the entry has; adds problems to the reader.
template <class Value>
void decode_numbers(FieldReader& reader, std::span<const FieldRow<Value>> rows, Value& value) {
  for (const FieldRow<Value>& row : rows)
    if (row.member.set != nullptr)
      row.member.set(value, reader.number_in(row.info.path, row.range, row.presence, row.member.get(value)));
}

}  // namespace dfsweep
