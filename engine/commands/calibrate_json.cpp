#include "engine/commands/calibrate_json.hpp"

#include <cmath>
#include <iterator>

#include "engine/calibration/overlay.hpp"
#include "engine/commands/kernel_text.hpp"
#include "io/json.hpp"

namespace dfsweep {

namespace {

JsonArray json_of(std::span<const double> values) {
  return JsonArray(values.begin(), values.end());
}

JsonArray corrections_json(const CalibrationReport& report) {
  const auto number = [](double value) { return std::isnan(value) ? Json(nullptr) : Json(value); };
  JsonArray corrections;
  for (const FittedCorrection& c : report.corrections)
    corrections.emplace_back(JsonObject{{"name", c.correction.name},
                                        {"before", number(c.before)},
                                        {"after", number(c.after)},
                                        {"factor", std::exp(c.displacement)},
                                        {"low", std::exp(c.interval.low)},
                                        {"high", std::exp(c.interval.high)},
                                        {"identified", c.is_identified},
                                        {"acts_like", c.twin.empty() ? Json(nullptr) : Json(c.twin)}});
  return corrections;
}

JsonArray levels_json(const CalibrationReport& report) {
  JsonArray levels;
  for (const LevelError& level : report.levels)
    levels.emplace_back(JsonObject{{"name", level.name},
                                   {"numbers", level.fitted},
                                   {"median", level.errors.median},
                                   {"percentile90", level.errors.percentile90},
                                   {"chosen", level.is_chosen}});
  return levels;
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
  const ExpectedError expected = expected_error(report);
  JsonObject all{{"lines", std::move(lines)},
                 {"levels", levels_json(report)},
                 {"corrections", corrections_json(report)},
                 {"log_errors", JsonObject{{"before", json_of(report.before)},
                                           {"after", json_of(report.after)},
                                           {"left_out", std::move(left_out)}}},
                 {"expected_error", expected.median},
                 {"measured_low", expected.measured_low},
                 {"measured_high", expected.measured_high},
                 {"refused", refused_json(report)}};
  if (report.extrapolation) all.emplace_back("extrapolated", extrapolation_json(*report.extrapolation, sweep));
  if (report.median_interval.high > 0.0)
    all.emplace_back(
        "left_out_interval",
        JsonObject{{"median", JsonArray{report.median_interval.low, report.median_interval.high}},
                   {"percentile90", JsonArray{report.percentile90_interval.low, report.percentile90_interval.high}}});
  return all;
}

}  // namespace

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
