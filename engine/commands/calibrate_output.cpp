#include "engine/commands/calibrate_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "engine/calibration/overlay.hpp"
#include "engine/commands/calibrate_evidence.hpp"
#include "engine/tables/rendering.hpp"
#include "io/json.hpp"
#include "io/number_format.hpp"
#include "models/short_number.hpp"

namespace dfsweep {

namespace {

constexpr std::size_t most_odd_rows = 10;
constexpr std::size_t most_unidentified = 20;

std::string_view text_of(Resource resource) {
  return resource == Resource::time ? "times and rates" : "memory";
}

std::string percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

ColumnLook flush_right(std::string heading) {
  return {.heading = std::move(heading), .align = Align::right};
}

std::string line_of(const MeasuredSweep& sweep, std::size_t observation) {
  const std::uint32_t line = sweep.table.lines[sweep.observations[observation].row];
  const LabelColumn* id = sweep.table.label("id");
  const std::string place = fmt::format("{}:{}", sweep.table.path.string(), line);
  return id == nullptr ? place : fmt::format("{} ({})", place, id->cells[sweep.observations[observation].row]);
}

/// A line of the table of errors.
struct ErrorsLine {
  std::string what;
  std::string rows;
  std::string median;
  std::string percentile90;
};

ErrorsLine errors_line(std::string what, std::span<const double> errors) {
  const calibration::ErrorSummary sizes = calibration::summarize_relative_errors(errors);
  return {std::move(what), std::to_string(errors.size()), percent(sizes.median), percent(sizes.percentile90)};
}

ErrorsLine resamples_line(const LeftOutIntervals& intervals) {
  const auto range = [](const Interval& i) { return fmt::format("{} to {}", percent(i.low), percent(i.high)); };
  return {"  95 % of resampled rows", "", range(intervals.median), range(intervals.percentile90)};
}

std::string errors_text(const CalibrationReport& report, const Terminal& terminal) {
  std::vector<ErrorsLine> lines{errors_line("before", report.before),
                                errors_line("after, rows that were fitted", report.after)};
  for (const LeftOut& way : report.left_out) {
    lines.push_back(errors_line("after, left out by " + way.groups.of, way.log_errors));
    if (&way == &report.left_out.front() && report.left_out_intervals)
      lines.push_back(resamples_line(*report.left_out_intervals));
  }
  std::string extrapolated;
  if (report.extrapolation) {
    const std::string devices = fmt::format("above {} devices", short_number(report.extrapolation->few_devices));
    lines.push_back(errors_line(devices + ", fitted on fewer", report.extrapolation->log_errors));
    extrapolated = wrapped(
        fmt::format(
            "  of the rows {} {:.0f} % lie in the interval that holds 90 % of the left-out rows of fewer devices",
            devices, 100 * report.extrapolation->coverage),
        terminal, 2);
  }
  TableOf<ErrorsLine> table(std::move(lines));
  table.show({"errors", 3}, &ErrorsLine::what)
      .show(flush_right("rows"), &ErrorsLine::rows)
      .show(flush_right("median"), &ErrorsLine::median)
      .show(flush_right("90 % below"), &ErrorsLine::percentile90);
  return render_table(text_columns(table.take()), terminal, 2).text + extrapolated;
}

DataTable levels_table(const CalibrationReport& report) {
  using calibration::ErrorSummary;
  TableOf<LevelError> table(report.levels);
  table.add({"name"}, &LevelError::name, {"what is fitted", 3})
      .add({"numbers"}, &LevelError::fitted, {"numbers"})
      .add({"median"}, along(&LevelError::errors, &ErrorSummary::median), {"left-out median", 0, percent})
      .add({"percentile90"}, along(&LevelError::errors, &ErrorSummary::percentile90), {"90 % below", 0, percent})
      .add({"chosen"}, &LevelError::is_chosen)
      .show({"", 1}, [](const LevelError& level) { return level.is_chosen ? "chosen" : ""; });
  return table.take();
}

std::string number_or_blank(double value) {
  return std::isnan(value) ? "" : short_number(value);
}

std::string unidentified_text(const CalibrationReport& report, const std::vector<std::string>& unidentified) {
  if (unidentified.empty()) return {};
  if (report.is_held_by_priors)
    return fmt::format(
        "{} of {} numbers, single entries included, are not identifiable from these rows: what is known beforehand "
        "holds them\n",
        unidentified.size(), report.corrections.size());
  std::string text = "not identifiable from these rows (they stay as they are)\n";
  for (std::size_t i = 0; i < std::min(unidentified.size(), most_unidentified); ++i)
    text += "  " + unidentified[i] + "\n";
  return text;
}

/// Numbers that keep their value because the rows fit best beyond three spreads.
std::string contradicted_text(const CalibrationReport& report) {
  std::string text;
  for (const FittedCorrection& c : report.corrections)
    if (!std::isnan(c.contradicted))
      text += fmt::format("  {}: the rows fit best at {:.3g} times its value, more than three spreads away\n",
                          c.correction.name, std::exp(c.contradicted));
  return text.empty() ? text : "\ncontradicted by what is known beforehand (they stay as they are)\n" + text;
}

DataTable corrections_table(std::vector<FittedCorrection> corrections) {
  const auto factor = [](double displacement) { return std::exp(displacement); };
  TableOf<FittedCorrection> table(std::move(corrections));
  table.add({"name"}, along(&FittedCorrection::correction, &Correction::name), {"number", 3})
      .add({"before"}, &FittedCorrection::before, {"before", 0, number_or_blank})
      .add({"after"}, &FittedCorrection::after, {"after", 0, number_or_blank})
      .add({"factor"}, along(&FittedCorrection::displacement, factor),
           {"factor", 0, [](double value) { return fmt::format("{:.3f}", value); }})
      .show(flush_right("95 % interval"),
            [](const FittedCorrection& c) {
              return fmt::format("{:.3f} to {:.3f}", std::exp(c.interval.low), std::exp(c.interval.high));
            })
      .add({"low"}, along(&FittedCorrection::interval, &Interval::low, factor))
      .add({"high"}, along(&FittedCorrection::interval, &Interval::high, factor))
      .add({"identified"}, &FittedCorrection::is_identified)
      .add({"contradicted_factor"}, along(&FittedCorrection::contradicted, factor))
      .add({"acts_like"}, along(&FittedCorrection::twin, text_or_null));
  return table.take();
}

std::string corrections_text(const CalibrationReport& report, const Terminal& terminal) {
  std::vector<FittedCorrection> shown;
  std::vector<std::string> unidentified;
  for (const FittedCorrection& c : report.corrections) {
    if (!c.is_identified)
      unidentified.push_back(c.correction.name + (c.twin.empty() ? "" : " (acts like " + c.twin + ")"));
    const bool is_held = report.is_held_by_priors && c.correction.entry == Correction::all_entries;
    if (c.is_identified || is_held) shown.push_back(c);
  }
  if (shown.empty() && unidentified.empty())
    return "  no number is fitted: rows left out are predicted best by the numbers as they are\n";
  std::string text;
  if (!shown.empty()) text = render_table(text_columns(corrections_table(std::move(shown))), terminal, 2).text;
  return text + (text.empty() || unidentified.empty() ? "" : "\n") + unidentified_text(report, unidentified) +
         contradicted_text(report);
}

std::string odd_rows_text(const CalibrationReport& report) {
  const MeasuredSweep& sweep = report.sweep;
  std::string text;
  if (!report.odd.empty()) text += "\nrows that contradict the rest (measured over predicted by a fit without them)\n";
  for (std::size_t i = 0; i < std::min(report.odd.size(), most_odd_rows); ++i) {
    const std::size_t at = report.odd[i];
    text += fmt::format("  {:.2f}  {}\n", std::exp(-report.left_out.front().log_errors[at]),
                        line_of(sweep, report.kept[at]));
  }
  if (report.odd.size() > most_odd_rows) text += fmt::format("  and {} more\n", report.odd.size() - most_odd_rows);
  if (!report.refused.empty()) text += "\nrows left out\n";
  for (const RefusedRow& row : report.refused)
    text += fmt::format("  {}: {}{}\n", line_of(sweep, row.observation), row.reason,
                        row.hint.empty() ? "" : ". " + row.hint);
  return text;
}

std::string report_text(const CalibrationReport& report, const Terminal& terminal) {
  const MeasuredSweep& sweep = report.sweep;
  const std::string file = toned(terminal, Tone::bold, sweep.table.path.filename().string());
  return fmt::format("{}, {}: {} of {}, estimator {}\n\n", file, text_of(report.resource),
                     counted(report.kept.size(), "measurement"), counted(sweep.table.rows(), "row"),
                     sweep.spec.estimator->name()) +
         render_table(text_columns(levels_table(report)), terminal, 2).text + "\n" +
         corrections_text(report, terminal) + "\n" + errors_text(report, terminal) + "\n" +
         render_table(text_columns(classes_table(report)), terminal, 2).text + feasibility_text(report, terminal) +
         odd_rows_text(report);
}

JsonArray json_of(std::span<const double> values) {
  return JsonArray(values.begin(), values.end());
}

JsonArray refused_json(const CalibrationReport& report) {
  JsonArray refused;
  for (const RefusedRow& row : report.refused)
    refused.emplace_back(JsonObject{{"line", report.sweep.table.lines[report.sweep.observations[row.observation].row]},
                                    {"reason", row.reason}});
  return refused;
}

JsonObject extrapolation_json(const Extrapolation& beyond, const MeasuredSweep& sweep) {
  JsonArray lines;
  for (const std::size_t i : beyond.observations) lines.emplace_back(sweep.table.lines[sweep.observations[i].row]);
  return {{"fitted_up_to_devices", beyond.few_devices},
          {"fitted_rows", beyond.fitted},
          {"level", beyond.level},
          {"coverage_of_90_percent", beyond.coverage},
          {"lines", std::move(lines)},
          {"log_errors", json_of(beyond.log_errors)}};
}

JsonObject report_json(const CalibrationReport& report) {
  const MeasuredSweep& sweep = report.sweep;
  JsonArray lines;
  for (const std::size_t i : report.kept) lines.emplace_back(sweep.table.lines[sweep.observations[i].row]);
  JsonObject left_out;
  for (const LeftOut& way : report.left_out) left_out.emplace_back(way.groups.of, json_of(way.log_errors));
  JsonObject all{{"lines", std::move(lines)},
                 {"levels", rows_json(levels_table(report))},
                 {"corrections", rows_json(corrections_table(report.corrections))},
                 {"log_errors", JsonObject{{"before", json_of(report.before)},
                                           {"after", json_of(report.after)},
                                           {"left_out", std::move(left_out)}}},
                 {"expected_error", report.of_all.median},
                 {"measured_low", std::exp(-report.of_all.log_errors.high)},
                 {"measured_high", std::exp(-report.of_all.log_errors.low)},
                 {"classes", rows_json(classes_table(report))},
                 {"refused", refused_json(report)}};
  if (report.feasibility) all.emplace_back("too_large", feasibility_json(*report.feasibility));
  if (report.extrapolation) all.emplace_back("extrapolated", extrapolation_json(*report.extrapolation, sweep));
  if (const auto& intervals = report.left_out_intervals)
    all.emplace_back(
        "left_out_interval",
        JsonObject{{"median", JsonArray{intervals->median.low, intervals->median.high}},
                   {"percentile90", JsonArray{intervals->percentile90.low, intervals->percentile90.high}}});
  return all;
}

}  // namespace

std::string calibration_text(const Calibration& calibration, const Terminal& terminal) {
  std::string text;
  for (const CalibrationReport& report : calibration.reports)
    text += (text.empty() ? "" : "\n") + report_text(report, terminal);
  return text;
}

std::string self_test_text(const SimulatedCalibration& simulated, const Terminal& terminal) {
  const calibration::Coverage& coverage = simulated.coverage;
  std::vector<std::size_t> places(simulated.corrections.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  TableOf<std::size_t> table(std::move(places));
  table.show({"number", 1}, [&](std::size_t k) { return simulated.corrections[k].name; })
      .show({"identified in", 0, percent}, [&](std::size_t k) { return coverage.identified[k]; })
      .show({"interval holds in", 0, percent}, [&](std::size_t k) { return coverage.covered[k]; });
  return fmt::format("{}: {} of these rows with known truth: 95 % intervals hold it in {} of all cases\n\n{}",
                     text_of(simulated.resource),
                     counted(static_cast<std::uint64_t>(coverage.sets), "simulated measurement"),
                     percent(coverage.covered_in_all), render_table(text_columns(table.take()), terminal, 2).text);
}

std::string calibration_json(const Calibration& calibration, std::span<const KernelFit> kernels) {
  const MeasuredSweep& sweep = calibration.reports.front().sweep;
  JsonObject all{{"estimator", sweep.spec.estimator->name()}, {"rows", sweep.table.rows()}};
  for (const CalibrationReport& report : calibration.reports) {
    JsonObject of_resource = report_json(report);
    if (report.resource == Resource::memory)
      all.emplace_back("memory", std::move(of_resource));
    else
      all.insert(all.end(), std::make_move_iterator(of_resource.begin()), std::make_move_iterator(of_resource.end()));
  }
  if (!kernels.empty()) all.emplace_back("kernels", kernel_json(kernels));
  return to_text(std::move(all));
}

}  // namespace dfsweep
