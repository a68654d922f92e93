/// Columns of a fit's tables.
#include "engine/fit/output/tables.hpp"

#include <fmt/format.h>

#include "engine/fit/tables/fit_tables.hpp"
#include "io/hdf5/table_file.hpp"
#include "io/number_format.hpp"

namespace dfsweep::fit {

using namespace law_fits;

namespace {

TableFileTable bootstrap_table(const FitReport& report, const BootstrapResult& each) {
  TableFileTable table;
  table.path = fmt::format("bootstraps/{}-{}-{}-{}", report.fitted.subsets[each.subset].name, each.form->name,
                           method_name(each.method), name_of(each.unit));
  std::string names;
  for (const auto& [target, parameter] : coefficient_names(*each.form))
    names += fmt::format("{}{}:{}", names.empty() ? "" : " ", target, parameter);
  TableFileColumn column{"coefficients", each.coefficients};
  column.width = each.width;
  column.meaning = "replicate x coefficient: " + names;
  table.columns.push_back(std::move(column));
  table.attributes = {{"coefficients", names}, {"seed", std::to_string(report.settings.seed)}};
  return table;
}

}  // namespace

std::vector<std::byte> fit_file(const FitReport& report) {
  std::vector<DataTable> found{groups_table(report), surfaces_table(report), plateaus_table(report),
                               fits_table(report, report.fitted.fits)};
  if (!report.fitted.frontier.empty()) found.push_back(frontier_table(report));
  if (!report.fitted.batch_times.empty()) found.push_back(batch_times_table(report));
  if (report.predicted.seeds) found.push_back(seed_noise_table(report));
  if (report.predicted.seeds && report.predicted.seeds->comparison) found.push_back(seed_comparison_table(report));
  if (report.judged.scoring) {
    found.push_back(scores_table(report));
    found.push_back(validation_table(report));
  }
  if (!report.predicted.bootstraps.empty()) {
    found.push_back(bootstrap_coefficients_table(report));
    found.push_back(bootstrap_predictions_table(report));
  }
  if (const auto& law = report.predicted.recommended) {
    found.push_back(predictions_table(*law, report.settings.sequence_length));
    found.push_back(sensitivity_table(law->predictions));
    found.push_back(next_groups_table(law->predictions));
  }
  std::vector<TableFileTable> tables;
  for (const DataTable& table : found) tables.push_back(file_table(table));
  for (const BootstrapResult& each : report.predicted.bootstraps) tables.push_back(bootstrap_table(report, each));
  const std::pair<std::string, std::string> attributes[] = {{"format", "dfsweep steplaw fit"},
                                                            {"threshold", shortest(report.settings.threshold)}};
  return table_file(tables, attributes);
}

}  // namespace dfsweep::fit
