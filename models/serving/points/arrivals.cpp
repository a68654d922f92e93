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

/// Users, a rate and a share of the highest rate each decide when requests arrive.
template <class Complain>
void complain_of_two_sources(const SweepValues& values, const Complain& complain) {
  constexpr Parameter sources[] = {Parameter::concurrency, Parameter::arrival_rate, Parameter::load};
  std::vector<Parameter> given;
  for (const Parameter p : sources) {
    if (!is_changed(values, p)) continue;
    const auto other = std::find_if(given.begin(), given.end(), [&](Parameter g) {
      return is_changed_everywhere(values, g) || is_changed_everywhere(values, p);
    });
    if (other != given.end())
      complain(p,
               "'" + std::string(parameters()[index_of(p)].name) + "' and '" +
                   std::string(parameters()[index_of(*other)].name) + "' contradict each other",
               "each of them decides when requests arrive", "Give one of them");
    given.push_back(p);
  }
}

/// Lengths below one token.
template <class Complain>
void complain_of_spreads(const SweepValues& values, const Complain& complain) {
  const std::vector<ParameterValue>& laws = values[Parameter::length_distribution].values;
  const bool is_bounded =
      !laws.empty() && std::all_of(laws.begin(), laws.end(), [](const auto& v) { return v.text != "log_normal"; });
  for (const Parameter p : {Parameter::prompt_spread, Parameter::output_spread}) {
    const std::vector<ParameterValue>& spreads = values[p].values;
    const bool is_too_wide = std::any_of(spreads.begin(), spreads.end(), [](const auto& v) { return v.number >= 1; });
    if (is_bounded && is_too_wide)
      complain(p, "'" + std::string(parameters()[index_of(p)].name) + "' is not below 1",
               "half of the range of lengths is as large as their mean, so that lengths reach 0",
               "Give less, or length_distribution = \"log_normal\"");
  }
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
  complain_of_two_sources(values, complain);
  complain_of_spreads(values, complain);
  return problems;
}

}  // namespace dfsweep::serving
