/// Plan: what a sweep amounts to, before hours are spent on it.
#include "engine/commands/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/console/output.hpp"
#include "engine/console/output_form.hpp"
#include "engine/dataset/description.hpp"
#include "engine/evaluation/cost_sample.hpp"
#include "engine/plan/plan.hpp"
#include "engine/sweep/read_sweep.hpp"
#include "io/json.hpp"
#include "io/number_format.hpp"

namespace dfsweep {
namespace {

constexpr double sampling_seconds = 0.4;

/// "1 204 224".
std::string grouped(std::uint64_t number) {
  const std::string digits = fmt::format("{}", number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ' ';
    text += digits[i];
  }
  return text;
}

std::uint64_t result_bytes(const Plan& plan) {
  std::uint64_t bytes = 0;
  for (const ColumnDescription& column : describe_dataset(plan).columns)
    bytes += column.count * column.width * size_of(column.type);
  return bytes;
}

std::string axis_name(const SweepSpec& spec, const Axis& axis) {
  std::string name;
  for (const ParameterIndex p : axis.parameters)
    name += fmt::format("{}{}", name.empty() ? "" : "+", spec.estimator->parameters()[p].name);
  return name;
}

std::string duration(double seconds) {
  if (seconds < 120.0) return with_unit(seconds, "s", 2);
  if (seconds < 7200.0) return fmt::format("{:.0f} minutes", seconds / 60.0);
  if (seconds < 172'800.0) return fmt::format("{:.1f} hours", seconds / 3600.0);
  return fmt::format("{:.1f} days", seconds / 86'400.0);
}

std::string_view kind_name(BlockKind kind) {
  switch (kind) {
    case BlockKind::aligned:
      return "aligned";
    case BlockKind::small:
      return "small";
    case BlockKind::candidates:
      return "candidates";
  }
  return "";
}

std::string axes_line(const SweepSpec& spec, const RowSource& rows) {
  if (spec.points)
    return fmt::format("points     {} line{} of {}\n", grouped(rows.grid_size()), rows.grid_size() == 1 ? "" : "s",
                       spec.points->path);
  std::string text;
  for (const Axis& axis : spec.axes)
    text += fmt::format("{}{} {}", text.empty() ? "" : " x ", axis_name(spec, axis), axis.size);
  return fmt::format("axes       {}{}{} point{}\n", text, text.empty() ? "" : " = ", grouped(rows.grid_size()),
                     rows.grid_size() == 1 ? "" : "s");
}

std::string filter_lines(const RowSource& rows) {
  std::size_t width = 0;
  for (const FilterEffect& effect : rows.filter_effects()) width = std::max(width, grouped(effect.removed).size());
  std::string text;
  for (const FilterEffect& effect : rows.filter_effects())
    text += fmt::format("{:<10} removes {:>{}} (alone it keeps {:.3g} %)  {}\n", text.empty() ? "filters" : "",
                        grouped(effect.removed), width, 100.0 * effect.kept_fraction, effect.expression);
  return text;
}

std::string rows_lines(const SweepSpec& spec, const RowSource& rows, const Plan& plan) {
  if (!spec.search) return fmt::format("rows       {}\n", grouped(plan.row_count()));
  const MetricInfo& metric = spec.estimator->metrics()[spec.search->metric];
  std::string over;
  for (const std::size_t a : spec.search->axes)
    over += fmt::format("{}{}", over.empty() ? "" : ", ", axis_name(spec, spec.axes[a]));
  return fmt::format(
      "search     {} {} over {}: {} points to evaluate, at most {} for one reported point\n"
      "rows       {}: the best {} of {} reported points\n",
      spec.search->direction == Better::lower ? "lowest" : "highest", metric.name, over, grouped(rows.kept()),
      grouped(rows.largest_group()), grouped(plan.row_count()), spec.search->top, grouped(rows.groups()));
}

std::string blocks_line(const Plan& plan) {
  if (plan.kind() == BlockKind::candidates)
    return fmt::format("blocks     {}: {} slices of {} points for each reported point\n", grouped(plan.block_count()),
                       plan.slices_per_group(), grouped(plan.points_per_block()));
  return fmt::format("blocks     {} of {} rows{}\n", grouped(plan.block_count()), grouped(plan.block(0).row_count),
                     plan.kind() == BlockKind::small ? ", written by rank 0" : "");
}

std::string sample_lines(const SweepSpec& spec, const RowSource& rows, const CostSample& sample) {
  const double seconds = sample.preparation_seconds + sample.seconds_per_point * static_cast<double>(rows.kept());
  std::string text =
      fmt::format("estimate   {} on one core of this machine ({} sampled point{}, {} each; preparation {})\n",
                  duration(seconds), grouped(sample.tally.points), sample.tally.points == 1 ? "" : "s",
                  with_unit(sample.seconds_per_point, "s", 2), with_unit(sample.preparation_seconds, "s", 2));
  std::string statuses;
  for (std::size_t s = 0; s < sample.tally.statuses.size(); ++s)
    if (sample.tally.statuses[s] > 0)
      statuses += fmt::format("{}{} {}", statuses.empty() ? "" : "  ", spec.estimator->statuses()[s].name,
                              grouped(sample.tally.statuses[s]));
  return text + fmt::format("sample     {}\n", statuses);
}

std::string failure_lines(const CostSample& sample) {
  std::string text;
  for (const Failure& failure : sample.tally.failures.entries())
    text += fmt::format("failed     {} (first: point {})\n", failure.message, failure.first_point);
  return text;
}

Json plan_json(const SweepSpec& spec, const RowSource& rows, const Plan& plan, const CostSample& sample) {
  JsonArray axes;
  for (const Axis& axis : spec.axes) {
    JsonArray names;
    for (const ParameterIndex p : axis.parameters) names.emplace_back(spec.estimator->parameters()[p].name);
    axes.emplace_back(JsonObject{{"parameters", std::move(names)}, {"size", axis.size}});
  }
  JsonArray filters;
  for (const FilterEffect& effect : rows.filter_effects())
    filters.emplace_back(JsonObject{
        {"expression", effect.expression}, {"removed", effect.removed}, {"kept_fraction", effect.kept_fraction}});
  JsonObject statuses;
  for (std::size_t s = 0; s < sample.tally.statuses.size(); ++s)
    if (sample.tally.statuses[s] > 0)
      statuses.emplace_back(spec.estimator->statuses()[s].name, sample.tally.statuses[s]);
  JsonArray overridden;
  for (const std::string& field : spec.overridden) overridden.emplace_back(field);
  return JsonObject{{"sweep", spec.name},
                    {"estimator", spec.estimator->name()},
                    {"fingerprint", plan.fingerprint()},
                    {"axes", std::move(axes)},
                    {"grid_points", rows.grid_size()},
                    {"filters", std::move(filters)},
                    {"kept_points", rows.kept()},
                    {"reported_points", rows.groups()},
                    {"largest_search", rows.largest_group()},
                    {"rows", plan.row_count()},
                    {"blocks", plan.block_count()},
                    {"block_kind", kind_name(plan.kind())},
                    {"block_rows", plan.block(0).row_count},
                    {"points_per_block", plan.points_per_block()},
                    {"bytes", result_bytes(plan)},
                    {"overridden", std::move(overridden)},
                    {"sample", JsonObject{{"points", sample.tally.points},
                                          {"seconds_per_point", sample.seconds_per_point},
                                          {"preparation_seconds", sample.preparation_seconds},
                                          {"statuses", std::move(statuses)}}}};
}

}  // namespace

ExitStatus run_plan(const PlanOptions& options) {
  const SweepSpec spec = read_sweep(options.sweep, options.reading);
  const RowSource rows(spec);
  const Plan plan(spec, rows);
  const CostSample sample = sample_cost(spec, rows, sampling_seconds);
  write_warnings(sample.warnings);
  if (options.form == OutputForm::json) {
    write_results(to_text(plan_json(spec, rows, plan, sample)));
    return ExitStatus::complete;
  }
  std::string text = fmt::format("sweep      {} ({}), estimator {}\n", spec.name, spec.source, spec.estimator->name());
  text += axes_line(spec, rows) + filter_lines(rows) + rows_lines(spec, rows, plan) + blocks_line(plan);
  text += fmt::format("result     {}\n", with_unit(static_cast<double>(result_bytes(plan)), "byte", 3));
  std::string overridden;
  for (const std::string& field : spec.overridden)
    overridden += fmt::format("{}{}", overridden.empty() ? "" : ", ", field);
  if (!overridden.empty()) text += fmt::format("overridden {} (price and power stay those of the entry)\n", overridden);
  text += sample_lines(spec, rows, sample) + failure_lines(sample);
  text += fmt::format("plan       {}; nothing written\n", plan.fingerprint());
  write_results(text);
  return ExitStatus::complete;
}

}  // namespace dfsweep
