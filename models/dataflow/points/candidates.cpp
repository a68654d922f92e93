/// Construction of the lists of candidates.
#include "models/dataflow/points/candidates.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "models/absent.hpp"
#include "models/dataflow/cost/mapped_workload.hpp"
#include "models/dataflow/parallelism/layout.hpp"
#include "models/declared_fields.hpp"
#include "models/divisors.hpp"
#include "models/machine/topology.hpp"

namespace dfsweep::dataflow {

namespace {

std::vector<double> divisors_of_all(const std::set<double>& numbers, double highest) {
  std::set<double> divisors;
  for (const double number : numbers)
    for (const double divisor : divisors_of(number))
      if (divisor <= highest) divisors.insert(divisor);
  return {divisors.begin(), divisors.end()};
}

std::set<double> numbers_of_chips(const SweepValues& values) {
  std::set<double> chips;
  for (const ParameterValue& value : values[Parameter::device_count].values)
    if (is_given(value.number)) chips.insert(value.number);
  for (const ParameterValue& value : values[Parameter::shape].values) {
    const std::optional<Shape> sizes = value.text.empty() ? std::nullopt : parse_shape(value.text);
    if (sizes) chips.insert(chips_of(*sizes));
  }
  return chips;
}

std::set<double> global_batches(const SweepValues& values) {
  std::set<double> batches{1.0};  // for workloads without a batch
  const auto add = [&batches](double batch) {
    if (batch >= 1.0 && batch == std::floor(batch)) batches.insert(batch);
  };
  for (const ParameterValue& value : values[Parameter::global_batch].values) add(value.number);
  for (const ParameterValue& value : values[Parameter::model].values)
    add(value.entry->number_or(WorkloadField("global_batch"), absent));
  return batches;
}

}  // namespace

CandidateSweep with_candidates(const SweepValues& values) {
  CandidateSweep sweep{values, {}};
  const std::set<double> chips = numbers_of_chips(values);
  std::vector<ValueProblem> problems;
  for (std::size_t choice = 0; choice < chosen_parameters.size(); ++choice) {
    const Parameter p = chosen_parameters[choice];
    SweepValues::Parameter& parameter = sweep.values[p];
    const auto best = std::find_if(parameter.values.begin(), parameter.values.end(),
                                   [](const ParameterValue& value) { return value.is_best(); });
    if (best == parameter.values.end()) continue;
    const bool is_degree = p != Parameter::micro_batch && p != Parameter::dimension_roles;
    if (is_degree && chips.empty())
      problems.push_back({index_of(p), static_cast<std::size_t>(best - parameter.values.begin()),
                          std::string(parameters()[index_of(p)].name) + " = \"best\" has no candidates",
                          "neither device_count nor shape is given", "add device_count"});
    CandidateSweep::Searched searched;
    searched.choice = choice;
    searched.original_column = parameter.column;
    searched.first = static_cast<std::uint32_t>(parameter.values.size());
    if (p == Parameter::dimension_roles) {
      for (const RoleChoice& roles : role_choices) {
        searched.candidates.push_back(static_cast<double>(searched.candidates.size()));
        parameter.values.emplace_back().text = roles.name;
      }
    } else {
      searched.candidates =
          divisors_of_all(is_degree ? chips : global_batches(values), parameters()[index_of(p)].highest);
      for (const double candidate : searched.candidates) parameter.values.emplace_back().number = candidate;
    }
    parameter.column = sweep.values.column_sizes.size();
    sweep.values.column_sizes.push_back(parameter.values.size());
    sweep.searched.push_back(std::move(searched));
  }
  if (!problems.empty()) throw InvalidValues(std::move(problems));
  return sweep;
}

}  // namespace dfsweep::dataflow
