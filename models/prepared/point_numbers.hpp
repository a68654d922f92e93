/// PointNumbers: the numbers and choices of one point by parameter, read from decoded values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "models/absent.hpp"
#include "models/enum_array.hpp"
#include "models/estimator.hpp"
#include "models/prepared/code_columns.hpp"

namespace dfsweep {

/// [parameter][code]: numbers (NaN where absent), or indices of choices.
template <class Parameter>
using DecodedNumbers = EnumArray<Parameter, std::vector<double>>;

template <class Parameter>
[[nodiscard]] DecodedNumbers<Parameter> decoded_numbers(const SweepValues& values,
                                                        std::span<const ParameterInfo> parameters) {
  DecodedNumbers<Parameter> numbers;
  for (const Parameter p : all_of<Parameter>) {
    const ParameterInfo& info = parameters[index_of(p)];
    for (const ParameterValue& value : values[p].values) {
      const auto found = std::find(info.choices.begin(), info.choices.end(), value.text);
      const bool chosen = info.kind == ParameterKind::choice && found != info.choices.end();
      numbers[p].push_back(chosen ? static_cast<double>(found - info.choices.begin()) : value.number);
    }
  }
  return numbers;
}

template <class Parameter>
class PointNumbers {
 public:
  /// Pre: `numbers` and `codes` outlive the object.
  PointNumbers(const DecodedNumbers<Parameter>& numbers, const CodeColumns<Parameter>& codes, std::size_t i)
      : numbers_(numbers), codes_(codes), i_(i) {}
  [[nodiscard]] std::size_t code(Parameter p) const { return codes_.code(p, i_); }
  /// Inlined at each of the many places of a decoder, where compilers stop by themselves.
  [[nodiscard, gnu::always_inline]] double number(Parameter p) const { return numbers_[p][code(p)]; }
  [[nodiscard]] double number_or(Parameter p, double otherwise) const {
    const double value = number(p);
    return is_given(value) ? value : otherwise;
  }
  [[nodiscard]] bool flag(Parameter p) const { return number(p) != 0; }
  template <class Enum>
  [[nodiscard]] Enum choice(Parameter p) const {
    return static_cast<Enum>(number(p));
  }
  /// The enumerator of a choice.
  template <class Enum, std::size_t size>
  [[nodiscard]] std::optional<Enum> choice(Parameter p, const std::optional<Enum> (&table)[size]) const {
    return table[static_cast<std::size_t>(number(p))];
  }

 private:
  const DecodedNumbers<Parameter>& numbers_;
  const CodeColumns<Parameter>& codes_;
  std::size_t i_;
};

}  // namespace dfsweep
