#include "engine/commands/calibrate_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/calibration/overlay.hpp"
#include "io/json.hpp"
#include "io/number_format.hpp"
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

std::string errors_table(const MeasuredSweep& sweep, const CalibrationReport& report, const Terminal& terminal) {
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
  static_cast<void>(sweep);
  add("before", report.before);
  add("after, rows that were fitted", report.after);
  for (const LeftOut& way : report.left_out) add("after, left out by " + way.groups.of, way.log_errors);
  if (report.median_interval.high > 0.0) {
    const auto range = [](const hyperparameters::Interval& i) {
      return fmt::format("{} to {}", percent(std::expm1(i.low)), percent(std::expm1(i.high)));
    };
    columns[0].cells.emplace_back("  95 % of resamples");
    columns[1].cells.emplace_back();
    columns[2].cells.push_back(range(report.median_interval));
    columns[3].cells.push_back(range(report.percentile90_interval));
  }
  if (report.extrapolated)
    add(fmt::format("above {} devices, fitted on fewer", short_number(report.few_devices)), *report.extrapolated);
  return render_table(columns, terminal, 2).text;
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

/// A number before and after, of the first entry that the correction is about.
std::pair<double, double> values_of(const MeasuredSweep& sweep, const CorrectableModel& model,
                                    const FittedCorrection& c, double x) {
  const std::size_t entry = c.correction.entry == Correction::all_entries ? 0 : c.correction.entry;
  static_cast<void>(sweep);
  return {model.value_of(c.correction.number, entry), model.displaced_value(c.correction.number, entry, x)};
}

std::string corrections_table(const MeasuredSweep& sweep, const CalibrationReport& report, const Terminal& terminal) {
  const CorrectableModel model(sweep);
  std::vector<TextColumn> columns{{.heading = "number", .weight = 3},
                                  {.heading = "before", .align = Align::right},
                                  {.heading = "after", .align = Align::right},
                                  {.heading = "95 % interval", .align = Align::right},
                                  {.heading = "factor", .align = Align::right}};
  std::vector<std::string> untold;
  for (const FittedCorrection& c : report.corrections) {
    const bool stays = !c.is_identified && !report.is_held_by_priors;
    if (!c.is_identified) {
      untold.push_back(c.correction.name + (c.twin.empty() ? "" : " (acts like " + c.twin + ")"));
      if (stays || c.correction.entry != Correction::all_entries) continue;
    }
    const auto [before, after] = values_of(sweep, model, c, c.displacement);
    const double low = values_of(sweep, model, c, c.interval.low).second;
    const double high = values_of(sweep, model, c, c.interval.high).second;
    columns[0].cells.push_back(c.correction.name);
    columns[1].cells.push_back(short_number(before));
    columns[2].cells.push_back(short_number(after));
    columns[3].cells.push_back(fmt::format("{} to {}", short_number(low), short_number(high)));
    columns[4].cells.push_back(fmt::format("{:.3f}", after / before));
  }
  std::string text = columns[0].cells.empty() ? "  no number\n" : render_table(columns, terminal, 2).text;
  if (!untold.empty()) {
    const std::size_t shown = std::min(untold.size(), most_untold);
    text += report.is_held_by_priors
                ? fmt::format(
                      "\n{} of {} numbers, single entries included, are held by what is known beforehand: the rows "
                      "do not tell them\n",
                      untold.size(), report.corrections.size())
                : "\nnot fitted, since the rows do not tell them (they stay as they are)\n";
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
          errors_table(sweep, report, terminal) + odd_rows_text(sweep, report);
  return text;
}

std::string calibration_json(const MeasuredSweep& sweep, const CalibrationReport& report) {
  const CorrectableModel model(sweep);
  JsonArray corrections;
  for (const FittedCorrection& c : report.corrections) {
    const auto [before, after] = values_of(sweep, model, c, c.displacement);
    corrections.emplace_back(JsonObject{{"name", c.correction.name},
                                        {"before", before},
                                        {"after", after},
                                        {"low", values_of(sweep, model, c, c.interval.low).second},
                                        {"high", values_of(sweep, model, c, c.interval.high).second},
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
  if (report.extrapolated) {
    JsonArray extrapolated;
    for (const std::size_t i : report.extrapolated_observations)
      extrapolated.emplace_back(sweep.table.lines[sweep.observations[i].row]);
    all.emplace_back("extrapolated",
                     JsonObject{{"lines", std::move(extrapolated)}, {"log_errors", json_of(*report.extrapolated)}});
  }
  if (report.median_interval.high > 0.0)
    all.emplace_back(
        "left_out_interval",
        JsonObject{{"median", JsonArray{report.median_interval.low, report.median_interval.high}},
                   {"percentile90", JsonArray{report.percentile90_interval.low, report.percentile90_interval.high}}});
  return to_text(std::move(all));
}

}  // namespace dfsweep
