/// Reads [filter], [search] and [output].
#include "engine/sweep/sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/sweep/metric_values.hpp"
#include "engine/sweep/other_words.hpp"
#include "io/suggestion.hpp"

namespace dfsweep {

namespace {

/// Higher levels make results of studies a few per cent smaller and take several times as long.
constexpr int default_compression_level = 1;

template <class Infos>
std::vector<std::string> names_of(const Infos& infos) {
  std::vector<std::string> names;
  for (const auto& info : infos) names.emplace_back(info.name);
  return names;
}

std::optional<MetricIndex> metric_named(const Node& value, const Estimator& estimator, Problems& problems) {
  const auto metrics = estimator.metrics();
  if (value.text() == nullptr) {
    problems.add(value.at, fmt::format("a metric must be a name, not {}", value.type_name()));
    return std::nullopt;
  }
  const auto found =
      std::find_if(metrics.begin(), metrics.end(), [&](const MetricInfo& m) { return m.name == *value.text(); });
  if (found != metrics.end()) return static_cast<MetricIndex>(found - metrics.begin());
  const std::vector<std::string> names = names_of(metrics);
  problems.add(value.at, fmt::format("unknown metric '{}'", *value.text()), "metrics: " + listed(names, 40),
               word_hint(*value.text(), names));
  return std::nullopt;
}

std::string axes_hint(std::span<const std::string> axes) {
  return axes.empty() ? "This sweep has no axes: give a parameter an array or a range" : "Axes: " + listed(axes);
}

}  // namespace

void check_keys(const Document& table, std::string_view section, std::span<const std::string> keys,
                Problems& problems) {
  for (const DocumentMember& member : table.members)
    if (std::find(keys.begin(), keys.end(), member.key) == keys.end())
      problems.add(member.at, fmt::format("unknown key '{}' in {}", member.key, section), "keys here: " + listed(keys),
                   did_you_mean(member.key, keys));
}

std::vector<FilterVariable> filter_variables(const SweepSpec& spec) {
  std::vector<FilterVariable> variables;
  for (const ParameterInfo& info : spec.estimator->parameters()) {
    const bool is_number = info.kind == ParameterKind::integer || info.kind == ParameterKind::real;
    variables.push_back(
        {std::string(info.name), is_number ? VariableKind::number : VariableKind::text, std::string(info.unit), {}});
  }
  return variables;
}

std::vector<FilterVariable> filter_variables(const SweepSpec& spec, const Catalogue& catalogue) {
  std::vector<FilterVariable> variables = filter_variables(spec);
  const auto infos = spec.estimator->parameters();
  for (ParameterIndex p = 0; p < infos.size(); ++p) {
    if (variables[p].kind == VariableKind::number || infos[p].kind == ParameterKind::text) continue;
    variables[p].kind = VariableKind::label;
    std::set<std::string> labels(infos[p].choices.begin(), infos[p].choices.end());
    for (const ParameterValue& value : spec.values.parameters[p].values) labels.insert(value.text);
    if (infos[p].kind == ParameterKind::entry)
      for (std::string& name : catalogue.names(infos[p].catalogue)) labels.insert(std::move(name));
    if (infos[p].accepts_best) labels.emplace(best_value);
    variables[p].labels.assign(labels.begin(), labels.end());
  }
  return variables;
}

std::vector<FilterVariable> condition_variables(const SweepSpec& spec, std::vector<FilterVariable> variables) {
  const std::size_t parameters = variables.size();
  for (const MetricInfo& info : spec.estimator->metrics()) {
    FilterVariable variable{std::string(info.name), VariableKind::number, std::string(info.unit), {}};
    if (info.type == MetricType::flags) {
      variable.kind = VariableKind::label;
      variable.labels.assign(info.flags.begin(), info.flags.end());
    }
    const bool is_taken = std::any_of(variables.begin(), variables.begin() + static_cast<std::ptrdiff_t>(parameters),
                                      [&](const FilterVariable& v) { return v.name == variable.name; });
    if (is_taken) variable.name += "_result";
    variables.push_back(std::move(variable));
  }
  return variables;
}

namespace {

/// Calls `take` with each condition of an expression or an array of expressions, its position, and whether positions
/// inside of it are known.
template <class Take>
void for_each_condition(const Node& expressions, std::string_view noun, Problems& problems, const Take& take) {
  const auto split = [&](const Node& value) {
    if (value.text() == nullptr)
      return problems.add(value.at,
                          fmt::format("a {} must be an expression in quotes, not {}", noun, value.type_name()));
    for (FilterTerm& term : split_conditions(*value.text())) {
      SourcePosition at = value.at;
      if (value.verbatim) at.column += 1 + static_cast<std::uint32_t>(term.offset);
      SourcePosition inside = at;
      if (!value.verbatim) inside.column = 0;
      try {
        take(std::move(term.expression), at, inside);
      } catch (const UserError& error) {
        for (Problem problem : error.problems) {
          if (!value.verbatim) problem.at = at;
          problems.add({problem});
        }
      }
    }
  };
  if (const NodeList* array = expressions.array())
    for (const Node& value : *array) split(value);
  else
    split(expressions);
}

/// The name of the first continuous range in the expression; empty if the expression uses no such range.
std::string continuous_range_of(const FilterExpression& expression, const SweepSpec& spec) {
  if (!spec.sample) return {};
  for (const ContinuousRange& range : spec.sample->ranges)
    for (const std::size_t used : expression.used())
      if (used == range.parameter) return std::string(spec.estimator->parameters()[range.parameter].name);
  return {};
}

}  // namespace

void read_filters(const Document& section, SweepSpec& spec, const Catalogue& catalogue, Problems& problems) {
  const std::vector<std::string> keys{"keep"};
  check_keys(section, "[filter]", keys, problems);
  if (const Node* keep = section.find("keep")) read_conditions(*keep, spec, catalogue, problems);
}

void read_conditions(const Node& expressions, SweepSpec& spec, const Catalogue& catalogue, Problems& problems) {
  const std::vector<FilterVariable> variables = filter_variables(spec, catalogue);
  for_each_condition(expressions, "filter", problems,
                     [&](std::string expression, const SourcePosition& at, const SourcePosition& inside) {
                       const FilterExpression parsed(expression, inside, variables);
                       if (const std::string range = continuous_range_of(parsed, spec); !range.empty())
                         return problems.add(at, fmt::format("filter on the continuous range '{}'", range),
                                             "filters select among listed values", "Give the range points");
                       spec.filters.push_back({std::move(expression), at});
                     });
}

namespace {

/// The axes of `over` in [search]; a linked parameter selects its whole axis.
std::vector<std::size_t> searched_axes(const Node& over, KnownAxes known, const SweepSpec& spec, Problems& problems) {
  std::set<std::size_t> axes;
  const NodeList* names = over.array();
  if (names == nullptr || names->empty()) {
    problems.add(over.at,
                 names == nullptr ? fmt::format("'over' is {}", over.type_name()) : std::string("'over' is empty"),
                 "an array of axes is needed");
    return {};
  }
  const auto infos = spec.estimator->parameters();
  std::vector<std::string> axis_names;
  for (const Axis& axis : spec.axes)
    for (const ParameterIndex p : axis.parameters) axis_names.emplace_back(infos[p].name);
  std::set<std::string> seen;
  for (const Node& name : *names) {
    if (name.text() == nullptr) {
      problems.add(name.at, fmt::format("an axis must be a name, not {}", name.type_name()));
      continue;
    }
    if (!seen.insert(*name.text()).second) problems.add(name.at, fmt::format("axis '{}' is named twice", *name.text()));
    bool found = false;
    for (std::size_t a = 0; a < spec.axes.size(); ++a)
      for (const ParameterIndex p : spec.axes[a].parameters)
        if (infos[p].name == *name.text()) {
          axes.insert(a);
          found = true;
        }
    const bool is_parameter =
        std::any_of(infos.begin(), infos.end(), [&](const ParameterInfo& i) { return i.name == *name.text(); });
    if (!found && (!is_parameter || known == KnownAxes::all))
      problems.add(name.at, fmt::format("search over '{}'", *name.text()),
                   is_parameter ? "it has a single value in this sweep" : "no such parameter",
                   is_parameter ? "Give it an array or a range"
                                : word_hint(*name.text(), names_of(infos), axes_hint(axis_names)));
  }
  return {axes.begin(), axes.end()};
}

/// `where` of [search]: conditions over metrics that apply to the sweep, and over parameters.
std::vector<Filter> search_conditions(const Node& where, const SweepSpec& spec, const Catalogue& catalogue,
                                      Problems& problems) {
  const std::vector<FilterVariable> variables = condition_variables(spec, filter_variables(spec, catalogue));
  const std::size_t parameters = spec.estimator->parameters().size();
  std::vector<Filter> conditions;
  for_each_condition(where, "condition", problems,
                     [&](std::string text, const SourcePosition& at, const SourcePosition& inside) {
                       const FilterExpression expression(text, inside, variables);
                       for (const std::size_t v : expression.used())
                         if (v >= parameters) check_values("condition on", v - parameters, at, spec, problems);
                       conditions.push_back({std::move(text), at});
                     });
  return conditions;
}

/// Reads which of the best candidates are rows.
void read_kept_rows(const Document& section, Search& search, Problems& problems) {
  if (const Node* top = section.find("top")) {
    const auto* number = std::get_if<std::int64_t>(&top->value);
    if (number == nullptr || *number < 1 || *number > 4096)
      problems.add(top->at, "'top' is not a whole number from 1 to 4096");
    else
      search.top = static_cast<std::uint32_t>(*number);
  }
  if (const Node* one = section.find("one_per_tie")) {
    const auto* flag = std::get_if<bool>(&one->value);
    if (flag == nullptr) problems.add(one->at, "'one_per_tie' is not true or false");
    if (flag != nullptr && *flag) search.ties = SearchTies::one;
  }
}

}  // namespace

void read_search(const Document& section, const SourcePosition& at, KnownAxes known, const Catalogue& catalogue,
                 SweepSpec& spec, Problems& problems) {
  const std::vector<std::string> keys{"over", "minimize", "maximize", "top", "one_per_tie", "where"};
  check_keys(section, "[search]", keys, problems);
  if (spec.points)
    return problems.add(at, "[search] with [points]", "a list of points has no axes to search over",
                        "Use axes in [parameters]");
  Search search;
  if (const Node* over = section.find("over"))
    search.axes = searched_axes(*over, known, spec, problems);
  else
    problems.add(at, "[search] is missing 'over'", "", "Name the axes to optimise over");
  const Node* minimize = section.find("minimize");
  const Node* maximize = section.find("maximize");
  if ((minimize == nullptr) == (maximize == nullptr)) {
    problems.add(minimize != nullptr ? minimize->at : at,
                 minimize != nullptr ? "[search] minimizes and maximizes" : "[search] has no objective", "",
                 "Give one of minimize and maximize");
  } else if (const auto metric = metric_named(minimize != nullptr ? *minimize : *maximize, *spec.estimator, problems)) {
    search.metric = *metric;
    search.direction = minimize != nullptr ? Better::lower : Better::higher;
    const Node& named = minimize != nullptr ? *minimize : *maximize;
    check_values("search by", *metric, named.at, spec, problems);
    if (spec.estimator->metrics()[*metric].type != MetricType::real)
      problems.add(named.at, "search by a metric that is not a number", "its values are names");
  }
  read_kept_rows(section, search, problems);
  if (const Node* where = section.find("where"))
    search.conditions = search_conditions(*where, spec, catalogue, problems);
  spec.search = std::move(search);
}

namespace {

void read_compression(const Document& output, SweepSpec& spec, Problems& problems) {
  const Node* compression = output.find("compression");
  const Node* level = output.find("compression_level");
  if (compression != nullptr) {
    const std::string* text = compression->text();
    if (text == nullptr || (*text != "none" && *text != "deflate"))
      problems.add(compression->at, "unknown compression", "\"none\" or \"deflate\"");
    else if (*text == "deflate")
      spec.compression_level = default_compression_level;
  }
  if (level == nullptr) return;
  const auto* number = std::get_if<std::int64_t>(&level->value);
  if (number == nullptr || *number < 1 || *number > 9)
    problems.add(level->at, "'compression_level' is not a whole number from 1 to 9");
  else if (!spec.compression_level)
    problems.add(level->at, "a level without compression", "", "Add compression = \"deflate\"");
  else
    spec.compression_level = static_cast<int>(*number);
}

}  // namespace

void read_output(const Document* section, SweepSpec& spec, Problems& problems) {
  const auto all = spec.estimator->metrics();
  const Node* metrics = nullptr;
  if (section != nullptr) {
    const std::vector<std::string> keys{"metrics", "precision", "compression", "compression_level"};
    check_keys(*section, "[output]", keys, problems);
    read_compression(*section, spec, problems);
    metrics = section->find("metrics");
    if (const Node* precision = section->find("precision")) {
      const std::string* text = precision->text();
      if (text == nullptr || (*text != "float64" && *text != "float32"))
        problems.add(precision->at, "unknown precision", "\"float64\" or \"float32\"");
      else
        spec.precision = *text == "float64" ? Precision::float64 : Precision::float32;
    }
  }
  std::set<MetricIndex> wanted;
  if (metrics == nullptr) {
    for (MetricIndex m = 0; m < all.size(); ++m)
      if (can_have_values(m, spec)) wanted.insert(m);
  } else if (const NodeList* names = metrics->array(); names != nullptr && !names->empty()) {
    for (const Node& name : *names)
      if (const auto metric = metric_named(name, *spec.estimator, problems); metric && !wanted.insert(*metric).second)
        problems.add(name.at, fmt::format("metric '{}' is named twice", *name.text()));
  } else {
    problems.add(
        metrics->at,
        names == nullptr ? fmt::format("'metrics' is {}", metrics->type_name()) : std::string("'metrics' is empty"),
        "an array of metrics is needed");
  }
  spec.metrics.assign(wanted.begin(), wanted.end());
}

}  // namespace dfsweep
