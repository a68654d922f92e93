#include "engine/commands/calibrate_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/calibration/overlay.hpp"
#include "engine/commands/kernel_text.hpp"
#include "io/json.hpp"
#include "io/number_format.hpp"
#include "models/absent.hpp"
#include "models/short_number.hpp"

namespace dfsweep {

namespace {

constexpr std::size_t most_odd_rows = 10;
constexpr std::size_t most_untold = 20;

std::string percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

/// Relative errors of logarithms: median and 90th percentile of their sizes.
struct Sizes {
  std::vector<double> sizes;
  explicit Sizes(std::span<const double> log_errors) {
    for (const double error : log_errors) sizes.push_back(std::abs(std::expm1(error)));
  }
  [[nodiscard]] double at(double share) const { return calibration::quantile(sizes, share); }
};

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
    const Sizes sizes(errors);
    columns[0].cells.push_back(std::move(what));
    columns[1].cells.push_back(std::to_string(errors.size()));
    columns[2].cells.push_back(percent(sizes.at(0.5)));
    columns[3].cells.push_back(percent(sizes.at(0.9)));
  };
  const auto add_resamples = [&] {
    if (!(report.median_interval.high > 0.0)) return;
    const auto range = [](const hyperparameters::Interval& i) {
      return fmt::format("{} to {}", percent(std::expm1(i.low)), percent(std::expm1(i.high)));
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
    columns[2].cells.push_back(percent(std::expm1(level.errors.median)));
    columns[3].cells.push_back(percent(std::expm1(level.errors.percentile90)));
    columns[4].cells.emplace_back(level.is_chosen ? "chosen" : "");
  }
  return render_table(columns, terminal, 2).text;
}

/// The entries that a correction moves.
std::vector<std::size_t> entries_of(const CorrectableModel& model, const Correction& c) {
  if (c.entry != Correction::all_entries) return {c.entry};
  std::vector<std::size_t> all(model.entries().size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

/// A number before and after, where it is the same in all entries that the correction moves; NaN where they differ.
std::pair<double, double> values_of(const CorrectableModel& model, const Correction& c, double x) {
  const std::vector<std::size_t> entries = entries_of(model, c);
  const double before = model.value_of(c.number, entries.front());
  for (const std::size_t e : entries)
    if (model.value_of(c.number, e) != before) return {absent, absent};
  return {before, model.displaced_value(c.number, entries.front(), x)};
}

std::string number_or_blank(double value) {
  return std::isnan(value) ? "" : short_number(value);
}

std::string corrections_table(const MeasuredSweep& sweep, const CalibrationReport& report, const Terminal& terminal) {
  const CorrectableModel model(sweep);
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
    const auto [before, after] = values_of(model, c.correction, c.displacement);
    columns[0].cells.push_back(c.correction.name);
    columns[1].cells.push_back(number_or_blank(before));
    columns[2].cells.push_back(number_or_blank(after));
    columns[3].cells.push_back(fmt::format("{:.3f}", std::exp(c.displacement)));
    columns[4].cells.push_back(fmt::format("{:.3f} to {:.3f}", std::exp(c.interval.low), std::exp(c.interval.high)));
  }
  std::string text = columns[0].cells.empty() ? "  no number\n" : render_table(columns, terminal, 2).text;
  if (!untold.empty()) {
    const std::size_t shown = std::min(untold.size(), most_untold);
    text += report.is_held_by_priors
                ? fmt::format(
                      "\n{} of {} numbers, single entries included, are not identifiable from these rows: what is "
                      "known beforehand holds them\n",
                      untold.size(), report.corrections.size())
                : "\nnot identifiable from these rows (they stay as they are)\n";
    for (std::size_t i = 0; i < shown && !report.is_held_by_priors; ++i) text += "  " + untold[i] + "\n";
  }
  return text;
}

std::string odd_rows_text(const MeasuredSweep& sweep, const CalibrationReport& report) {
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

JsonArray json_of(std::span<const double> values) {
  return JsonArray(values.begin(), values.end());
}

}  // namespace

std::string calibration_text(const MeasuredSweep& sweep, const CalibrationReport& report, const Terminal& terminal) {
  std::string text = fmt::format(
      "{}: {} of {}, estimator {}\n\n", toned(terminal, Tone::bold, sweep.table.path.filename().string()),
      counted(report.kept.size(), "measurement"), counted(sweep.table.rows(), "row"), sweep.spec.estimator->name());
  text += levels_table(report, terminal) + "\n" + corrections_table(sweep, report, terminal) + "\n" +
          errors_table(report, terminal) + odd_rows_text(sweep, report);
  return text;
}

std::string self_test_text(const MeasuredSweep& sweep, const std::vector<std::string>& fields,
                           const calibration::Coverage& coverage, const Terminal& terminal) {
  const std::vector<Correction> corrections = CorrectableModel(sweep).corrections(fields);
  std::vector<TextColumn> columns{{.heading = "number", .weight = 1},
                                  {.heading = "told in", .align = Align::right},
                                  {.heading = "interval holds in", .align = Align::right}};
  for (std::size_t k = 0; k < corrections.size(); ++k) {
    columns[0].cells.push_back(corrections[k].name);
    columns[1].cells.push_back(percent(coverage.identified[k]));
    columns[2].cells.push_back(percent(coverage.covered[k]));
  }
  return fmt::format("{} of these rows with known truth: 95 % intervals hold it in {} of all cases\n\n{}",
                     counted(static_cast<std::uint64_t>(coverage.sets), "simulated measurement"),
                     percent(coverage.covered_in_all), render_table(columns, terminal, 2).text);
}

std::string calibration_json(const MeasuredSweep& sweep, const CalibrationReport& report,
                             std::span<const KernelFit> kernels) {
  const CorrectableModel model(sweep);
  JsonArray corrections;
  for (const FittedCorrection& c : report.corrections) {
    const auto [before, after] = values_of(model, c.correction, c.displacement);
    const auto number = [](double value) { return std::isnan(value) ? Json(nullptr) : Json(value); };
    corrections.emplace_back(JsonObject{{"name", c.correction.name},
                                        {"before", number(before)},
                                        {"after", number(after)},
                                        {"factor", std::exp(c.displacement)},
                                        {"low", std::exp(c.interval.low)},
                                        {"high", std::exp(c.interval.high)},
                                        {"identified", c.is_identified},
                                        {"acts_like", c.twin.empty() ? Json(nullptr) : Json(c.twin)}});
  }
  JsonArray lines;
  for (const std::size_t i : report.kept) lines.emplace_back(sweep.table.lines[sweep.observations[i].row]);
  JsonObject left_out;
  for (const LeftOut& way : report.left_out) left_out.emplace_back(way.groups.of, json_of(way.log_errors));
  JsonArray levels;
  for (const LevelError& level : report.levels)
    levels.emplace_back(JsonObject{{"name", level.name},
                                   {"numbers", level.fitted},
                                   {"median", level.errors.median},
                                   {"percentile90", level.errors.percentile90},
                                   {"chosen", level.is_chosen}});
  JsonArray refused;
  for (const RefusedRow& row : report.refused)
    refused.emplace_back(
        JsonObject{{"line", sweep.table.lines[sweep.observations[row.observation].row]}, {"reason", row.reason}});
  const ExpectedError expected = expected_error(report);
  JsonObject all{{"estimator", sweep.spec.estimator->name()},
                 {"rows", sweep.table.rows()},
                 {"lines", std::move(lines)},
                 {"levels", std::move(levels)},
                 {"corrections", std::move(corrections)},
                 {"log_errors", JsonObject{{"before", json_of(report.before)},
                                           {"after", json_of(report.after)},
                                           {"left_out", std::move(left_out)}}},
                 {"expected_error", expected.median},
                 {"measured_low", expected.measured_low},
                 {"measured_high", expected.measured_high},
                 {"refused", std::move(refused)}};
  if (report.extrapolation) {
    JsonArray extrapolated;
    for (const std::size_t i : report.extrapolation->observations)
      extrapolated.emplace_back(sweep.table.lines[sweep.observations[i].row]);
    all.emplace_back("extrapolated", JsonObject{{"fitted_up_to_devices", report.extrapolation->few_devices},
                                                {"fitted_rows", report.extrapolation->fitted},
                                                {"level", report.extrapolation->level},
                                                {"coverage_of_90_percent", report.extrapolation->coverage},
                                                {"lines", std::move(extrapolated)},
                                                {"log_errors", json_of(report.extrapolation->log_errors)}});
  }
  if (report.median_interval.high > 0.0)
    all.emplace_back(
        "left_out_interval",
        JsonObject{{"median", JsonArray{report.median_interval.low, report.median_interval.high}},
                   {"percentile90", JsonArray{report.percentile90_interval.low, report.percentile90_interval.high}}});
  if (!kernels.empty()) all.emplace_back("kernels", kernel_json(kernels));
  return to_text(std::move(all));
}

}  // namespace dfsweep
