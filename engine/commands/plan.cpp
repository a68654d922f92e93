/// Plan: what a sweep amounts to, before hours are spent on it.
#include "engine/commands/plan.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "engine/commands/plan_drawing.hpp"
#include "engine/commands/plan_sample.hpp"
#include "engine/console/output.hpp"
#include "engine/console/output_form.hpp"
#include "engine/evaluation/cost_sample.hpp"
#include "engine/growth/growth.hpp"
#include "engine/plan/plan.hpp"
#include "engine/run/waiting_line.hpp"
#include "engine/store/room.hpp"
#include "engine/sweep/preparation.hpp"
#include "engine/sweep/read_sweep.hpp"
#include "engine/sweep/statuses.hpp"
#include "io/free_space.hpp"
#include "io/json.hpp"
#include "io/number_format.hpp"
#include "models/absent_metrics.hpp"

namespace dfsweep {
namespace {

/// A run with less work than that takes as long as its files do, which is a fraction of a second.
constexpr double min_shown_seconds = 0.5;
/// From this share of the time on, filling of tables is shown separately.
constexpr double shown_share = 0.05;

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
  if (spec.points) return fmt::format("points     {} of {}\n", counted(rows.grid_size(), "line"), spec.points->path);
  std::string text;
  for (const Axis& axis : spec.axes)
    text += fmt::format("{}{} {}", text.empty() ? "" : " x ", axis_name(spec, axis), axis.size);
  return fmt::format("axes       {}{}{}\n", text, text.empty() ? "" : " = ", counted(rows.grid_size(), "point"));
}

std::string filter_lines(const RowSource& rows) {
  std::size_t width = 0;
  for (const FilterEffect& effect : rows.filter_effects())
    width = std::max(width, std::to_string(effect.removed).size());
  std::string text;
  for (const FilterEffect& effect : rows.filter_effects())
    text += fmt::format("{:<10} removes {:>{}} (alone it keeps {:.3g} %)  {}\n", text.empty() ? "filters" : "",
                        effect.removed, width, 100.0 * effect.kept_fraction, effect.expression);
  return text;
}

std::string rows_lines(const SweepSpec& spec, const RowSource& rows, const Plan& plan) {
  if (!spec.search) return fmt::format("rows       {}\n", plan.row_count());
  const MetricInfo& metric = spec.estimator->metrics()[spec.search->metric];
  std::string over;
  for (const std::size_t a : spec.search->axes)
    over += fmt::format("{}{}", over.empty() ? "" : ", ", axis_name(spec, spec.axes[a]));
  std::string conditions;
  for (const Filter& condition : spec.search->conditions)
    conditions += fmt::format("{:<10} {}\n", conditions.empty() ? "where" : "", condition.expression);
  return fmt::format(
      "search     {} {} over {}: {} to evaluate, at most {} for one reported point\n"
      "{}"
      "rows       {}: the best {} of {}{}\n",
      spec.search->direction == Better::lower ? "lowest" : "highest", metric.name, over, counted(rows.kept(), "point"),
      rows.largest_group(), conditions, plan.row_count(), spec.search->top, counted(rows.groups(), "reported point"),
      spec.search->ties == SearchTies::one ? ", one per tie" : "");
}

/// Metrics that are absent because an entry lacks a field.
std::string absent_lines(const SweepSpec& spec) {
  const Estimator& estimator = *spec.estimator;
  std::string text;
  for (const AbsentMetrics& lack : absent_metrics(estimator.parameters(), estimator.metrics(), spec.values))
    text += fmt::format("{:<10} {}\n", text.empty() ? "absent" : "",
                        text_of(lack, estimator.parameters(), estimator.metrics(), spec.values));
  return text;
}

/// The files of data that results depend on.
std::string data_lines(const SweepSpec& spec) {
  constexpr std::size_t most_named = 12;
  std::string text;
  for (const DataPlace& place : spec.data_places) {
    std::string names;
    std::size_t count = 0;
    for (const InputFile& input : spec.inputs)
      if (input.name.starts_with(place.name + "/") && ++count <= most_named)
        names += fmt::format("{}{}", names.empty() ? "" : ", ", input.name.substr(place.name.size() + 1));
    text += fmt::format("{:<10} {} {}: {}{}\n", text.empty() ? "data" : "", place.name, place.path.string(), names,
                        count > most_named ? fmt::format(" and {} more", count - most_named) : "");
  }
  return text;
}

std::string blocks_line(const Plan& plan) {
  if (plan.kind() == BlockKind::candidates)
    return fmt::format("blocks     {}: {} of {} for each reported point\n", plan.block_count(),
                       counted(plan.slices_per_group(), "slice"), counted(plan.points_per_block(), "point"));
  return fmt::format("blocks     {} of {}{}\n", plan.block_count(), counted(plan.block(0).row_count, "row"),
                     plan.kind() == BlockKind::small ? ", written by rank 0" : "");
}

/// Lines about the sample, as far as it is known.
std::string sample_lines(const Plan& plan, const CostSample& sample, SampleEnd end) {
  const SweepSpec& spec = plan.spec();
  const std::string unfinished =
      end == SampleEnd::finished ? "" : fmt::format(" within {} s", most_sampling_seconds.count());
  if (!sample.is_prepared) return fmt::format("estimate   none: the sweep could not be prepared{}\n", unfinished);
  const std::string preparation = with_unit(sample.preparation_seconds, "s", 2);
  if (sample.evaluated == 0)
    return fmt::format("estimate   none: no point could be evaluated{} (preparation {})\n", unfinished, preparation);
  const double seconds = sample.seconds(plan.rows().kept()) + writing_seconds(plan);
  const auto part = [&](const char* name, double of_them) {
    return of_them < shown_share * std::max(seconds, min_shown_seconds)
               ? ""
               : fmt::format(", {} {}", name, with_unit(of_them, "s", 2));
  };
  std::string text =
      fmt::format("estimate   {} on one core of this machine ({}, {} each; preparation {}{}{}){}\n",
                  seconds < min_shown_seconds ? "under a second" : duration(seconds),
                  counted(sample.tally.points, "sampled point"), with_unit(sample.cost.seconds_per_point, "s", 2),
                  preparation, part("tables", sample.cost.filling_seconds), part("writing", writing_seconds(plan)),
                  end == SampleEnd::finished ? "" : "; a larger sample did not end" + unfinished);
  const std::vector<StatusInfo> infos = statuses_of(spec);
  std::string statuses;
  for (std::size_t s = 0; s < sample.tally.statuses.size(); ++s)
    if (sample.tally.statuses[s] > 0)
      statuses += fmt::format("{}{} {}", statuses.empty() ? "" : "  ", infos.at(s).name, sample.tally.statuses[s]);
  return text +
         fmt::format("sample     {}; {} evaluated for this plan\n", statuses, counted(sample.evaluated, "point"));
}

/// Which figures are derived from the parts of a device, by the sampled points.
std::string derived_line(const CostSample& sample) {
  const DerivedFigures& derived = sample.derived;
  const auto part = [&](std::string_view metric, std::uint64_t points) {
    if (points == 0) return std::string();
    return points == derived.points ? fmt::format("{} of all sampled points", metric)
                                    : fmt::format("{} of {} of {} sampled points", metric, points, derived.points);
  };
  const std::string price = part("system_cost", derived.prices);
  const std::string power = part("system_power", derived.powers);
  if (price.empty() && power.empty()) return {};
  return fmt::format("derived    {}{}{}, from the parts of a device\n", price,
                     price.empty() || power.empty() ? "" : ", ", power);
}

std::string miss_lines(const SweepSpec& spec, const CostSample& sample, const Terminal& terminal) {
  const std::vector<StatusInfo> infos = statuses_of(spec);
  std::string text;
  for (const SampledMiss& miss : sample.misses)
    if (!miss.reason.empty())
      text += "           " + wrapped(printable(fmt::format("{}: {} {}: {}", infos.at(miss.status).name,
                                                            miss.is_nearest ? "nearest miss, point" : "first, point",
                                                            miss.point, miss.reason)),
                                      terminal, 13);
  return text;
}

std::string failure_lines(const CostSample& sample) {
  std::string text;
  for (const Failure& failure : sample.tally.failures.entries())
    text += fmt::format("failed     {} (first: point {})\n", failure.message, failure.first_point);
  return text;
}

/// What a run would take from former results; null: there are none.
std::unique_ptr<Growth> growth_of(const PlanOptions& options, const std::filesystem::path& directory,
                                  const Plan& plan) {
  if (!options.from.empty()) return growth_from(options.from, plan, options.reading.data);
  const std::optional<std::filesystem::path> former = former_result(directory, plan);
  return former ? growth_in_place(*former, plan, options.reading.data) : nullptr;
}

std::string growth_lines(const Growth* growth, const Plan& plan, const std::filesystem::path& directory) {
  if (growth == nullptr) return {};
  if (!growth->obstacle.empty())
    return fmt::format("taken      nothing from {}: {}\n", directory.string(), growth->obstacle);
  std::string text;
  for (const TakenRows& taken : growth->taken.results)
    text += fmt::format("{:<10} {}\n", text.empty() ? "taken" : "", taken_text(taken, plan));
  return text;
}

/// The number of rows from each former result.
Json growth_json(const Growth* growth) {
  JsonArray results;
  if (growth == nullptr) return results;
  for (const TakenRows& taken : growth->taken.results)
    results.emplace_back(JsonObject{{"file", taken.rows->file().string()}, {"rows", taken.count}});
  return results;
}

Json plan_json(const SweepSpec& spec, const RowSource& rows, const Plan& plan, const CostSample& sample,
               const Growth* growth, std::optional<std::uint64_t> free) {
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
  const std::vector<StatusInfo> infos = statuses_of(spec);
  JsonObject statuses;
  for (std::size_t s = 0; s < sample.tally.statuses.size(); ++s)
    if (sample.tally.statuses[s] > 0) statuses.emplace_back(infos.at(s).name, sample.tally.statuses[s]);
  JsonArray reasons;
  for (const SampledMiss& miss : sample.misses)
    reasons.emplace_back(JsonObject{{"status", infos.at(miss.status).name},
                                    {"points", miss.points},
                                    {"point", miss.point},
                                    {"is_nearest", miss.is_nearest},
                                    {"reason", miss.reason.empty() ? Json(nullptr) : Json(miss.reason)}});
  JsonArray conditions;
  if (spec.search)
    for (const Filter& condition : spec.search->conditions) conditions.emplace_back(condition.expression);
  JsonArray overridden;
  for (const std::string& field : spec.overridden) overridden.emplace_back(field);
  return JsonObject{{"sweep", spec.name},
                    {"estimator", spec.estimator->name()},
                    {"fingerprint", plan.fingerprint()},
                    {"axes", std::move(axes)},
                    {"grid_points", rows.grid_size()},
                    {"filters", std::move(filters)},
                    {"conditions", std::move(conditions)},
                    {"kept_points", rows.kept()},
                    {"population", rows.population()},
                    {"reported_points", rows.groups()},
                    {"largest_search", rows.largest_group()},
                    {"rows", plan.row_count()},
                    {"taken", growth_json(growth)},
                    {"blocks", plan.block_count()},
                    {"block_kind", kind_name(plan.kind())},
                    {"block_rows", plan.block(0).row_count},
                    {"points_per_block", plan.points_per_block()},
                    {"bytes", result_bytes(plan)},
                    {"compressing_bytes", room_needed(plan).compressed},
                    {"free_bytes", free ? Json(*free) : Json(nullptr)},
                    {"overridden", std::move(overridden)},
                    {"sample", JsonObject{{"points", sample.tally.points},
                                          {"evaluated", sample.evaluated},
                                          {"seconds", sample.seconds(rows.kept()) + writing_seconds(plan)},
                                          {"seconds_per_point", sample.cost.seconds_per_point},
                                          {"preparation_seconds", sample.preparation_seconds},
                                          {"filling_seconds", sample.cost.filling_seconds},
                                          {"writing_seconds", writing_seconds(plan)},
                                          {"derived_prices", sample.derived.prices},
                                          {"derived_powers", sample.derived.powers},
                                          {"statuses", std::move(statuses)},
                                          {"reasons", std::move(reasons)}}}};
}

std::string plan_text(const SweepSpec& spec, const RowSource& rows, const Plan& plan, const CostSample& sample,
                      SampleEnd end, const std::string& growth, std::optional<std::uint64_t> free,
                      const Terminal& terminal) {
  std::string text = fmt::format("sweep      {} ({}), estimator {}\n", spec.name, spec.source, spec.estimator->name());
  text += axes_line(spec, rows) + filter_lines(rows) + drawing_lines(spec, rows) + rows_lines(spec, rows, plan) +
          growth + blocks_line(plan);
  const std::string room = store::room_note(room_needed(plan), free);
  text += fmt::format("result     {}{}\n", with_unit(static_cast<double>(result_bytes(plan)), "byte", 3),
                      room.empty() ? "" : ": " + room);
  text += data_lines(spec) + absent_lines(spec);
  if (!spec.overridden.empty())
    text += fmt::format("overridden {} (metrics price_source and power_source say what is derived)\n",
                        fmt::join(spec.overridden, ", "));
  text += sample_lines(plan, sample, end) + miss_lines(spec, sample, terminal) + failure_lines(sample) +
          derived_line(sample);
  return text + fmt::format("plan       {}; nothing written\n", plan.fingerprint());
}

}  // namespace

ExitStatus run_plan(const PlanOptions& options) {
  std::optional<WaitingLine> line("preparing the sweep and sampling points");
  const SweepSpec spec = read_sweep(options.sweep, options.reading);
  const RowSource rows(spec);
  const Plan plan(spec, rows);
  const std::filesystem::path directory =
      options.directory.empty() ? std::filesystem::path("runs") / spec.name : options.directory;
  const std::unique_ptr<Growth> growth = growth_of(options, directory, plan);
  Sampling sampling(plan);
  const auto [sample, end] = sampling.within(most_sampling_seconds);
  line.reset();
  write_warnings(notes_text(spec) + sample.warnings);
  const bool none_is_ok = sample.tally.points > 0 && sample.tally.statuses[status_ok] == 0;
  if (none_is_ok) write_message("warning: none of the sampled points has an estimate");
  const std::optional<std::uint64_t> free = free_space(directory);
  if (free && *free < room_needed(plan).most())
    write_message("warning: the result " + store::room_note(room_needed(plan), free));
  write_results(options.form == OutputForm::json
                    ? to_text(plan_json(spec, rows, plan, sample, growth.get(), free))
                    : plan_text(spec, rows, plan, sample, end, growth_lines(growth.get(), plan, directory), free,
                                terminal_of(STDOUT_FILENO, options.colour)));
  if (end == SampleEnd::finished) return ExitStatus::complete;
  flush_results();
  std::_Exit(static_cast<int>(ExitStatus::complete));  // the thread of the sample may go on for minutes
}

}  // namespace dfsweep
