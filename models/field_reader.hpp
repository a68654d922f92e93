/// FieldReader: reads fields of an entry, checks their ranges and collects problems.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/decoded.hpp"
#include "models/entry.hpp"

namespace dfsweep {

/// The numbers that a field may have.
struct FieldRange {
  enum class Kind : std::uint8_t { any, positive, not_negative, whole };
  Kind kind = Kind::any;
  double lowest = 0.0;  ///< for whole numbers, as `highest`
  double highest = 0.0;
};
inline constexpr FieldRange any_number{};
inline constexpr FieldRange positive_number{FieldRange::Kind::positive, 0.0, 0.0};
inline constexpr FieldRange not_negative_number{FieldRange::Kind::not_negative, 0.0, 0.0};
[[nodiscard]] constexpr FieldRange whole_number(double lowest, double highest) {
  return {FieldRange::Kind::whole, lowest, highest};
}

enum class Presence : std::uint8_t { optional, required };

class FieldReader {
 public:
  /// A part of an entry has a path ("kernel[2]") and an owner for messages ("kernel 'Q'"). Pre: `entry` and `problems`
  /// outlive the reader.
  FieldReader(const Entry& entry, std::vector<EntryProblem>& problems, std::string path = {}, std::string owner = {})
      : entry_(entry), problems_(problems), path_(std::move(path)), owner_(std::move(owner)) {}

  /// The number without a range check; `otherwise` where the field is missing.
  [[nodiscard]] double number_or(std::string_view field, double otherwise) const {
    return entry_.number_or(field, otherwise);
  }
  [[nodiscard]] bool has_number(std::string_view field) const { return entry_.has_number(field); }
  [[nodiscard]] bool has_text(std::string_view field) const { return entry_.texts.contains(field); }
  /// Each function adds a problem and returns a valid number where the field is out of range. Fields with an
  /// `otherwise` are optional.
  double positive(std::string_view field);
  double positive_or(std::string_view field, double otherwise);
  double not_negative_or(std::string_view field, double otherwise);
  double whole(std::string_view field, double lowest, double highest);
  double whole_or(std::string_view field, double otherwise, double lowest, double highest);
  /// The number within a range; `otherwise` where an optional field is missing. A missing required field is a problem.
  double number_in(std::string_view field, const FieldRange& range, Presence presence, double otherwise);
  /// Index of the text in `choices`; empty after a problem.
  std::optional<std::size_t> choice(std::string_view field, std::span<const std::string_view> choices);
  std::size_t choice_or(std::string_view field, std::span<const std::string_view> choices, std::size_t otherwise);

  /// `what` follows the quoted field: " is negative".
  void complain(std::string_view field, std::string_view what, std::string reason);
  void complain_missing(std::string_view field) { complain(field, " is missing", ""); }

 private:
  [[nodiscard]] bool is_there(std::string_view field);

  const Entry& entry_;
  std::vector<EntryProblem>& problems_;
  std::string path_;
  std::string owner_;
};

}  // namespace dfsweep
