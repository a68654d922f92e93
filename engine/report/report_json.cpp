#include "engine/report/report_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "engine/report/provenance.hpp"
#include "engine/report/reduction/axis_coder.hpp"
#include "engine/results/rejections.hpp"
#include "engine/results/result_rows.hpp"
#include "engine/results/summary.hpp"
#include "io/html/base64.hpp"
#include "io/number_format.hpp"
#include "models/absent.hpp"

namespace dfsweep::report {

namespace {

template <class T>
std::string column_of(std::span<const T> values) {
  static_assert(std::endian::native == std::endian::little);
  return html::base64(std::as_bytes(values));
}

template <class T, class From, class Convert>
std::string converted(std::span<const From> values, const Convert& convert) {
  std::vector<T> column;
  column.reserve(values.size());
  for (const From& value : values) column.push_back(convert(value));
  return column_of(std::span<const T>(column));
}

std::string_view scale_name(Scale::Kind kind) {
  return kind == Scale::Kind::log ? "log" : "linear";
}

Json axis_column(const SubjectAxis& axis, std::span<const std::uint32_t> codes) {
  JsonObject column{{"name", axis.column->name}};
  for (auto& member : codes_json(codes, axis.codes())) column.push_back(std::move(member));
  return column;
}

JsonArray axis_columns_json(const Subject& subject, const GatheredRows& rows) {
  JsonArray columns;
  for (std::size_t a = 0; a < subject.axes.size(); ++a) columns.push_back(axis_column(subject.axes[a], rows.axes[a]));
  return columns;
}

Json sweep_json(const DatasetReader& file) {
  const SweepTitle title = sweep_title(file);
  return JsonObject{
      {"name", title.name}, {"estimator", file.attribute("estimator")}, {"description", title.description}};
}

Json pairs_json(const std::vector<std::pair<std::string, std::string>>& pairs) {
  JsonArray list;
  for (const auto& [name, text] : pairs) list.emplace_back(JsonArray{Json(name), Json(text)});
  return list;
}

Json metrics_json(const Report& report) {
  JsonArray list;
  for (const std::size_t m : report.views.metrics) {
    const SubjectMetric& metric = report.subject.metrics[m];
    JsonObject one{{"name", metric.column->name},
                   {"unit", shown_unit(metric.column->units)},
                   {"long_name", metric.column->long_name},
                   {"better", better_word(metric.better)},
                   {"least", metric.least},
                   {"most", metric.most},
                   {"with_value", metric.with_value}};
    if (metric.is_parameter) one.emplace_back("parameter", true);
    if (!metric.names.empty()) one.emplace_back("labels", JsonArray(metric.names.begin(), metric.names.end()));
    list.push_back(std::move(one));
  }
  return list;
}

Json statuses_json(const Subject& subject) {
  JsonArray list;
  for (std::size_t code = 0; code < subject.statuses.size(); ++code)
    if (code == status_ok || (subject.status_rows[code] != 0 && code != subject.missing))
      list.emplace_back(JsonObject{{"code", code},
                                   {"name", subject.statuses[code]},
                                   {"meaning", status_meaning(*subject.file, subject.statuses[code])},
                                   {"count", subject.status_rows[code]}});
  return list;
}

/// Names of the first axes of the cube.
Json first_axes_json(const Report& report, std::size_t count) {
  JsonArray names;
  for (std::size_t a = 0; a < count; ++a)
    names.emplace_back(report.subject.axes[report.reduction.axes[a]].column->name);
  return names;
}

Json cube_json(const Report& report) {
  const Cube& cube = report.reduction.cube;
  JsonArray counts;
  for (std::size_t code = 0; code < report.subject.statuses.size(); ++code)
    if (code != report.subject.missing && (code == status_ok || report.subject.status_rows[code] != 0))
      counts.emplace_back(JsonObject{{"status", code}, {"u32", uint32_column(cube.counts(code))}});
  JsonArray best;
  for (std::size_t o = 0; o < report.views.objectives.size(); ++o) {
    const auto place = [&](const BestRow& row) {
      return row.row == no_row ? -1 : static_cast<std::int32_t>(place_of(report.kept, row.row));
    };
    best.emplace_back(JsonObject{{"metric", report.subject.metrics[report.views.objectives[o]].column->name},
                                 {"kept", converted<std::int32_t>(cube.best(o), place)}});
  }
  return JsonObject{{"axes", first_axes_json(report, report.reduction.axes.size())},
                    {"count", std::move(counts)},
                    {"best", std::move(best)}};
}

Json kept_json(const Report& report) {
  JsonArray metrics;
  for (std::size_t m = 0; m < report.views.metrics.size(); ++m)
    metrics.emplace_back(JsonObject{{"name", report.subject.metrics[report.views.metrics[m]].column->name},
                                    {"f32", float32_column(report.kept_rows.metrics[m])}});
  return JsonObject{{"n", report.kept.rows.size()},
                    {"point", points_json(report.kept_rows.points)},
                    {"why", uint8_column(report.kept.why)},
                    {"axes", axis_columns_json(report.subject, report.kept_rows)},
                    {"metrics", std::move(metrics)}};
}

Json sample_json(const Report& report) {
  JsonArray metrics;
  for (std::size_t m = 0; m < report.views.metrics.size(); ++m) {
    const Scale& scale = report.reduction.histograms[m].scale();
    const auto code = [&](double value) { return scale.code(value); };
    metrics.emplace_back(
        JsonObject{{"name", report.subject.metrics[report.views.metrics[m]].column->name},
                   {"scale", scale_name(scale.kind)},
                   {"lo", scale.low},
                   {"hi", scale.high},
                   {"u16", converted<std::uint16_t>(std::span<const double>(report.sampled_rows.metrics[m]), code)}});
  }
  return JsonObject{{"n", report.kept.sampled.size()},
                    {"of", report.subject.ok_rows()},
                    {"method", "the rows with the least XXH3-64 of their point"},
                    {"point", points_json(report.sampled_rows.points)},
                    {"axes", axis_columns_json(report.subject, report.sampled_rows)},
                    {"metrics", std::move(metrics)}};
}

Json histograms_json(const Report& report) {
  JsonArray list;
  for (std::size_t m = 0; m < report.views.metrics.size(); ++m)
    list.push_back(
        histogram_json(report.subject.metrics[report.views.metrics[m]].column->name, report.reduction.histograms[m]));
  return list;
}

/// Points that a search tried, by status; nothing while rows are missing.
JsonArray rejections_list(const Subject& subject) {
  JsonArray list;
  if (subject.file->complete_count() != subject.file->row_count()) return list;
  const std::optional<std::vector<std::uint64_t>> searched = searched_points(*subject.file);
  if (!searched) return list;
  for (std::size_t code = 0; code < searched->size() && code < subject.statuses.size(); ++code)
    if ((*searched)[code] != 0)
      list.emplace_back(JsonObject{{"reason", subject.statuses[code]},
                                   {"count", (*searched)[code]},
                                   {"meaning", status_meaning(*subject.file, subject.statuses[code])}});
  return list;
}

}  // namespace

std::string float32_column(std::span<const double> values) {
  return converted<float>(values, [](double value) { return static_cast<float>(value); });
}

std::string uint32_column(std::span<const std::uint32_t> values) {
  return column_of(values);
}
std::string int32_column(std::span<const std::int32_t> values) {
  return column_of(values);
}
std::string uint8_column(std::span<const std::uint8_t> values) {
  return column_of(values);
}

JsonObject codes_json(std::span<const std::uint32_t> codes, std::size_t count) {
  constexpr std::size_t most_of_a_byte = 255;
  const auto narrow = [](std::uint32_t code) {
    return static_cast<std::uint8_t>(code == AxisCoder::no_code ? most_of_a_byte : code);
  };
  const auto wide = [](std::uint32_t code) { return static_cast<std::uint16_t>(code); };
  if (count <= most_of_a_byte) return {{"bytes", 1}, {"codes", converted<std::uint8_t>(codes, narrow)}};
  return {{"bytes", 2}, {"codes", converted<std::uint16_t>(codes, wide)}};
}

Json points_json(std::span<const std::uint64_t> points) {
  const std::uint64_t most = points.empty() ? 0 : *std::max_element(points.begin(), points.end());
  if (most <= std::numeric_limits<std::uint32_t>::max())
    return JsonObject{{"bytes", 4}, {"data", converted<std::uint32_t>(points, [](std::uint64_t point) {
                                       return static_cast<std::uint32_t>(point);
                                     })}};
  if (most <= static_cast<std::uint64_t>(largest_exact_whole))
    return JsonObject{
        {"bytes", 8},
        {"data", converted<double>(points, [](std::uint64_t point) { return static_cast<double>(point); })}};
  JsonArray texts;
  for (const std::uint64_t point : points) texts.push_back(std::to_string(point));
  return JsonObject{{"bytes", 0}, {"text", std::move(texts)}};
}

Json histogram_json(const std::string& name, const Histogram& histogram) {
  JsonArray counts;
  for (const std::uint64_t count : histogram.counts()) counts.emplace_back(count);
  return JsonObject{{"name", name},
                    {"scale", scale_name(histogram.scale().kind)},
                    {"lo", histogram.scale().low},
                    {"hi", histogram.scale().high},
                    {"count", std::move(counts)}};
}

bool are_fronts_exact(const Report& report) {
  return report.kept.are_fronts_whole && report.kept.front_axes == report.reduction.axes.size();
}

std::string better_word(Better better) {
  return better == Better::lower ? "min" : better == Better::higher ? "max" : "none";
}

Json axis_json(const SubjectAxis& axis, bool in_cube) {
  JsonArray values;
  for (const double value : axis.values) {
    const auto code = static_cast<std::size_t>(std::max(value, 0.0));
    const bool is_named = code < axis.names.size() && !axis.names[code].empty();
    values.push_back(axis.names.empty() ? Json(value)
                     : is_named         ? Json(axis.names[code])
                                        : Json(fmt::format("code {}", code)));
  }
  if (axis.has_rest) values.emplace_back(rest_name);
  return JsonObject{{"name", axis.column->name},
                    {"kind", axis.names.empty() ? "number" : "label"},
                    {"unit", axis.names.empty() ? shown_unit(axis.column->units) : std::string()},
                    {"long_name", axis.column->long_name},
                    {"in_cube", in_cube},
                    {"searched", axis.is_searched},
                    {"values", std::move(values)}};
}

namespace {

/// By metric the fixed value of the parameter "<metric>_limit".
Json limits_json(const Subject& subject) {
  JsonObject limits;
  for (const SubjectMetric& metric : subject.metrics)
    for (const FixedValue& fixed : subject.file->fixed())
      if (const auto* number = std::get_if<double>(&fixed.value);
          number && fixed.name == metric.column->name + "_limit")
        limits.emplace_back(metric.column->name, *number);
  return limits;
}

}  // namespace

JsonObject report_json(const Report& report, const std::optional<BlockProgress>& progress) {
  const Subject& subject = report.subject;
  const DatasetReader& file = *subject.file;
  JsonArray axes;
  for (std::size_t a = 0; a < subject.axes.size(); ++a) {
    const auto& cube = report.reduction.axes;
    axes.push_back(axis_json(subject.axes[a], std::find(cube.begin(), cube.end(), a) != cube.end()));
  }
  JsonObject json{{"format", "dfsweep-report"},
                  {"version", report_format_version},
                  {"sweep", sweep_json(file)},
                  {"provenance", pairs_json(provenance_of(file))},
                  {"fixed", pairs_json(fixed_of(file))},
                  {"limits", limits_json(subject)},
                  {"rows", subject.rows()},
                  {"complete", report.kept.is_complete},
                  {"pareto_exact", are_fronts_exact(report)},
                  {"pareto_axes", first_axes_json(report, report.kept.front_axes)},
                  {"axes", std::move(axes)},
                  {"metrics", metrics_json(report)},
                  {"statuses", statuses_json(subject)},
                  {"views", views_json(report)},
                  {"answer", answer_json(report)},
                  {"cube", cube_json(report)},
                  {"kept", kept_json(report)},
                  {"sample", sample_json(report)},
                  {"histograms", histograms_json(report)}};
  if (JsonArray rejections = rejections_list(subject); !rejections.empty())
    json.emplace_back("rejections", std::move(rejections));
  if (progress) json.emplace_back("blocks", JsonObject{{"done", progress->done}, {"all", progress->all}});
  return json;
}

}  // namespace dfsweep::report
