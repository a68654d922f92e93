/// ValueDecoder: a walk over the values of parameters that collects what is wrong with them.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "models/entry.hpp"
#include "models/estimator.hpp"
#include "models/hardware/hardware.hpp"

namespace dfsweep {

class ValueDecoder {
 public:
  /// `user` names who cannot use an entry, as in "the dataflow model". Pre: both outlive the decoder.
  ValueDecoder(const SweepValues& values, std::span<const ParameterInfo> parameters, std::string user)
      : values_(values), parameters_(parameters), user_(std::move(user)) {}

  /// Calls decode(value) for every value of a parameter and keeps what it returns.
  template <class Result, class Decode>
  std::vector<Result> each(ParameterIndex parameter, Decode decode) {
    std::vector<Result> results;
    parameter_ = parameter;
    for (code_ = 0; code_ < values_.parameters[parameter].values.size(); ++code_)
      results.push_back(decode(values_.parameters[parameter].values[code_]));
    return results;
  }

  /// A problem of the value that is being decoded.
  void complain(std::string problem, std::string reason, std::string hint) {
    problems_.push_back({parameter_, code_, std::move(problem), std::move(reason), std::move(hint)});
  }
  /// A problem of the entry that this value names.
  void complain(const Entry& entry, const std::string& problem) {
    complain(
        "'" + entry.name + "' " + problem, user_ + " cannot use it",
        "dfsweep describe catalogue " + std::string(parameters_[parameter_].catalogue) + " lists entries and fields");
  }
  /// The value of an entry that was decoded, its problems taken over.
  template <class Value>
  Value checked(const Entry& entry, Decoded<Value> decoded) {
    for (const std::string& problem : decoded.problems) complain(entry, problem);
    return std::move(decoded.value);
  }

  /// Throws InvalidValues where there was a problem, here or in data files.
  void finish(const std::vector<DataProblem>& data_problems = {}) {
    if (!problems_.empty() || !data_problems.empty()) throw InvalidValues(std::move(problems_), data_problems);
  }

 private:
  const SweepValues& values_;
  std::span<const ParameterInfo> parameters_;
  std::string user_;
  ParameterIndex parameter_ = 0;
  std::size_t code_ = 0;
  std::vector<ValueProblem> problems_;
};

}  // namespace dfsweep
