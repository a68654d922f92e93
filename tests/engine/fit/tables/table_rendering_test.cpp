/// One table three ways: a small one against what was written by hand, those of a fit against each other.
#include "engine/fit/tables/table_rendering.hpp"

#include <boost/test/unit_test.hpp>
#include <map>
#include <sstream>

#include "engine/fit/report/make_report.hpp"
#include "engine/fit/tables/fit_tables.hpp"
#include "tests/support/steplaw_runs.hpp"

BOOST_AUTO_TEST_SUITE(table_rendering_test)

using namespace dfsweep;
using namespace dfsweep::fit;
using hyperparameters::Interval;

namespace {

struct Car {
  std::string name;
  std::uint64_t doors;
  std::optional<double> range;  ///< km
  double speed;                 ///< m/s, NaN: not measured
  Interval price;
  bool is_sold;
};

/// Three cars below two makers.
FitTable cars() {
  TableOf<Car> table("cars", "what is for sale",
                     {{"swift", 5, 400.0, 41.25, {1e4, 1.25e4}, true},
                      {"mule", 2, std::nullopt, NAN, {5e3, 7.5e3}, false},
                      {"hare", 3, 0.1, 60.0, {2e4, 2e4}, true}});
  table.below([](const Car& car) { return car.name == "hare" ? std::size_t{1} : std::size_t{0}; })
      .in_file({"maker"}, [](const Car& car) { return car.name == "hare" ? "B" : "A"; })
      .add({"name"}, &Car::name)
      .add({"doors"}, &Car::doors)
      .add({"range", "km", "electric/range", -1.0}, &Car::range)
      .add(in_json("electric/speed", "m/s"), &Car::speed)
      .add({"price"}, &Car::price)
      .add({"sold"}, &Car::is_sold)
      .view("name_and_doors", [](const Car& car) { return car.name + "/" + std::to_string(car.doors); });
  return table.take();
}

template <class Value>
const std::vector<Value>& values_of(const TableFileTable& table, std::string_view name) {
  for (const TableFileColumn& column : table.columns)
    if (column.name == name) return std::get<std::vector<Value>>(column.values);
  throw std::out_of_range(std::string(name));
}

/// Every table of a fit.
std::vector<FitTable> tables_of(const FitReport& report) {
  std::vector<FitTable> tables{groups_table(report),
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
  hyperparameters::ScalingLaw law;
  law.learning_rate = {2.3, {-0.68, 0.0, 0.21, 0.0}};
  law.batch_tokens = {4.3, {0.0, -0.25, 0.575, 0.0}};
  FitSettings settings;
  settings.replicates = 5;
  settings.predict = {
      {.parameters = 7e9, .activated_parameters = 7e9, .train_tokens = 1.4e12, .flops_per_token = 4.2e10, .loss = 0.0}};
  const testing::ExactGroups groups{law, {0.0115, -0.0045, 0.0115}, testing::nine_scales()};
  return report_of(LoadedRuns{testing::exact_runs(groups), {}, {}}, settings);
}

/// The member at a path; null where there is none.
const Json* at_path(const Json& object, std::string_view path) {
  const std::size_t slash = path.find('/');
  const Json* member = object.find(path.substr(0, slash));
  return member == nullptr || slash == std::string_view::npos ? member : at_path(*member, path.substr(slash + 1));
}

/// "-" where not finite, as in text; of an interval both ends.
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

std::string from_file(const TableFileColumn& column, const FitColumn& kind, std::size_t row) {
  if (const auto* texts = std::get_if<std::vector<std::string>>(&column.values)) return (*texts)[row];
  const auto& numbers = std::get<std::vector<double>>(column.values);
  if (column.width == 2) return in_full(numbers[2 * row]) + " .. " + in_full(numbers[2 * row + 1]);
  if (std::holds_alternative<bool>(kind.cells[row])) return numbers[row] == 1.0 ? "yes" : "no";
  return in_full(numbers[row]);
}

/// The cells of a column as text, below each other; longer ones are not broken.
std::vector<std::string> from_text(const FitTable& table, const std::string& name) {
  const ShownColumn view[] = {{name, "heading", 1, in_full, "none"}};
  std::istringstream lines(view_text(table, view, Terminal{}));
  std::vector<std::string> cells;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) cells.push_back(line.substr(std::min(line.find_first_not_of(' '), line.size())));
  return cells;
}

}  // namespace

// Numbers in full; NaN as null; an empty cell as no member; neither what only the file nor what only a view has.
BOOST_AUTO_TEST_CASE(json_has_results_with_full_precision) {
  BOOST_TEST(to_text(rows_json(cars()), JsonStyle::one_line) ==
             R"([{"name":"swift","doors":5,"electric":{"range":400,"speed":41.25},"price":[10000,12500],"sold":true},)"
             R"({"name":"mule","doors":2,"electric":{"speed":null},"price":[5000,7500],"sold":false},)"
             R"({"name":"hare","doors":3,"electric":{"range":0.1,"speed":60},"price":[20000,20000],"sold":true}])");
}

BOOST_AUTO_TEST_CASE(json_puts_rows_below_their_parents) {
  JsonArray makers = {JsonObject{{"maker", "A"}}, JsonObject{{"maker", "B"}}, JsonObject{{"maker", "C"}}};
  nest(makers, "cars", cars());
  BOOST_TEST(makers[0].at("cars").array().size() == 2U);
  BOOST_TEST(makers[1].at("cars").array().front().at("name").text() == "hare");
  BOOST_TEST(makers[2].at("cars").array().empty());
}

BOOST_AUTO_TEST_CASE(json_lists_have_a_place_for_every_row) {
  BOOST_TEST(to_text(lists_json(cars(), 1, 3), JsonStyle::one_line) ==
             R"({"name":["mule","hare"],"doors":[2,3],"electric":{"range":[null,0.1],"speed":[null,60]},)"
             R"("price":[[5000,7500],[20000,20000]],"sold":[false,true]})");
}

// Every column but those for views; -1 where a car has no range; an interval is a column of pairs.
BOOST_AUTO_TEST_CASE(files_have_columns_with_units) {
  const TableFileTable file = file_table(cars());
  BOOST_TEST(file.path == "cars");
  const std::tuple<const char*, const char*, std::size_t> expected[] = {
      {"maker", "1", 1}, {"name", "1", 1}, {"doors", "1", 1}, {"range", "km", 1}, {"electric_speed", "m/s", 1},
      {"price", "1", 2}, {"sold", "1", 1}};
  BOOST_TEST_REQUIRE(file.columns.size() == std::size(expected));
  for (std::size_t c = 0; c < std::size(expected); ++c) {
    BOOST_TEST(file.columns[c].name == std::get<0>(expected[c]));
    BOOST_TEST(file.columns[c].units == std::get<1>(expected[c]));
    BOOST_TEST(file.columns[c].width == std::get<2>(expected[c]));
  }
  BOOST_TEST(values_of<std::string>(file, "maker") == (std::vector<std::string>{"A", "A", "B"}),
             boost::test_tools::per_element());
  BOOST_TEST(values_of<double>(file, "doors") == (std::vector<double>{5, 2, 3}), boost::test_tools::per_element());
  BOOST_TEST(values_of<double>(file, "range") == (std::vector<double>{400, -1, 0.1}), boost::test_tools::per_element());
  BOOST_TEST(std::isnan(values_of<double>(file, "electric_speed")[1]));
  BOOST_TEST(values_of<double>(file, "price") == (std::vector<double>{1e4, 1.25e4, 5e3, 7.5e3, 2e4, 2e4}),
             boost::test_tools::per_element());
  BOOST_TEST(values_of<double>(file, "sold") == (std::vector<double>{1, 0, 1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(text_has_what_a_view_names) {
  const ShownColumn view[] = {{"name_and_doors", "car", 9},
                              {"electric_speed", "m/s", 5, decimals(1)},
                              {"range", "km", 5, significant(3), "none"},
                              {"price", "price", 5, significant(2)},
                              {"doors", "doors", 5}};
  BOOST_TEST(view_text(cars(), view, Terminal{}) ==
             "  car       m/s    km  price             doors\n"
             "  swift/5  41.2   400  1e+04 .. 1.2e+04      5\n"
             "  mule/2      -  none  5e+03 .. 7.5e+03      2\n"
             "  hare/3   60.0   0.1  2e+04 .. 2e+04        3\n");
  BOOST_TEST(view_text(cars(), std::span(view).first(1), Terminal{}, 1) == "  car\n  swift/5\n");
}

BOOST_AUTO_TEST_CASE(nothing_is_shown_of_no_rows) {
  const ShownColumn view[] = {{"name", "name", 1}};
  const FitTable empty = TableOf<Car>("cars", "none", {}).add({"name"}, &Car::name).take();
  BOOST_TEST(view_text(empty, view, Terminal{}).empty());
  BOOST_TEST(rows_json(empty).empty());
  BOOST_TEST(file_table(empty).columns.size() == 1U);
}

// Shown in full, each cell of each table of a fit is the same in JSON, in the file and in the text.
BOOST_AUTO_TEST_CASE(the_three_renderings_of_a_fit_have_the_same_cells) {
  for (const FitTable& table : tables_of(small_fit())) {
    BOOST_TEST_CONTEXT(table.path) {
      BOOST_TEST(table.rows > 0U);
      const JsonArray json = rows_json(table);
      const TableFileTable file = file_table(table);
      BOOST_TEST_REQUIRE(json.size() == table.rows);
      std::size_t compared = 0;
      std::size_t c = 0;
      for (const FitColumn& column : table.columns) {
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
