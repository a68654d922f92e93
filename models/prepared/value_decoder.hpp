/// ValueDecoder: decodes the values of parameters and collects their problems.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/decoded.hpp"
#include "models/entry.hpp"
#include "models/estimator.hpp"

namespace dfsweep {

class ValueDecoder {
 public:
  /// `estimator`: its name, for messages. Pre: the values outlive the decoder.
  ValueDecoder(const SweepValues& values, std::string_view estimator) : values_(values), estimator_(estimator) {}

  /// Returns decode(value) for every value of a parameter.
  template <class Result, class Parameter, class Decode>
  std::vector<Result> each(Parameter parameter, Decode decode) {
    std::vector<Result> results;
    parameter_ = index_of(parameter);
    for (code_ = 0; code_ < values_[parameter].values.size(); ++code_)
      results.push_back(decode(values_[parameter].values[code_]));
    return results;
  }

  /// Calls decode(entry) for every value of a parameter that names one, and takes over its problems; a value that names
  /// no entry becomes nullopt. `decode` returns Decoded<Value>.
  template <class Value, class Parameter, class Decode>
  std::vector<std::optional<Value>> each_entry(Parameter parameter, Decode decode) {
    return each<std::optional<Value>>(parameter, [&](const ParameterValue& value) -> std::optional<Value> {
      if (value.entry == nullptr) return std::nullopt;
      return checked(decode(*value.entry));
    });
  }

  /// A problem of the value that is being decoded.
  void complain(std::string problem, std::string reason, std::string hint) {
    problems_.push_back({parameter_, code_, std::move(problem), std::move(reason), std::move(hint), {}});
  }
  /// Adds a problem of the entry that this value names.
  void complain(const EntryProblem& found) {
    const std::string needed = "estimator '" + std::string(estimator_) + "' needs it";
    problems_.push_back(
        {parameter_, code_, found.problem, found.reason.empty() ? needed : found.reason, "", found.fields});
  }
  /// Returns the decoded value and records its problems.
  template <class Value>
  Value checked(Decoded<Value> decoded) {
    for (const EntryProblem& problem : decoded.problems) complain(problem);
    return std::move(decoded.value);
  }

  /// Moves out all problems.
  [[nodiscard]] std::vector<ValueProblem> take() { return std::move(problems_); }

 private:
  const SweepValues& values_;
  std::string_view estimator_;
  ParameterIndex parameter_ = 0;
  std::size_t code_ = 0;
  std::vector<ValueProblem> problems_;
};

}  // namespace dfsweep
