#include "models/serving/points/arrivals.hpp"

#include <algorithm>
#include <string>

#include "models/absent.hpp"
#include "models/prepared/conventions.hpp"
#include "models/serving/points/published.hpp"

namespace dfsweep::serving {

namespace {

/// Whether some value of the parameter is not its default.
bool is_changed(const SweepValues& values, Parameter p) {
  const std::vector<ParameterValue>& given = values[p].values;
  return std::any_of(given.begin(), given.end(),
                     [&](const auto& v) { return !is_default(parameters()[index_of(p)], v); });
}

/// Whether no value of the parameter is its default.
bool is_changed_everywhere(const SweepValues& values, Parameter p) {
  const std::vector<ParameterValue>& given = values[p].values;
  return !given.empty() && std::none_of(given.begin(), given.end(),
                                        [&](const auto& v) { return is_default(parameters()[index_of(p)], v); });
}

/// The largest batch that is given at some point; NaN where one is chosen or not given.
double largest_batch(const SweepValues& values) {
  double most = absent;
  for (const ParameterValue& batch : values[Parameter::batch].values) {
    if (batch.is_best() || !(batch.number > 0)) return absent;
    most = is_given(most) ? std::max(most, batch.number) : batch.number;
  }
  return most;
}

/// Whether every value of the parameter is at least `least`.
bool is_nowhere_below(const SweepValues& values, Parameter p, double least) {
  const std::vector<ParameterValue>& given = values[p].values;
  return std::all_of(given.begin(), given.end(), [&](const auto& v) { return v.number >= least; });
}

/// Users and requests only limit a static batch: as many as it holds, or more, say nothing.
bool is_without_effect(const SweepValues& values, Parameter p) {
  const double batch = largest_batch(values);
  double replicas = 1.0;
  if (p == Parameter::requests)
    for (const ParameterValue& count : values[Parameter::device_count].values)
      if (is_given(count.number)) replicas = std::max(replicas, count.number);
  return is_given(batch) && is_changed_everywhere(values, p) && is_nowhere_below(values, p, batch * replicas);
}

}  // namespace

// Which values meet at a point of a list is not known here, so a parameter that some lines leave out is no problem.
std::vector<ValueProblem> problems_of_arrivals(const SweepValues& values) {
  std::vector<ValueProblem> problems;
  const auto complain = [&](Parameter p, std::string problem, std::string reason, std::string hint) {
    problems.push_back({index_of(p), 0, std::move(problem), std::move(reason), std::move(hint), {}});
  };
  const std::vector<ParameterValue>& batchings = values[Parameter::batching].values;
  const bool is_static = !batchings.empty() && std::all_of(batchings.begin(), batchings.end(),
                                                           [](const auto& v) { return v.text == "static"; });
  if (is_static && is_changed(values, Parameter::load))
    complain(Parameter::load, "'load' changes nothing", "a static batch starts when it is full",
             "Leave it out, or write batching = \"in_flight\"");
  for (const Parameter p : {Parameter::requests, Parameter::concurrency})
    if (is_static && is_without_effect(values, p))
      complain(p, "'" + std::string(parameters()[index_of(p)].name) + "' changes nothing",
               "a static batch is served once, and there are enough requests for it",
               "Leave it out, or write batching = \"in_flight\"");
  if (!is_static && is_changed(values, Parameter::load) && is_changed_everywhere(values, Parameter::concurrency))
    complain(Parameter::load, "'load' and 'concurrency' contradict each other",
             "users who wait for their answers decide the rate at which requests arrive", "Give one of them");
  return problems;
}

}  // namespace dfsweep::serving
