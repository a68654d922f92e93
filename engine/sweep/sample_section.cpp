#include "engine/sweep/sample_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "engine/sweep/other_words.hpp"
#include "engine/sweep/ranges.hpp"
#include "io/number_format.hpp"
#include "io/quantity.hpp"
#include "io/suggestion.hpp"

namespace dfsweep {

namespace {

constexpr std::int64_t most_sampled = 100'000'000;  ///< every rank keeps the drawn points
constexpr double most_rounding_of_shares = 1e-9;
constexpr std::uint64_t most_split_combinations = 10'000'000;

constexpr std::array<std::pair<std::string_view, DesignMethod>, 3> methods{
    {{"random", DesignMethod::random},
     {"latin_hypercube", DesignMethod::latin_hypercube},
     {"sobol", DesignMethod::sobol}}};

/// The axes that an array of names selects, ascending; a linked parameter selects its whole axis. `key`: of the array.
std::vector<std::size_t> named_axes(const Node& value, std::string_view key, KnownAxes known, const SweepSpec& spec,
                                    Problems& problems) {
  const NodeList* names = value.array();
  if (names == nullptr || names->empty()) {
    problems.add(
        value.at,
        names == nullptr ? fmt::format("'{}' is {}", key, value.type_name()) : fmt::format("'{}' is empty", key),
        "an array of axes is needed");
    return {};
  }
  const auto infos = spec.estimator->parameters();
  std::vector<std::string> known_names;
  for (const Axis& axis : spec.axes)
    for (const ParameterIndex p : axis.parameters) known_names.emplace_back(infos[p].name);
  std::set<std::size_t> axes;
  for (const Node& name : *names) {
    if (name.text() == nullptr) {
      problems.add(name.at, fmt::format("an axis must be a name, not {}", name.type_name()));
      continue;
    }
    const auto is_named = [&](ParameterIndex p) { return infos[p].name == *name.text(); };
    const auto axis = std::find_if(spec.axes.begin(), spec.axes.end(), [&](const Axis& one) {
      return std::any_of(one.parameters.begin(), one.parameters.end(), is_named);
    });
    if (axis != spec.axes.end() && std::any_of(spec.sample->ranges.begin(), spec.sample->ranges.end(),
                                               [&](const ContinuousRange& r) { return is_named(r.parameter); }))
      problems.add(name.at, fmt::format("'{}' names the continuous range '{}'", key, *name.text()),
                   "each of its numbers has one row", "Name axes with listed values");
    else if (axis != spec.axes.end())
      axes.insert(static_cast<std::size_t>(axis - spec.axes.begin()));
    else if (known == KnownAxes::all)
      problems.add(name.at, fmt::format("'{}' names '{}'", key, *name.text()), "it is not an axis of this sweep",
                   word_hint(*name.text(), known_names, "Axes: " + listed(known_names)));
  }
  return {axes.begin(), axes.end()};
}

/// The shares of the parts of a split.
void read_shares(const Node& value, const Document& parts, Split& split, Problems& problems) {
  double sum = 0.0;
  for (const DocumentMember& member : parts.members) {
    if (member.key == "by") continue;
    const auto* real = std::get_if<double>(&member.value.value);
    const auto* whole = std::get_if<std::int64_t>(&member.value.value);
    const double share = real != nullptr ? *real : whole != nullptr ? static_cast<double>(*whole) : 0.0;
    if (!(share > 0.0 && share <= 1.0)) {
      problems.add(member.value.at, fmt::format("share of '{}' is not a number above 0 and up to 1", member.key));
      return;
    }
    split.names.push_back(member.key);
    split.shares.push_back(share);
    sum += share;
  }
  if (split.names.empty())
    problems.add(value.at, "'split' names no parts", "", "Write split = { train = 0.8, test = 0.2 }");
  else if (std::abs(sum - 1.0) > most_rounding_of_shares)
    problems.add(value.at, "the shares of 'split' do not sum to 1", fmt::format("their sum is {}", number_text(sum)));
}

/// Problems of a split by axes: too many combinations of their values, or too few for its parts.
void check_combinations(const SweepSpec& spec, const Split& split, Problems& problems) {
  std::uint64_t combinations = 1;
  for (const std::size_t axis : split.axes) {
    combinations *= spec.axes[axis].size;
    if (combinations > most_split_combinations)
      return problems.add(split.at, "'by' of 'split' has too many combinations of values",
                          fmt::format("at most {}", most_split_combinations), "Name fewer axes");
  }
  double before = 0.0;
  for (std::size_t part = 0; part < split.names.size(); ++part) {
    const auto count = static_cast<double>(combinations);
    const double after = before + split.shares[part];
    if (std::round(before * count) == std::round(after * count))
      problems.add(
          split.at, fmt::format("part '{}' of 'split' gets no rows", split.names[part]),
          fmt::format("'by' has {} for {}", counted(combinations, "combination"), counted(split.names.size(), "part")),
          "Give it a larger share, or more axes in 'by'");
    before = after;
  }
}

void read_split(const Node& value, KnownAxes known, SweepSpec& spec, Problems& problems) {
  const Document* parts = value.table();
  if (parts == nullptr)
    return problems.add(value.at, fmt::format("'split' is {}", value.type_name()), "",
                        "Write split = { train = 0.8, test = 0.2 }");
  Split split;
  split.at = value.at;
  const std::size_t before = problems.count();
  read_shares(value, *parts, split, problems);
  if (const Node* by = parts->find("by")) split.axes = named_axes(*by, "by", known, spec, problems);
  if (spec.search)
    for (const std::size_t axis : split.axes)
      if (std::find(spec.search->axes.begin(), spec.search->axes.end(), axis) != spec.search->axes.end())
        problems.add(value.at, "'split' is by an axis of the search", "rows of a search have no fixed value of it",
                     "Name reported axes");
  if (problems.count() == before && !split.axes.empty()) check_combinations(spec, split, problems);
  spec.sample->split = std::move(split);
}

void check_ranges(const SourcePosition& at, const SweepSpec& spec, Problems& problems) {
  const Sample& sample = *spec.sample;
  if (!spec.search || sample.ranges.empty()) return;
  const std::size_t drawn = spec.axes.size() - 1;
  if (std::find(spec.search->axes.begin(), spec.search->axes.end(), drawn) != spec.search->axes.end())
    problems.add(at, "[search] over a continuous range", "each of its numbers has one row", "Give the range points");
}

}  // namespace

Sample read_sample(const Document& section, const SourcePosition& at, Problems& problems) {
  const std::vector<std::string> keys{"count", "method", "seed", "where", "stratify", "split"};
  check_keys(section, "[sample]", keys, problems);
  Sample sample;
  sample.count_at = at;
  if (const Node* count = section.find("count")) {
    sample.count_at = count->at;
    sample.count = 1;
    const auto* number = std::get_if<std::int64_t>(&count->value);
    if (number == nullptr || *number < 1 || *number > most_sampled)
      problems.add(count->at, fmt::format("'count' is not a whole number from 1 to {}", most_sampled));
    else
      sample.count = static_cast<std::uint64_t>(*number);
  } else if (section.find("split") == nullptr || section.find("method") != nullptr) {
    problems.add(at, "[sample] has no count", "without it all points are kept, and only 'split' is useful",
                 "Write count = 1000");
  }
  if (const Node* method = section.find("method")) {
    const auto found = std::find_if(methods.begin(), methods.end(), [&](const auto& known) {
      return method->text() != nullptr && *method->text() == known.first;
    });
    if (found == methods.end())
      problems.add(method->at, "unknown method", "\"random\", \"latin_hypercube\" or \"sobol\"");
    else
      sample.method = found->second;
  }
  if (const Node* seed = section.find("seed")) {
    const auto* number = std::get_if<std::int64_t>(&seed->value);
    if (number == nullptr || *number < 0)
      problems.add(seed->at, "'seed' is not a whole number from 0");
    else
      sample.seed = static_cast<std::uint64_t>(*number);
  }
  return sample;
}

void read_sample_axes(const Document& section, const SourcePosition& at, KnownAxes known, const Catalogue& catalogue,
                      SweepSpec& spec, Problems& problems) {
  Sample& sample = *spec.sample;
  if (spec.points)
    return problems.add(at, "[sample] with [points]", "a list of points is a sample already",
                        "Use axes in [parameters]");
  if (const Node* where = section.find("where")) read_conditions(*where, spec, catalogue, problems);
  if (const Node* stratify = section.find("stratify")) {
    sample.strata = named_axes(*stratify, "stratify", known, spec, problems);
    sample.strata_at = stratify->at;
    if (spec.search)
      problems.add(stratify->at, "'stratify' with [search]", "the rows of a search are its reported points",
                   "Give each value its own sweep, or leave out [search]");
    else if (!sample.count)
      problems.add(stratify->at, "'stratify' without count", "all points are kept");
  }
  if (const Node* split = section.find("split")) read_split(*split, known, spec, problems);
  check_ranges(at, spec, problems);
  if (spec.axes.size() + sample.ranges.size() > Design::most_dimensions)
    problems.add(at, "too many axes for a sample", fmt::format("at most {}", Design::most_dimensions));
}

}  // namespace dfsweep
