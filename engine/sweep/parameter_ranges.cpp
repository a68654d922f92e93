/// Reads the ranges of a sweep file: the kind of the range, its keys, and its values.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/sweep/parameter_reader.hpp"
#include "engine/sweep/ranges.hpp"
#include "io/quantity.hpp"
#include "io/suggestion.hpp"

namespace dfsweep {

namespace {

struct RangeForm {
  std::string_view key;  ///< key that identifies this kind
  std::vector<std::string> keys;
};

const std::vector<RangeForm>& range_forms() {
  static const std::vector<RangeForm> forms{{"powers_of", {"powers_of", "from", "to"}},
                                            {"divisors_of", {"divisors_of"}},
                                            {"points", {"from", "to", "points", "scale"}},
                                            {"step", {"from", "to", "step"}},
                                            {"scale", {"from", "to", "scale"}}};
  return forms;
}

}  // namespace

void ParameterReader::read_range(GivenParameter& given, const ParameterInfo& info, const Node& at,
                                 const Document& range) {
  if (info.kind != ParameterKind::integer && info.kind != ParameterKind::real) {
    problems_.add(at.at, fmt::format("'{}' cannot have a range", info.name), "its values are texts", "Give an array");
    return;
  }
  const auto& forms = range_forms();
  const auto form =
      std::find_if(forms.begin(), forms.end(), [&](const RangeForm& f) { return range.find(f.key) != nullptr; });
  if (form == forms.end()) {
    problems_.add(at.at, fmt::format("'{}' has a range of unknown kind", info.name),
                  "powers_of, divisors_of, points or step is needed", "See the sweep file reference");
    return;
  }
  bool complete = true;
  for (const DocumentMember& member : range.members)
    if (std::find(form->keys.begin(), form->keys.end(), member.key) == form->keys.end()) {
      problems_.add(member.at, fmt::format("unknown key '{}' in the range of '{}'", member.key, info.name),
                    "keys here: " + listed(form->keys), did_you_mean(member.key, form->keys));
      complete = false;
    }
  for (const std::string& key : form->keys)
    if (range.find(key) == nullptr) {
      problems_.add(at.at, fmt::format("range of '{}' is missing '{}'", info.name, key),
                    "keys here: " + listed(form->keys),
                    key == "scale" ? "Write scale = \"log\" or scale = \"linear\"" : "");
      complete = false;
    }
  if (!complete) return;
  if (form->key == "divisors_of") return read_divisors(given, info, *range.find("divisors_of"));

  const auto from = number_of(info, range, "from");
  const auto to = number_of(info, range, "to");
  if (!from || !to) return;
  const auto fail = [&](std::string_view key, std::string problem, std::string reason) {
    problems_.add(range.find(key)->at, fmt::format("range of '{}' {}", info.name, problem), std::move(reason));
  };
  if (*from > *to)
    return fail("to", "ends before it begins", fmt::format("from {} to {}", number_text(*from), number_text(*to)));
  std::vector<double> numbers;
  if (form->key == "powers_of") {
    const auto base = count_of(info, range, "powers_of", 2);
    if (!base) return;
    if (*from <= 0.0) return fail("from", "begins at zero or below", "powers are positive");
    numbers = powers_between(*base, *from, *to);
    if (numbers.empty()) return fail("powers_of", "is empty", fmt::format("no power of {} lies in it", *base));
  } else if (form->key == "points" || form->key == "scale") {
    const bool is_continuous = form->key == "scale";
    const auto points = is_continuous ? std::optional<std::uint64_t>(0) : count_of(info, range, "points", 2);
    const Node& scale = *range.find("scale");
    const bool known = scale.text() != nullptr && (*scale.text() == "log" || *scale.text() == "linear");
    if (!known) return fail("scale", "has an unknown scale", "\"log\" or \"linear\"");
    if (!points) return;
    const Scale kind = *scale.text() == "log" ? Scale::logarithmic : Scale::linear;
    if (kind == Scale::logarithmic && *from <= 0.0)
      return fail("from", "begins at zero or below", "its scale is logarithmic");
    if (*from == *to) return fail("to", "ends where it begins", "two points at least");
    if (*to / 2 - *from / 2 > 1e300) return fail("to", "is too wide", "");
    if (is_continuous) return read_continuous(given, info, at, {given.parameter, *from, *to, kind});
    numbers = spaced(*from, *to, *points, kind);
  } else {
    // A step is a difference: it has the unit of the parameter, but not its allowed range.
    ParameterInfo difference = info;
    difference.lowest = -std::numeric_limits<double>::infinity();
    difference.highest = std::numeric_limits<double>::infinity();
    const auto step = number_of(difference, range, "step");
    if (!step) return;
    if (*step <= 0.0) return fail("step", "has a step that is not positive", "");
    if ((*to - *from) / *step > static_cast<double>(max_values - 1))
      return fail("step", "has too many values", fmt::format("at most {}", max_values));
    numbers = stepped(*from, *to, *step);
  }
  take_numbers(given, info, numbers, at.at);
  return;
}

void ParameterReader::read_continuous(GivenParameter& given, const ParameterInfo& info, const Node& at,
                                      const ContinuousRange& range) {
  if (sample_ == nullptr || !sample_->count)
    return problems_.add(at.at, fmt::format("range of '{}' has no points", info.name),
                         "without them it is continuous, and only a [sample] with a count draws its numbers",
                         "Write points = 10, or [sample]");
  if (info.kind == ParameterKind::integer)
    return problems_.add(at.at, fmt::format("range of '{}' is continuous", info.name), "its values are whole numbers",
                         "Write step = 1, or points");
  if (*sample_->count > max_values)
    return problems_.add(at.at, fmt::format("range of '{}' has too many numbers", info.name),
                         fmt::format("[sample] draws {}, at most {}", *sample_->count, max_values));
  for (const double end : {range.from, range.to})
    if (!values_.from_number(info, end, at.at)) return;
  given.continuous = range;
  given.positions.push_back(at.at);
}

void ParameterReader::read_divisors(GivenParameter& given, const ParameterInfo& info, const Node& of) {
  if (of.text() != nullptr) {
    references_.push_back({given.parameter, &of});  // the other parameter may follow later in the file
    return;
  }
  const auto* number = std::get_if<std::int64_t>(&of.value);
  if (number == nullptr || *number < 1 || *number > (std::int64_t{1} << 53)) {
    problems_.add(of.at, fmt::format("range of '{}' has no number to divide", info.name),
                  "divisors_of is a whole number from 1 to 2^53 or the name of a parameter");
    return;
  }
  take_numbers(given, info, divisors_of_any({static_cast<std::uint64_t>(*number)}), of.at);
  return;
}

void ParameterReader::take_numbers(GivenParameter& given, const ParameterInfo& info, const std::vector<double>& numbers,
                                   const SourcePosition& at) {
  given.written = numbers.size();
  for (double number : numbers) {
    if (info.kind == ParameterKind::integer) {
      const auto whole = nearly_whole(number);
      if (!whole) {
        problems_.add(at, fmt::format("range of '{}' holds {}", info.name, number_text(number)),
                      "its values are whole numbers", "Choose other points, powers_of or an array");
        return;
      }
      number = *whole;
    }
    auto value = values_.from_number(info, number, at);
    if (!value) return;  // one problem per range is enough
    if (!given.values.empty() && given.values.back().number == number) {
      problems_.add(at, fmt::format("range of '{}' holds {} twice", info.name, number_text(number)),
                    "its points are too close");
      return;
    }
    given.values.push_back(std::move(*value));
    given.positions.push_back(at);
  }
}

std::optional<double> ParameterReader::number_of(const ParameterInfo& info, const Document& range,
                                                 std::string_view key) {
  ParameterInfo plain = info;  // from and to need not be allowed values: check only their unit and range
  plain.kind = ParameterKind::real;
  plain.accepts_best = false;
  const auto value = values_.from_toml(plain, *range.find(key));
  return value ? std::optional(value->number) : std::nullopt;
}

std::optional<std::uint64_t> ParameterReader::count_of(const ParameterInfo& info, const Document& range,
                                                       std::string_view key, std::uint64_t least) {
  const Node& value = *range.find(key);
  const auto* number = std::get_if<std::int64_t>(&value.value);
  if (number != nullptr && *number >= static_cast<std::int64_t>(least) &&
      static_cast<std::uint64_t>(*number) <= max_values)
    return static_cast<std::uint64_t>(*number);
  problems_.add(value.at, fmt::format("{} of the range of '{}' is not a whole number from {} to {}", key, info.name,
                                      least, max_values));
  return std::nullopt;
}

}  // namespace dfsweep
