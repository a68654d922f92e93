#include "engine/commands/join.hpp"

#include <fmt/format.h>

#include <limits>
#include <map>
#include <vector>

#include "engine/console/output.hpp"
#include "engine/console/usage_error.hpp"
#include "engine/dataset/widened_result.hpp"
#include "engine/measurements/joined_rows.hpp"
#include "engine/measurements/row_text.hpp"
#include "engine/results/open_result.hpp"
#include "io/json.hpp"
#include "io/number_format.hpp"
#include "io/seal.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

namespace {

/// Measurements of one row of the result.
struct MeasuredMean {
  double sum = 0.0;
  double runs = 0.0;
  double predicted = 0.0;
};

std::vector<Attribute> attributes_of(const std::string& units, const std::string& meaning) {
  return {{"units", units},
          {"long_name", meaning},
          {"better", std::string("neither")},
          {"_FillValue", std::numeric_limits<double>::quiet_NaN()}};
}

/// The three columns of a metric.
void add_columns(const MeasuredMetric& metric, std::vector<AddedColumn>& added) {
  std::map<std::uint64_t, MeasuredMean> means;
  for (const JoinedRow& row : metric.rows) {
    if (!row.problem.empty()) continue;
    MeasuredMean& mean = means[row.result_row];
    mean.sum += row.measured;
    mean.runs += 1.0;
    mean.predicted = row.predicted;
  }
  AddedColumn measured{
      "measured_" + metric.metric, attributes_of(metric.units, "mean of the measurements of " + metric.metric), {}, {}};
  AddedColumn runs{measured.name + "_runs", attributes_of("1", "measurements of " + metric.metric), {}, {}};
  AddedColumn error{
      metric.metric + "_error", attributes_of("1", metric.metric + " over " + measured.name + ", minus 1"), {}, {}};
  for (const auto& [row, mean] : means) {
    const double value = mean.sum / mean.runs;
    for (AddedColumn* column : {&measured, &runs, &error}) column->rows.push_back(row);
    measured.values.push_back(value);
    runs.values.push_back(mean.runs);
    error.values.push_back(mean.predicted / value - 1.0);
  }
  added.push_back(std::move(measured));
  added.push_back(std::move(runs));
  added.push_back(std::move(error));
}

/// Throws UsageError where the result cannot be copied with more columns.
void check_result(const DatasetReader& file, const std::filesystem::path& output) {
  const std::string name = printable(file.file().string());
  if (file.verifiable() != Verifiable::whole ||
      integer_of(file.attributes(), "format_version").value_or(0) < contiguous_format)
    throw UsageError(
        fmt::format("{}: columns are added only to a published result of this version of the format.", name));
  if (file.complete_count() != file.row_count())
    throw UsageError(fmt::format("{}: the run is not finished. Columns are added to a published result.", name));
  if (!file.group_columns().empty())
    throw UsageError(fmt::format(
        "{}: a search keeps the best rows only, so columns are not added to it. 'dfsweep compare' shows the errors.",
        name));
  if (std::filesystem::exists(output) && std::filesystem::equivalent(output, file.file()))
    throw UsageError(fmt::format("-o '{}': is the result itself, which stays as it is. Name another file.",
                                 printable(output.string())));
}

void check_names(const DatasetReader& file, const std::vector<AddedColumn>& added) {
  for (const AddedColumn& column : added)
    if (file.column(column.name) != nullptr)
      throw UsageError(fmt::format("{}: has a column {} already. Join with the result that does not have it.",
                                   printable(file.file().string()), column.name));
}

std::string joined_text(const MeasuredRows& rows, const std::vector<AddedColumn>& added,
                        const std::filesystem::path& output) {
  std::string text;
  for (std::size_t m = 0; m < rows.metrics.size(); ++m) {
    const MeasuredMetric& metric = rows.metrics[m];
    text += fmt::format("{}: {} of {} in {} of the result\n", metric.metric, metric.joined(),
                        counted(metric.rows.size(), "measurement"), counted(added[3 * m].rows.size(), "row"));
    std::map<std::string, std::size_t> problems;
    for (const JoinedRow& row : metric.rows)
      if (!row.problem.empty()) ++problems[row.problem];
    for (const auto& [problem, count] : problems) text += fmt::format("  {}: {}\n", count, problem);
  }
  text += printable(output.string()) + ": new columns";
  for (std::size_t c = 0; c < added.size(); ++c) text += (c == 0 ? " " : ", ") + added[c].name;
  return text + "\n";
}

Json joined_json(const MeasuredRows& rows, const std::vector<AddedColumn>& added, const std::filesystem::path& output) {
  JsonArray metrics;
  for (std::size_t m = 0; m < rows.metrics.size(); ++m)
    metrics.push_back(JsonObject{{"metric", rows.metrics[m].metric},
                                 {"measured", rows.metrics[m].rows.size()},
                                 {"joined", rows.metrics[m].joined()},
                                 {"rows", added[3 * m].rows.size()}});
  JsonArray names;
  for (const AddedColumn& column : added) names.push_back(column.name);
  return JsonObject{{"file", output.string()}, {"columns", names}, {"metrics", metrics}};
}

}  // namespace

ExitStatus run_join(const JoinOptions& options) {
  const DatasetReader file = open_result(options.path);
  check_result(file, options.output);
  RowText text = read_row_text(options.rows);
  rename_columns(text, column_pairs(options.columns));
  const MeasuredRows rows = join_measured(file, text);
  if (!rows.missing.empty()) write_message(missing_message(text.shown, rows.missing));
  std::vector<AddedColumn> added;
  for (const MeasuredMetric& metric : rows.metrics) add_columns(metric, added);
  check_names(file, added);
  write_widened(file.file(), options.output, added,
                {"provenance/joined", fmt::format("{} {}\n", text.checksum, text.shown)});
  write_results(options.form == OutputForm::json ? to_text(joined_json(rows, added, options.output))
                                                 : joined_text(rows, added, options.output));
  return ExitStatus::complete;
}

}  // namespace dfsweep
