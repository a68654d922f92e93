/// DatasetContents: everything in a result file except its rows, as plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "io/dataset.hpp"

namespace dfsweep {

/// A file that is damaged or was not written by dfsweep; exit status 4.
class BadDataset : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One dataset with one value per row (`extent` rows) or per reported point of a search (`extent` groups).
struct DatasetColumn {
  std::string name;  ///< path without the leading '/'
  ElementType type = ElementType::float64;
  ColumnExtent extent = ColumnExtent::rows;
  std::uint64_t count = 0;            ///< elements of the first dimension
  std::uint64_t width = 1;            ///< elements of the second dimension; 1: one-dimensional
  std::vector<Attribute> attributes;  ///< texts, numbers and lists of numbers; references are left out
  std::string units;                  ///< "" if the file has none
  std::string long_name;
  std::string label_table;              ///< path of its label table; "" if values are plain numbers
  std::optional<std::uint64_t> offset;  ///< bytes from the start of the file; empty if not contiguous

  [[nodiscard]] bool is_categorical() const { return !label_table.empty(); }
  /// The text of an attribute, or "" if it is absent or not a text.
  [[nodiscard]] std::string text(std::string_view attribute) const;
  [[nodiscard]] std::uint64_t element_bytes() const { return size_of(type) * width; }
};

/// A scalar in /fixed: a parameter with one value for all rows.
struct FixedValue {
  std::string name;  ///< of the parameter
  std::variant<double, std::int64_t, std::string> value;
  std::string units;
  std::string long_name;
};

struct DatasetContents {
  std::vector<Attribute> attributes;  ///< of the root group
  std::vector<DatasetColumn> columns;
  std::vector<DatasetColumn> group_columns;
  std::vector<DatasetColumn> tables;                                    ///< numbers of /provenance
  std::map<std::string, std::vector<std::string>, std::less<>> labels;  ///< by path of the table
  std::vector<FixedValue> fixed;
  std::map<std::string, std::string, std::less<>> texts;  ///< of /provenance, by name

  /// Index over columns, then group columns, then tables.
  [[nodiscard]] const DatasetColumn& column(std::size_t index) const;
  [[nodiscard]] std::size_t column_count() const { return columns.size() + group_columns.size() + tables.size(); }
  [[nodiscard]] std::size_t filled_columns() const { return columns.size() + group_columns.size(); }
};

/// The text attribute called `name`, or "".
[[nodiscard]] std::string text_of(const std::vector<Attribute>& attributes, std::string_view name);
/// The integer attribute called `name`, if there is one.
[[nodiscard]] std::optional<std::int64_t> integer_of(const std::vector<Attribute>& attributes, std::string_view name);

/// Serializes contents for another process, and back. Unpacking throws MessageTooShort if the bytes end too early.
[[nodiscard]] std::vector<std::byte> pack(const DatasetContents& contents);
[[nodiscard]] DatasetContents unpack_contents(std::span<const std::byte> bytes);

}  // namespace dfsweep
