#include "engine/commands/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "engine/commands/compare_text.hpp"
#include "engine/console/output.hpp"
#include "engine/console/usage_error.hpp"
#include "engine/measurements/joined_rows.hpp"
#include "engine/results/open_result.hpp"
#include "io/atomic_file.hpp"
#include "io/suggestion.hpp"
#include "io/text_file.hpp"

namespace dfsweep {

namespace {

void keep_only(MeasuredRows& measured, const std::string& metric) {
  std::vector<std::string> names;
  for (const MeasuredMetric& one : measured.metrics) names.push_back(one.metric);
  std::erase_if(measured.metrics, [&](const MeasuredMetric& one) { return one.metric != metric; });
  if (measured.metrics.empty())
    throw UsageError(fmt::format("--metric '{}': no column of the rows is named like this metric. {}", metric,
                                 did_you_mean(metric, names, "Measured are: " + listed(names) + ".")));
}

}  // namespace

ExitStatus run_compare(const CompareOptions& options) {
  const DatasetReader file = open_result(options.path);
  const std::string shown = options.rows.string();
  MeasuredRows measured =
      join_measured(file, read_text_file(options.rows, shown, most_table_bytes), shown, options.group);
  if (!options.metric.empty()) keep_only(measured, options.metric);
  if (options.form == OutputForm::json)
    write_results(comparison_json(measured, options.worst));
  else
    write_results(comparison_text(measured, options.worst, terminal_of(1, options.colour)));
  if (!options.plot.empty()) write_user_file(options.plot, comparison_svg(measured.metrics.front()));
  return ExitStatus::complete;
}

}  // namespace dfsweep
