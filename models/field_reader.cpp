#include "models/field_reader.hpp"

#include <algorithm>
#include <cmath>

#include "models/short_number.hpp"

namespace dfsweep {

bool FieldReader::is_there(std::string_view field) {
  const bool has = entry_.has_number(field);
  if (!has) complain_missing(field);
  return has;
}

double FieldReader::positive(std::string_view field) {
  return is_there(field) ? positive_or(field, 1.0) : 1.0;
}

double FieldReader::positive_or(std::string_view field, double otherwise) {
  const double value = entry_.number_or(field, otherwise);
  if (!entry_.has_number(field) || (value > 0.0 && !std::isinf(value))) return value;
  complain(field,
           value < 0.0    ? " is negative"
           : value == 0.0 ? " is zero"
                          : " is not finite",
           "a positive number is needed");
  return 1.0;
}

double FieldReader::not_negative_or(std::string_view field, double otherwise) {
  const double value = entry_.number_or(field, otherwise);
  if (!entry_.has_number(field) || (value >= 0.0 && !std::isinf(value))) return value;
  complain(field, value < 0.0 ? " is negative" : " is not finite", "a number of at least 0 is needed");
  return 0.0;
}

double FieldReader::whole(std::string_view field, double lowest, double highest) {
  return is_there(field) ? whole_or(field, lowest, lowest, highest) : lowest;
}

double FieldReader::whole_or(std::string_view field, double otherwise, double lowest, double highest) {
  const double value = entry_.number_or(field, otherwise);
  const bool is_legal = value >= lowest && value <= highest && value == std::floor(value);
  if (!entry_.has_number(field) || is_legal) return value;
  complain(field, " is " + short_number(value),
           value > highest ? "the maximum is " + short_number(highest)
                           : "a whole number of at least " + short_number(lowest) + " is needed");
  return lowest;
}

double FieldReader::number_in(std::string_view field, const FieldRange& range, Presence presence, double otherwise) {
  if (!entry_.has_number(field)) {
    if (presence == Presence::optional) return otherwise;
    complain_missing(field);
    return range.kind == FieldRange::Kind::whole ? range.lowest : 1.0;
  }
  switch (range.kind) {
    case FieldRange::Kind::positive:
      return positive_or(field, otherwise);
    case FieldRange::Kind::not_negative:
      return not_negative_or(field, otherwise);
    case FieldRange::Kind::whole:
      return whole_or(field, otherwise, range.lowest, range.highest);
    case FieldRange::Kind::any:
      break;
  }
  return number_or(field, otherwise);
}

std::optional<std::size_t> FieldReader::choice(std::string_view field, std::span<const std::string_view> choices) {
  const auto text = entry_.texts.find(field);
  const bool is_given = text != entry_.texts.end();
  const auto found = is_given ? std::find(choices.begin(), choices.end(), text->second) : choices.end();
  if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
  std::string all;
  for (const std::string_view choice : choices) all += (all.empty() ? "choices: " : ", ") + std::string(choice);
  complain(field, is_given ? " is '" + text->second + "'" : " is missing", std::move(all));
  return std::nullopt;
}

std::size_t FieldReader::choice_or(std::string_view field, std::span<const std::string_view> choices,
                                   std::size_t otherwise) {
  return entry_.texts.contains(field) ? choice(field, choices).value_or(otherwise) : otherwise;
}

void FieldReader::complain(std::string_view field, std::string_view what, std::string reason) {
  const std::string of = owner_.empty() ? "" : " of " + owner_;
  problems_.push_back({"'" + std::string(field) + "'" + of + std::string(what),
                       std::move(reason),
                       {(path_.empty() ? "" : path_ + ".") + std::string(field)}});
}

}  // namespace dfsweep
