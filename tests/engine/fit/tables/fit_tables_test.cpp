/// The tables of a fit, in JSON, in the file and in text: the same cells.
#include "engine/fit/tables/fit_tables.hpp"

#include <boost/test/unit_test.hpp>
#include <map>
#include <sstream>

#include "engine/fit/report/make_report.hpp"
#include "tests/support/steplaw_runs.hpp"

BOOST_AUTO_TEST_SUITE(fit_tables_test)

using namespace dfsweep;
using namespace dfsweep::fit;

namespace {

/// Every table of a fit.
std::vector<DataTable> tables_of(const FitReport& report) {
  std::vector<DataTable> tables{groups_table(report),
                                surfaces_table(report),
                                plateaus_table(report),
                                fits_table(report, report.fitted.fits),
                                scores_table(report),
                                validation_table(report),
                                bootstrap_coefficients_table(report),
                                bootstrap_predictions_table(report)};
  const RecommendedLaw& law = report.predicted.recommended.value();
  tables.push_back(predictions_table(law, report.settings.sequence_length));
  tables.push_back(sensitivity_table(law.predictions));
  tables.push_back(next_groups_table(law.predictions));
  return tables;
}

/// A fit of nine groups without noise, with resamples and a prediction.
FitReport small_fit() {
  ScalingLaw law;
  law.learning_rate = {2.3, {-0.68, 0.0, 0.21, 0.0}};
  law.batch_tokens = {4.3, {0.0, -0.25, 0.575, 0.0}};
  FitSettings settings;
  settings.replicates = 5;
  settings.predict = {
      {.parameters = 7e9, .activated_parameters = 7e9, .train_tokens = 1.4e12, .flops_per_token = 4.2e10, .loss = 0.0}};
  const testing::ExactGroups groups{law, {0.0115, -0.0045, 0.0115}, testing::nine_scales()};
  return report_of(LoadedRuns{testing::exact_runs(groups), {}, {}}, settings);
}

/// The member at a path; null if the object has no such member.
const Json* at_path(const Json& object, std::string_view path) {
  const std::size_t slash = path.find('/');
  const Json* member = object.find(path.substr(0, slash));
  return member == nullptr || slash == std::string_view::npos ? member : at_path(*member, path.substr(slash + 1));
}

/// A number with all digits; "-" if it is not finite, as in text.
std::string in_full(double value) {
  return std::isfinite(value) ? to_text(Json(value), JsonStyle::one_line) : "-";
}

std::string from_json(const Json* json) {
  if (json == nullptr) return "none";
  if (json->is_text()) return json->text();
  if (json->is_array()) return from_json(&json->array()[0]) + " .. " + from_json(&json->array()[1]);
  if (const auto* truth = std::get_if<bool>(&json->value())) return *truth ? "yes" : "no";
  return std::holds_alternative<std::nullptr_t>(json->value()) ? "-" : in_full(json->number());
}

std::string from_file(const TableFileColumn& column, const DataColumn& kind, std::size_t row) {
  if (const auto* texts = std::get_if<std::vector<std::string>>(&column.values)) return (*texts)[row];
  const auto& numbers = std::get<std::vector<double>>(column.values);
  if (column.width == 2) return in_full(numbers[2 * row]) + " .. " + in_full(numbers[2 * row + 1]);
  if (std::holds_alternative<bool>(kind.cells[row])) return numbers[row] == 1.0 ? "yes" : "no";
  return in_full(numbers[row]);
}

/// The cells of a column in the printed table, from top to bottom; long cells are not broken into lines.
std::vector<std::string> from_text(const DataTable& table, const std::string& name) {
  const ShownColumn view[] = {{name, "heading", 1, in_full, "none"}};
  std::istringstream lines(view_text(table, view, Terminal{}));
  std::vector<std::string> cells;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) cells.push_back(line.substr(std::min(line.find_first_not_of(' '), line.size())));
  return cells;
}

}  // namespace

// Shown in full, each cell of each table of a fit is the same in JSON, in the file and in the text.
BOOST_AUTO_TEST_CASE(the_three_renderings_of_a_fit_have_the_same_cells) {
  for (const DataTable& table : tables_of(small_fit())) {
    BOOST_TEST_CONTEXT(table.path) {
      BOOST_TEST(table.rows > 0U);
      const JsonArray json = rows_json(table);
      const TableFileTable file = file_table(table);
      BOOST_TEST_REQUIRE(json.size() == table.rows);
      std::size_t compared = 0;
      std::size_t c = 0;
      for (const DataColumn& column : table.columns) {
        if (column.use == ColumnUse::view) continue;
        const TableFileColumn& filed = file.columns[c++];
        const std::vector<std::string> shown = from_text(table, column.called.name);
        BOOST_TEST_REQUIRE(shown.size() == table.rows);
        for (std::size_t row = 0; row < table.rows; ++row) {
          const bool is_empty = std::holds_alternative<std::monostate>(column.cells[row]);
          const std::string& path = column.called.json.empty() ? column.called.name : column.called.json;
          const std::string expected = is_empty ? "none" : from_file(filed, column, row);
          bool is_same = shown[row] == expected;
          if (column.use == ColumnUse::result) is_same = is_same && from_json(at_path(json[row], path)) == expected;
          if (!is_same) BOOST_ERROR(column.called.name << " of row " << row << ": " << shown[row]);
          ++compared;
        }
      }
      BOOST_TEST(c == file.columns.size());
      BOOST_TEST(compared >= table.rows * file.columns.size());
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
