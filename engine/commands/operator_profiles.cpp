/// Measured operators as tables for people and as JSON.
#include "engine/commands/operator_profiles.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <set>

#include "engine/console/output.hpp"
#include "engine/parallel/threads.hpp"
#include "engine/profiles/operator_validation.hpp"
#include "engine/tables/rendering.hpp"
#include "io/number_format.hpp"

namespace dfsweep {

namespace {

using operators::ErrorPair;
using operators::Family;
using operators::GroupErrors;
using operators::LeftOutRows;
using operators::OperatorFolder;

/// What a folder has of one family.
struct FamilyCoverage {
  Family family = Family::products;
  std::size_t tables = 0;
  std::size_t rows = 0;
  std::set<std::string> systems;
  std::set<std::string> engines;
};

std::vector<FamilyCoverage> coverage_of_families(const OperatorFolder& folder) {
  std::map<Family, FamilyCoverage> families;
  for (const operators::OperatorTable& table : folder.tables) {
    FamilyCoverage& one = families[table.family];
    one.family = table.family;
    ++one.tables;
    one.rows += table.rows();
    one.systems.insert(table.system);
    one.engines.insert(table.engine);
  }
  std::vector<FamilyCoverage> list;
  for (const auto& [family, one] : families) list.push_back(one);
  return list;
}

ColumnLook percent_look(std::string heading, int weight) {
  return {.heading = std::move(heading), .weight = weight, .unit = "%", .align = Align::right};
}

std::string joined_names(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
  return text;
}

std::string_view family_name(Family family) {
  return operators::info_of(family).name;
}

DataTable families_table(const OperatorFolder& folder) {
  TableOf<FamilyCoverage> table(coverage_of_families(folder));
  table.add({"family"}, along(&FamilyCoverage::family, family_name), {"family", 6})
      .add({"tables"}, &FamilyCoverage::tables, {"tables", 4, decimals(0)})
      .add({"rows"}, &FamilyCoverage::rows, {"rows", 5, decimals(0)})
      .add({"systems"}, along(&FamilyCoverage::systems, joined_names), {"systems", 3})
      .add({"engines"}, along(&FamilyCoverage::engines, joined_names), {"engines", 2});
  return table.take();
}

std::string_view reason_text(operators::LeftOutReason reason) {
  return operators::meaning_of(reason);
}

DataTable left_out_table(const OperatorFolder& folder) {
  TableOf<LeftOutRows> table(folder.left_out);
  table.add({"table"}, &LeftOutRows::place, {"left out of", 6})
      .add({"rows"}, &LeftOutRows::rows, {"rows", 5, decimals(0)})
      .add({"reason"}, along(&LeftOutRows::reason, reason_text), {"reason", 4});
  return table.take();
}

std::string pair_text(const ErrorPair& pair) {
  return fmt::format("{:.1f} / {:.1f}", 100.0 * pair.median, 100.0 * pair.ninth_decile);
}

std::string group_name(const GroupErrors& one) {
  return fmt::format("{}{}{}", family_name(one.family), one.group.empty() ? "" : " ", one.group);
}

DataTable operator_errors_table(const std::vector<GroupErrors>& groups) {
  const auto pair = [](ErrorPair GroupErrors::*member, double ErrorPair::*which) {
    return [=](const GroupErrors& one) { return one.*member.*which; };
  };
  const auto if_systems = [](ErrorPair GroupErrors::*member, double ErrorPair::*which) {
    return [=](const GroupErrors& one) { return one.systems > 1 ? std::optional(one.*member.*which) : std::nullopt; };
  };
  const auto if_long = [](double ErrorPair::*which) {
    return
        [=](const GroupErrors& one) { return one.long_rows > 0 ? std::optional(one.form_long.*which) : std::nullopt; };
  };
  const auto text = [](ErrorPair GroupErrors::*member) {
    return [=](const GroupErrors& one) { return pair_text(one.*member); };
  };
  const auto of_systems = [](ErrorPair GroupErrors::*member) {
    return [=](const GroupErrors& one) { return one.systems > 1 ? pair_text(one.*member) : std::string("-"); };
  };
  TableOf<GroupErrors> table(groups);
  table.add({"group"}, group_name, {"operators", 7})
      .add({"tables"}, &GroupErrors::tables, {"tables", 3, decimals(0)})
      .add({"rows"}, &GroupErrors::rows, {"rows", 4, decimals(0)})
      .show(percent_look("form", 5), text(&GroupErrors::form))
      .show(percent_look("> 100 us", 2),
            [](const GroupErrors& one) { return one.long_rows > 0 ? pair_text(one.form_long) : std::string("-"); })
      .show(percent_look("nearest", 6), text(&GroupErrors::table))
      .show(percent_look("covered", 3),
            [](const GroupErrors& one) { return fmt::format("{:.1f}", 100.0 * one.covered); })
      .show(percent_look("no rows", 2), of_systems(&GroupErrors::none))
      .show(percent_look("20 rows", 1), of_systems(&GroupErrors::twenty))
      .add({"form_median"}, pair(&GroupErrors::form, &ErrorPair::median))
      .add({"form_ninth_decile"}, pair(&GroupErrors::form, &ErrorPair::ninth_decile))
      .add({"form_long_median"}, if_long(&ErrorPair::median))
      .add({"form_long_ninth_decile"}, if_long(&ErrorPair::ninth_decile))
      .add({"nearest_median"}, pair(&GroupErrors::table, &ErrorPair::median))
      .add({"nearest_ninth_decile"}, pair(&GroupErrors::table, &ErrorPair::ninth_decile))
      .add({"covered"}, &GroupErrors::covered)
      .add({"no_rows_median"}, if_systems(&GroupErrors::none, &ErrorPair::median))
      .add({"no_rows_ninth_decile"}, if_systems(&GroupErrors::none, &ErrorPair::ninth_decile))
      .add({"twenty_rows_median"}, if_systems(&GroupErrors::twenty, &ErrorPair::median))
      .add({"twenty_rows_ninth_decile"}, if_systems(&GroupErrors::twenty, &ErrorPair::ninth_decile));
  return table.take();
}

std::string section(std::string_view title, const DataTable& table, const Terminal& terminal) {
  return table.rows == 0 ? std::string()
                         : fmt::format("\n{}\n{}", title, table_with_note(text_columns(table), terminal, 2));
}

}  // namespace

ExitStatus run_operator_profiles(const ProfilesOptions& options) {
  const unsigned threads = options.threads == 0 ? allowed_cores() : options.threads;
  const OperatorFolder folder =
      operators::read_operator_folder(options.folder, catalogue_with(options.catalogues), threads);
  std::vector<GroupErrors> errors;
  if (options.depth == ProfilesDepth::validation) errors = operators::validate_operators(folder, threads);
  if (options.form == OutputForm::json) {
    JsonObject all{{"folder", options.folder.string()},
                   {"rows_read", folder.rows_read},
                   {"rows", folder.rows()},
                   {"families", rows_json(families_table(folder))},
                   {"left_out", rows_json(left_out_table(folder))}};
    if (!errors.empty()) all.emplace_back("cross_validation", rows_json(operator_errors_table(errors)));
    write_results(to_text(Json(std::move(all))));
    return ExitStatus::complete;
  }
  const Terminal terminal = terminal_of(1, options.colour);
  std::string text =
      fmt::format("{}: {} of measured operators with {}, of which {} are used\n", options.folder.string(),
                  counted(folder.tables.size(), "table"), counted(folder.rows_read, "row"), folder.rows());
  text += section("families", families_table(folder), terminal);
  text += section("left out", left_out_table(folder), terminal);
  text += section(
      "errors, median / ninth decile: the closed form and the ratios of the nearest keys with shapes left "
      "out (sizes of exchanges within a node), the form with no rows and with 20 rows of its system",
      operator_errors_table(errors), terminal);
  write_results(text);
  return ExitStatus::complete;
}

}  // namespace dfsweep
