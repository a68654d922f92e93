/// Explain: the sweep is prepared as for a run, one point is evaluated and explained.
#include "engine/commands/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "engine/commands/explain_parts.hpp"
#include "engine/console/output.hpp"
#include "engine/console/output_form.hpp"
#include "engine/console/usage_error.hpp"
#include "engine/evaluation/search_conditions.hpp"
#include "engine/plan/row_filters.hpp"
#include "engine/rendering/explanation_text.hpp"
#include "engine/results/open_result.hpp"
#include "engine/results/ranking_metrics.hpp"
#include "engine/results/scan.hpp"
#include "engine/results/stored_sweep.hpp"
#include "engine/sweep/point_codes.hpp"
#include "engine/sweep/preparation.hpp"
#include "engine/sweep/read_sweep.hpp"
#include "io/file_system.hpp"
#include "io/number_format.hpp"
#include "models/absent.hpp"
#include "models/absent_metrics.hpp"

namespace dfsweep {
namespace {

/// Run directories and files that are not TOML hold results.
bool is_sweep_file(const std::filesystem::path& path) {
  return path == "-" || (path.extension() == ".toml" && !std::filesystem::is_directory(path));
}

/// Points of the grid before filters, or lines of the point list; a larger grid counts as 2^64 - 1.
std::uint64_t point_count(const SweepSpec& spec) {
  if (spec.points) return spec.points->lines;
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t count = 1;
  for (const Axis& axis : spec.axes) count = count > most / axis.size ? most : count * axis.size;
  return count;
}

struct ExplainedPoint {
  std::uint8_t status = 0;
  std::vector<double> metrics;  ///< [MetricIndex]
  Explanation explanation;
  std::string warnings;
};

ExplainedPoint explained(const SweepSpec& spec, const std::vector<std::uint32_t>& codes) {
  const std::unique_ptr<PreparedSweep> sweep = prepare(spec);
  std::vector<std::span<const std::uint32_t>> columns;
  for (const std::uint32_t& code : codes) columns.emplace_back(&code, 1);
  const PointColumns points(columns, 1);
  ExplainedPoint result;
  result.warnings = warnings_text(spec, *sweep);
  result.metrics.resize(spec.estimator->metrics().size());
  std::vector<std::span<double>> metrics;
  for (double& metric : result.metrics) metrics.emplace_back(&metric, 1);
  EstimateColumns out{std::span(&result.status, 1), metrics};
  sweep->evaluate(points, out);
  result.explanation = sweep->explain(points);
  return result;
}

/// A parameter's value at the point. Absent values say what is used instead.
std::variant<double, std::string> shown_value(const ParameterInfo& info, const ParameterValue& value) {
  if (!value.text.empty()) return value.text;
  if (is_given(value.number)) return value.number;
  return info.fallback.empty() ? "none" : "(" + std::string(info.fallback) + ")";
}

Explanation parameters_of(const SweepSpec& spec, const std::vector<std::uint32_t>& codes) {
  Explanation section{.title = "parameters", .facts = {}, .table = {}, .sections = {}};
  const auto infos = spec.estimator->parameters();
  for (ParameterIndex p = 0; p < infos.size(); ++p) {
    const SweepValues::Parameter& parameter = spec.values.parameters[p];
    const std::size_t code = parameter.column == SweepValues::fixed ? 0 : codes[parameter.column];
    section.facts.push_back(
        {std::string(infos[p].name), shown_value(infos[p], parameter.values[code]), std::string(infos[p].unit)});
  }
  return section;
}

Explanation metrics_of(const SweepSpec& spec, const std::vector<double>& metrics) {
  const Estimator& estimator = *spec.estimator;
  Explanation section{.title = "metrics", .facts = {}, .table = {}, .sections = {}};
  for (MetricIndex m = 0; m < metrics.size(); ++m) {
    if (!estimator.applies(m, spec.values)) continue;
    const MetricInfo& info = estimator.metrics()[m];
    const bool is_flag =
        info.type == MetricType::flags && metrics[m] >= 0.0 && metrics[m] < static_cast<double>(info.flags.size());
    if (is_flag)
      section.facts.push_back(
          {std::string(info.name), std::string(info.flags[static_cast<std::size_t>(metrics[m])]), ""});
    else
      section.facts.push_back({std::string(info.name), metrics[m], std::string(info.unit)});
  }
  return section;
}

/// The filters that do not keep the point; the run has no row for it then.
std::vector<Fact> rejecting_filters(const SweepSpec& spec, const std::vector<std::uint32_t>& codes) {
  std::vector<std::size_t> columns(codes.size());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  std::vector<Fact> facts;
  for (const Filter& filter : spec.filters) {
    AxisFilter axis_filter(spec, filter, columns);
    for (std::size_t i = 0; i < axis_filter.positions().size(); ++i)
      axis_filter.set_code(i, codes[axis_filter.positions()[i]]);
    if (!axis_filter.keeps()) facts.push_back({"not in the run: removed by the filter", filter.expression, ""});
  }
  return facts;
}

/// The conditions of the search that the point does not meet; the search has no row for it then.
std::vector<Fact> violated_conditions(const SweepSpec& spec, const std::vector<std::uint32_t>& codes,
                                      const ExplainedPoint& point) {
  std::vector<Fact> facts;
  if (point.status != status_ok) return facts;
  SearchConditions conditions(spec);
  for (std::string& text : conditions.violated(codes, point.metrics))
    facts.push_back({"not a candidate: condition of the search not met", std::move(text), ""});
  return facts;
}

/// Metrics of the point that are absent because an entry lacks a field.
std::vector<Fact> absent_facts(const SweepSpec& spec, const std::vector<std::uint32_t>& codes,
                               const std::vector<double>& metrics) {
  std::vector<Fact> facts;
  for (const AbsentMetrics& lack :
       absent_metrics(spec.estimator->parameters(), spec.estimator->metrics(), spec.values)) {
    const SweepValues::Parameter& parameter = spec.values.parameters[lack.parameter];
    const std::size_t code = parameter.column == SweepValues::fixed ? 0 : codes[parameter.column];
    const bool is_absent = std::any_of(lack.metrics.begin(), lack.metrics.end(),
                                       [&metrics](MetricIndex m) { return !is_given(metrics[m]); });
    if (code == lack.value && is_absent)
      facts.push_back(
          {"absent", text_of(lack, spec.estimator->parameters(), spec.estimator->metrics(), spec.values), ""});
  }
  return facts;
}

/// The same for people: numbers of parameters as short as somebody wrote them.
Explanation as_written(Explanation parameters) {
  for (Fact& fact : parameters.facts)
    if (const auto* number = std::get_if<double>(&fact.value)) fact.value = input_with_unit(*number, fact.unit);
  return parameters;
}

/// A sweep and the codes of the point to explain.
struct ChosenPoint {
  SweepSpec spec;
  std::uint64_t point = 0;
  std::vector<std::uint32_t> codes;
  std::string_view noun = "point";  ///< "line" of a point list
  std::vector<std::string> listed;  ///< parameters that vary in the point list of a result, of which one line is read
  std::string other_version;        ///< other_version() of a result
};

bool varies(const ChosenPoint& chosen, ParameterIndex parameter) {
  if (chosen.spec.values.parameters[parameter].column != SweepValues::fixed) return true;
  const std::string_view name = chosen.spec.estimator->parameters()[parameter].name;
  return std::find(chosen.listed.begin(), chosen.listed.end(), name) != chosen.listed.end();
}

Explanation axes_of(const ChosenPoint& chosen, const Explanation& parameters) {
  Explanation axes{.title = "axes", .facts = {}, .table = {}, .sections = {}};
  for (ParameterIndex p = 0; p < parameters.facts.size(); ++p)
    if (varies(chosen, p)) axes.facts.push_back(parameters.facts[p]);
  return axes;
}

/// The point of the options, or the best one of the result.
std::uint64_t point_of_result(const DatasetReader& file, const ExplainOptions& options) {
  if (options.point) return *options.point;
  if (const std::optional<std::uint64_t> best = best_point(file)) return *best;
  throw UsageError("no row of the result has a value to rank it by. Name a point with --point N.");
}

/// The point of the options, or the only one of the sweep.
std::uint64_t point_of_sweep(const SweepSpec& spec, const ExplainOptions& options) {
  if (options.point) return *options.point;
  if (point_count(spec) == 1) return 0;
  throw UsageError(
      fmt::format("--point is required: the sweep has {} points. Of a result, the best point is explained without it.",
                  point_count(spec)));
}

ChosenPoint chosen_point(const ExplainOptions& options) {
  ChosenPoint chosen;
  if (is_sweep_file(options.path)) {
    chosen.spec = read_sweep(options.path, options.reading);
    chosen.point = point_of_sweep(chosen.spec, options);
  } else {
    const DatasetReader file = open_result(options.path);
    chosen.point = point_of_result(file, options);
    if (lists_points(file)) {
      chosen.spec = stored_sweep_of_line(file, chosen.point, options.reading.data);
      chosen.noun = "line";
      chosen.other_version = other_version(file.provenance("sweep"), *chosen.spec.estimator);
      for (const DatasetColumn* column : axis_columns(file)) chosen.listed.push_back(column->name);
      return chosen;
    }
    chosen.spec = stored_sweep(file, options.reading.data);
    chosen.other_version = other_version(file.provenance("sweep"), *chosen.spec.estimator);
  }
  const std::uint64_t count = point_count(chosen.spec);
  if (chosen.point >= count)
    throw UsageError(fmt::format("--point {}: this sweep has points 0 to {}.", chosen.point, count - 1));
  chosen.codes = codes_of_point(chosen.spec, chosen.point);
  if (chosen.spec.points) chosen.noun = "line";
  return chosen;
}

std::string title_of(const ChosenPoint& chosen, const StatusInfo& status) {
  return fmt::format("{} {} of sweep {}, estimator {}: {}{}", chosen.noun, chosen.point, chosen.spec.name,
                     chosen.spec.estimator->name(), status.name,
                     status.name == "ok" ? "" : fmt::format(" ({})", status.meaning));
}

/// The sweep, the point and its values on the axes.
std::string picture_title(const ChosenPoint& chosen, const Explanation& parameters) {
  std::string title = fmt::format("{}, {} {}", chosen.spec.name, chosen.noun, chosen.point);
  const auto infos = chosen.spec.estimator->parameters();
  const char* separator = ": ";
  for (ParameterIndex p = 0; p < infos.size(); ++p) {
    if (!varies(chosen, p)) continue;
    title += separator + std::get<std::string>(parameters.facts[p].value);
    separator = ", ";
  }
  return title;
}

/// Nothing where none is asked for.
std::optional<Explanation> sensitivity_section(const ChosenPoint& chosen, const ExplainOptions& options) {
  if (options.sensitivity.empty()) return std::nullopt;
  constexpr std::size_t rows_of_a_screen = 15;
  const bool is_whole = options.length == ExplainOptions::Length::full || options.form == OutputForm::json;
  const std::vector<MetricIndex> metrics = sensitivity_metrics(chosen.spec, options.sensitivity);
  return sensitivity_explanation(chosen.spec, sensitivity_with_progress(chosen.spec, chosen.codes, metrics), metrics,
                                 is_whole ? std::numeric_limits<std::size_t>::max() : rows_of_a_screen);
}

}  // namespace

ExitStatus run_explain(const ExplainOptions& options) {
  check_drawing_name(options.drawing);
  const ChosenPoint chosen = chosen_point(options);
  const SweepSpec& spec = chosen.spec;
  if (!chosen.other_version.empty()) write_message("warning: " + chosen.other_version);
  const ExplainedPoint result = explained(spec, chosen.codes);
  const StatusInfo& status = spec.estimator->statuses()[result.status];
  if (!options.launch.empty()) {
    if (result.status != status_ok)
      write_message(fmt::format("warning: {} {} has no estimate: {} ({})", chosen.noun, chosen.point, status.name,
                                status.meaning));
    write_results(
        launch_answer(spec, chosen.codes, options.launch, catalogue_with(options.reading.catalogues), options.form));
    return ExitStatus::complete;
  }
  write_warnings(result.warnings);
  const Explanation parameters = parameters_of(spec, chosen.codes);
  Explanation metrics = metrics_of(spec, result.metrics);
  for (Fact& fact : absent_facts(spec, chosen.codes, result.metrics)) metrics.facts.push_back(std::move(fact));
  const std::vector<Fact> filtered = rejecting_filters(spec, chosen.codes);
  const std::vector<Fact> violated = violated_conditions(spec, chosen.codes, result);
  const std::optional<Explanation> sensitivity = sensitivity_section(chosen, options);
  if (options.form == OutputForm::json) {
    JsonObject answer{{"sweep", spec.name},
                      {"estimator", spec.estimator->name()},
                      {"point", chosen.point},
                      {"status", status.name},
                      {"kept", filtered.empty()},
                      {"meets_conditions", violated.empty()},
                      {"parameters", explanation_json(parameters).at("facts")},
                      {"metrics", explanation_json(metrics).at("facts")},
                      {"explanation", explanation_json(result.explanation)}};
    if (sensitivity) answer.emplace_back("sensitivity", explanation_json(*sensitivity));
    write_results(to_text(answer));
  } else {
    Explanation whole{.title = title_of(chosen, status), .facts = filtered, .table = {}, .sections = {}};
    whole.facts.insert(whole.facts.end(), violated.begin(), violated.end());
    if (options.length == ExplainOptions::Length::full) {
      whole.sections = {as_written(parameters), metrics, result.explanation};
    } else {
      whole.sections = explanation_summary(status, spec.estimator->views().headline, metrics, result.explanation);
      Explanation axes = axes_of(chosen, as_written(parameters));
      if (!axes.facts.empty()) whole.sections.insert(whole.sections.begin(), std::move(axes));
    }
    if (sensitivity) whole.sections.push_back(*sensitivity);
    write_results(explanation_text(whole, terminal_of(1, options.colour)));
    if (options.length == ExplainOptions::Length::short_form)
      write_results("\n  --full prints all parameters, metrics and tables.\n");
  }
  if (!options.drawing.empty())
    write_drawing(options.drawing, result.explanation, picture_title(chosen, as_written(parameters)));
  for (const auto& [name, file] : options.listings) write_listing(file, name, result.explanation);
  return ExitStatus::complete;
}

}  // namespace dfsweep
