#include "engine/commands/calibrate_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/number_format.hpp"
#include "models/absent.hpp"
#include "models/short_number.hpp"

namespace dfsweep {

namespace {

constexpr std::size_t most_odd_rows = 10;
constexpr std::size_t most_untold = 20;

std::string_view text_of(Resource resource) {
  return resource == Resource::time ? "times and rates" : "memory";
}

std::string percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

std::string line_of(const MeasuredSweep& sweep, std::size_t observation) {
  const std::uint32_t line = sweep.table.lines[sweep.observations[observation].row];
  const LabelColumn* id = sweep.table.label("id");
  const std::string place = fmt::format("{}:{}", sweep.table.path.string(), line);
  return id == nullptr ? place : fmt::format("{} ({})", place, id->cells[sweep.observations[observation].row]);
}

std::string errors_table(const CalibrationReport& report, const Terminal& terminal) {
  std::vector<TextColumn> columns{{.heading = "errors", .weight = 3},
                                  {.heading = "rows", .align = Align::right},
                                  {.heading = "median", .align = Align::right},
                                  {.heading = "90 % below", .align = Align::right}};
  const auto add = [&](std::string what, std::span<const double> errors) {
    const calibration::ErrorSummary sizes = calibration::summarize_relative_errors(errors);
    columns[0].cells.push_back(std::move(what));
    columns[1].cells.push_back(std::to_string(errors.size()));
    columns[2].cells.push_back(percent(sizes.median));
    columns[3].cells.push_back(percent(sizes.percentile90));
  };
  const auto add_resamples = [&] {
    if (!(report.median_interval.high > 0.0)) return;
    const auto range = [](const hyperparameters::Interval& i) {
      return fmt::format("{} to {}", percent(i.low), percent(i.high));
    };
    columns[0].cells.emplace_back("  95 % of resampled rows");
    columns[1].cells.emplace_back();
    columns[2].cells.push_back(range(report.median_interval));
    columns[3].cells.push_back(range(report.percentile90_interval));
  };
  add("before", report.before);
  add("after, rows that were fitted", report.after);
  for (const LeftOut& way : report.left_out) {
    add("after, left out by " + way.groups.of, way.log_errors);
    if (&way == &report.left_out.front()) add_resamples();
  }
  if (!report.extrapolation) return render_table(columns, terminal, 2).text;
  const Extrapolation& beyond = *report.extrapolation;
  add(fmt::format("above {} devices, fitted on fewer", short_number(beyond.few_devices)), beyond.log_errors);
  return render_table(columns, terminal, 2).text +
         wrapped(
             fmt::format("  of the rows above {} devices {:.0f} % lie in the interval that holds 90 % of the left-out "
                         "rows of fewer devices",
                         short_number(beyond.few_devices), 100 * beyond.coverage),
             terminal, 2);
}

std::string levels_table(const CalibrationReport& report, const Terminal& terminal) {
  std::vector<TextColumn> columns{{.heading = "what is fitted", .weight = 3},
                                  {.heading = "numbers", .align = Align::right},
                                  {.heading = "left-out median", .align = Align::right},
                                  {.heading = "90 % below", .align = Align::right},
                                  {.heading = "", .weight = 1}};
  for (const LevelError& level : report.levels) {
    columns[0].cells.push_back(level.name);
    columns[1].cells.push_back(std::to_string(level.fitted));
    columns[2].cells.push_back(percent(level.errors.median));
    columns[3].cells.push_back(percent(level.errors.percentile90));
    columns[4].cells.emplace_back(level.is_chosen ? "chosen" : "");
  }
  return render_table(columns, terminal, 2).text;
}

std::string number_or_blank(double value) {
  return std::isnan(value) ? "" : short_number(value);
}

std::string untold_text(const CalibrationReport& report, const std::vector<std::string>& untold) {
  if (untold.empty()) return {};
  if (report.is_held_by_priors)
    return fmt::format(
        "{} of {} numbers, single entries included, are not identifiable from these rows: what is known beforehand "
        "holds them\n",
        untold.size(), report.corrections.size());
  std::string text = "not identifiable from these rows (they stay as they are)\n";
  for (std::size_t i = 0; i < std::min(untold.size(), most_untold); ++i) text += "  " + untold[i] + "\n";
  return text;
}

std::string corrections_table(const CalibrationReport& report, const Terminal& terminal) {
  std::vector<TextColumn> columns{{.heading = "number", .weight = 3},
                                  {.heading = "before", .align = Align::right},
                                  {.heading = "after", .align = Align::right},
                                  {.heading = "factor", .align = Align::right},
                                  {.heading = "95 % interval", .align = Align::right}};
  std::vector<std::string> untold;
  for (const FittedCorrection& c : report.corrections) {
    const bool stays = !c.is_identified && !report.is_held_by_priors;
    if (!c.is_identified) {
      untold.push_back(c.correction.name + (c.twin.empty() ? "" : " (acts like " + c.twin + ")"));
      if (stays || c.correction.entry != Correction::all_entries) continue;
    }
    columns[0].cells.push_back(c.correction.name);
    columns[1].cells.push_back(number_or_blank(c.before));
    columns[2].cells.push_back(number_or_blank(c.after));
    columns[3].cells.push_back(fmt::format("{:.3f}", std::exp(c.displacement)));
    columns[4].cells.push_back(fmt::format("{:.3f} to {:.3f}", std::exp(c.interval.low), std::exp(c.interval.high)));
  }
  if (columns[0].cells.empty() && untold.empty())
    return "  none is fitted: rows left out are predicted best by the numbers as they are\n";
  const std::string table = columns[0].cells.empty() ? "" : render_table(columns, terminal, 2).text;
  return table + (table.empty() || untold.empty() ? "" : "\n") + untold_text(report, untold);
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
    text += fmt::format("  {}: {}\n", line_of(sweep, row.observation), row.reason);
  return text;
}

std::string report_text(const CalibrationReport& report, const Terminal& terminal) {
  const MeasuredSweep& sweep = report.sweep;
  const std::string file = toned(terminal, Tone::bold, sweep.table.path.filename().string());
  return fmt::format("{}, {}: {} of {}, estimator {}\n\n", file, text_of(report.resource),
                     counted(report.kept.size(), "measurement"), counted(sweep.table.rows(), "row"),
                     sweep.spec.estimator->name()) +
         levels_table(report, terminal) + "\n" + corrections_table(report, terminal) + "\n" +
         errors_table(report, terminal) + odd_rows_text(report);
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
  std::vector<TextColumn> columns{{.heading = "number", .weight = 1},
                                  {.heading = "told in", .align = Align::right},
                                  {.heading = "interval holds in", .align = Align::right}};
  for (std::size_t k = 0; k < simulated.corrections.size(); ++k) {
    columns[0].cells.push_back(simulated.corrections[k].name);
    columns[1].cells.push_back(percent(coverage.identified[k]));
    columns[2].cells.push_back(percent(coverage.covered[k]));
  }
  return fmt::format("{}: {} of these rows with known truth: 95 % intervals hold it in {} of all cases\n\n{}",
                     text_of(simulated.resource),
                     counted(static_cast<std::uint64_t>(coverage.sets), "simulated measurement"),
                     percent(coverage.covered_in_all), render_table(columns, terminal, 2).text);
}

}  // namespace dfsweep
