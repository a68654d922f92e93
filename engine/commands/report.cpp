#include "engine/commands/report.hpp"

#include <fmt/format.h>

#include <optional>
#include <span>

#include "engine/commands/explain_parts.hpp"
#include "engine/commands/report_live.hpp"
#include "engine/console/output.hpp"
#include "engine/console/usage_error.hpp"
#include "engine/parallel/threads.hpp"
#include "engine/report/comparison.hpp"
#include "engine/report/fit_page.hpp"
#include "engine/report/measured.hpp"
#include "engine/report/report_json.hpp"
#include "engine/report/report_page.hpp"
#include "engine/report/sensitivity_view.hpp"
#include "engine/results/best.hpp"
#include "engine/results/open_result.hpp"
#include "engine/results/result_rows.hpp"
#include "engine/results/stored_sweep.hpp"
#include "engine/sweep/point_codes.hpp"
#include "io/atomic_file.hpp"
#include "io/hdf5/table_file.hpp"
#include "io/html/page.hpp"
#include "io/number_format.hpp"
#include "io/terminal.hpp"
#include "io/text_file.hpp"

namespace dfsweep {

namespace {

report::ReportRequest request_of(const ReportOptions& options) {
  constexpr double megabyte = 1e6;
  report::ReportRequest request{.facet = options.facet,
                                .metrics = options.metrics,
                                .trade_offs = {},
                                .cells = options.cells,
                                .budget = static_cast<std::size_t>(options.budget * megabyte),
                                .threads = options.threads != 0 ? options.threads : allowed_cores()};
  if (options.pareto.size() % 2 != 0) throw UsageError("--pareto needs two metrics, or more pairs: --pareto M1,M2.");
  for (std::size_t i = 0; i < options.pareto.size(); i += 2)
    request.trade_offs.emplace_back(options.pareto[i], options.pareto[i + 1]);
  return request;
}

void write_page(const ReportOptions& options, const std::string& text) {
  if (options.output == "-") {
    write_results(text);
    return;
  }
  write_user_file(options.output, text);
  if (options.verbosity == Verbosity::normal)
    write_message(
        fmt::format("{}: {}", printable(options.output.string()), with_unit(static_cast<double>(text.size()), "byte")));
}

/// Adds what another result of the estimator says about the same cells.
void add_comparison(html::Page& page, JsonObject& data, const report::Report& found, const DatasetReader& other_file,
                    const ReportOptions& options, const report::ReportRequest& request) {
  const report::Report other = report::make_report(other_file, request, report::axes_to_compare(found));
  const report::Comparison comparison =
      report::compare(found, other, options.paths[0].string(), options.paths[1].string());
  data.emplace_back("comparison", report::comparison_json(comparison, found, other));
  page.tables.insert(page.tables.begin(), report::comparison_table(comparison, found));
}

void add_measured(html::Page& page, JsonObject& data, const DatasetReader& file, const ReportOptions& options) {
  const MeasuredRows measured = join_measured(file, read_row_text(options.measured));
  const std::string summary = report::measured_summary(measured);
  JsonArray comparisons;
  std::vector<html::Table> tables;
  for (const MeasuredMetric& metric : measured.metrics) {
    comparisons.push_back(report::measured_json(metric));
    tables.push_back(report::measured_table(metric));
  }
  data.emplace_back("measured", std::move(comparisons));
  page.tables.insert(page.tables.begin(), tables.begin(), tables.end());
  page.notices.push_back(summary);
  if (options.verbosity == Verbosity::normal) write_message(summary);
}

/// Parameters that vary in the result, with their values in a row.
std::string axes_text(const DatasetReader& file, std::uint64_t row) {
  std::string text;
  for (const DatasetColumn* axis : axis_columns(file))
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", axis->name,
                        text_cell(read_cells(file, *axis, std::span(&row, 1)), 0));
  return text;
}

/// Sensitivity at the row that is best by the first metric.
void add_sensitivity(html::Page& page, JsonObject& data, const DatasetReader& file, const ReportOptions& options) {
  const DatasetColumn& metric = column_named(file, options.sensitivity.front(), "--sensitivity");
  if (better_of(metric) == Better::neither)
    throw UsageError(fmt::format("--sensitivity: '{}' has no better direction, so no row is best.", metric.name));
  const BestRows best = find_best(file, {.metric = &metric, .direction = better_of(metric), .by = {}}, {});
  if (best.rows.empty()) throw UsageError(fmt::format("--sensitivity: no row has a {}.", metric.name));
  const RowCells points = read_cells(file, *file.column("point"), best.rows);
  const std::uint64_t point = points.wholes.front();
  const bool is_line = lists_points(file);
  const SweepSpec spec = is_line ? stored_sweep_of_line(file, point, {}) : stored_sweep(file, {});
  report::PointSensitivity shown{.point = point,
                                 .named = "the best " + metric.name + ": " + axes_text(file, best.rows.front()),
                                 .metrics = sensitivity_metrics(spec, options.sensitivity),
                                 .found = {}};
  shown.found = sensitivity_with_progress(spec, codes_of_point(spec, is_line ? 0 : point), shown.metrics);
  data.emplace_back("sensitivity", report::sensitivity_json(spec, shown));
  page.tables.push_back(report::sensitivity_table(spec, shown));
}

/// A fit is not a result and has its own page. Nothing if the file is not a fit.
std::optional<html::Page> page_of_fit(const ReportOptions& options) {
  const std::filesystem::path& path = options.paths.front();
  if (!may_be_table_file(path)) return std::nullopt;
  const TableFile file = read_table_file(path, report::fit_format);
  if (file.tables.empty()) return std::nullopt;
  if (options.paths.size() > 1 || !options.measured.empty())
    throw UsageError(
        fmt::format("'{}' is the fit of a law: it cannot be compared.", printable(options.paths.front().string())));
  return report::fit_page(file, path.filename().string());
}

constexpr double reload_seconds = 0.5;

/// The page of a result and of what is asked beside it. Pages of an unfinished run that is followed load themselves
/// again.
std::string page_of_result(const OpenedResult& result, const ReportOptions& options,
                           const report::ReportRequest& request) {
  const DatasetReader& file = result.file;
  const report::Report found = report::make_report(file, request);
  html::Page page = report::report_page(found, result.progress);
  JsonObject data = report::report_json(found, result.progress);
  if (options.paths.size() > 1) add_comparison(page, data, found, open_result(options.paths[1]), options, request);
  if (!options.measured.empty()) add_measured(page, data, file, options);
  if (!options.sensitivity.empty()) add_sensitivity(page, data, file, options);
  if (options.following == Following::of_run && result.progress) page.reload_seconds = reload_seconds;
  page.data = to_text(data, JsonStyle::one_line);
  return html::html_page(page);
}

ExitStatus follow_and_report(const ReportOptions& options, const report::ReportRequest& request) {
  const std::filesystem::path& directory = options.paths.front();
  if (!std::filesystem::is_directory(directory))
    throw UsageError(fmt::format("--live: '{}' is not a run directory. Give the folder that 'dfsweep run' writes to.",
                                 printable(directory.string())));
  if (options.output == "-")
    throw UsageError("--live: the page is rewritten while the run goes on, so --output must be a file.");
  return follow_run(
      directory,
      [&](const OpenedResult& result) {
        ReportOptions current = options;
        if (result.progress) current.verbosity = Verbosity::quiet;
        write_page(current, page_of_result(result, current, request));
      },
      options.verbosity);
}

}  // namespace

ExitStatus run_report(const ReportOptions& options) {
  const report::ReportRequest request = request_of(options);
  if (options.following == Following::of_run) return follow_and_report(options, request);
  if (const std::optional<html::Page> fit = page_of_fit(options)) {
    write_page(options, html::html_page(*fit));
    return ExitStatus::complete;
  }
  write_page(options, page_of_result(open_with_progress(options.paths.front()), options, request));
  return ExitStatus::complete;
}

}  // namespace dfsweep
