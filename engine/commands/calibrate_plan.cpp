#include "engine/commands/calibrate_plan.hpp"

#include <fmt/format.h>

#include "engine/calibration/measurement_plan.hpp"
#include "engine/console/output.hpp"
#include "engine/console/usage_error.hpp"
#include "engine/operators/operator_folder.hpp"
#include "engine/tables/rendering.hpp"
#include "engine/tables/table.hpp"
#include "io/atomic_file.hpp"
#include "io/json.hpp"
#include "io/number_format.hpp"
#include "io/suggestion.hpp"

namespace dfsweep {

namespace {

using operators::PlannedTable;

operators::TableDevice device_of(const MeasurementPlanOptions& options, const Catalogue& catalogue) {
  const std::vector<std::string> known = catalogue.names("systems");
  if (options.system.empty())
    throw UsageError(
        "--plan: say for which machine: --system NAME, an entry of systems. 'dfsweep describe catalogue systems' lists "
        "them.");
  if (!catalogue.contains("systems", options.system))
    throw UsageError(fmt::format("--system: no system is called '{}'. {}", options.system,
                                 did_you_mean(options.system, known, "There are: " + listed(known) + ".")));
  const std::optional<operators::TableDevice> device = operators::device_of_tables(catalogue, options.system);
  if (!device || !(device->peak_16bit.value() > 0.0) || !(device->memory_bandwidth.value() > 0.0))
    throw UsageError(fmt::format("--system '{}' has no peak rate or no memory bandwidth.", options.system));
  return *device;
}

DataTable summary_of(const std::vector<PlannedTable>& plan) {
  const auto per_cent = [](double share) { return fmt::format("{:.1f} %", 100.0 * share); };
  TableOf<PlannedTable> table("families", "planned rows by family", plan);
  table
      .add({"family"}, [](const PlannedTable& t) { return std::string(info_of(t.layout->family).name); },
           {.heading = "kernels", .weight = 3})
      .add({"file"}, [](const PlannedTable& t) { return planned_file(t); }, {.heading = "file", .weight = 2})
      .add({"rows"}, [](const PlannedTable& t) { return t.rows.size(); }, {.heading = "rows", .weight = 2})
      .add({"error_before"}, [](const PlannedTable& t) { return t.expected_error.front(); },
           {.heading = "error before", .weight = 2, .number = per_cent})
      .add({"error_after"}, [](const PlannedTable& t) { return t.expected_error.back(); },
           {.heading = "error after", .weight = 2, .number = per_cent})
      .add({"time", "s"}, [](const PlannedTable& t) { return t.time.value(); },
           {.heading = "time, once each", .weight = 1, .number = [](double s) { return with_unit(s, "s"); }});
  return table.take();
}

JsonArray rows_of(const std::vector<PlannedTable>& plan) {
  JsonArray tables;
  for (const PlannedTable& table : plan) {
    const operators::FamilyInfo& info = operators::info_of(table.layout->family);
    JsonArray rows;
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      JsonObject row;
      for (std::size_t k = 0; k < info.keys.size(); ++k)
        row.emplace_back(std::string(info.keys[k].name), table.rows[r][k]);
      row.emplace_back("expected_error", table.expected_error[r + 1]);
      rows.emplace_back(std::move(row));
    }
    tables.emplace_back(JsonObject{{"family", std::string(info.name)},
                                   {"file", planned_file(table)},
                                   {"expected_error", table.expected_error.front()},
                                   {"rows", std::move(rows)}});
  }
  return tables;
}

}  // namespace

ExitStatus run_calibrate_plan(const MeasurementPlanOptions& options) {
  const operators::TableDevice device = device_of(options, catalogue_with(options.catalogues));
  const std::vector<PlannedTable> plan = operators::measurement_plan(device, options.rows);
  if (options.form == OutputForm::json) {
    write_results(to_text(JsonObject{{"system", options.system}, {"tables", rows_of(plan)}}));
    return ExitStatus::complete;
  }
  std::string text = table_with_note(text_columns(summary_of(plan)), terminal_of(1, options.colour), 0);
  text +=
      "Errors are medians over all sizes that steps have. Fill in `latency` in milliseconds, the median of a few "
      "hundred\nruns, and give the folder to 'dfsweep calibrate --operators DIR'.\n";
  for (const PlannedTable& table : plan) {
    const std::string csv = planned_csv(table, options.system);
    if (options.output.empty())
      text += fmt::format("\n# {}\n{}", planned_file(table), csv);
    else
      write_user_file(options.output / planned_file(table), csv);
  }
  write_results(text);
  return ExitStatus::complete;
}

}  // namespace dfsweep
