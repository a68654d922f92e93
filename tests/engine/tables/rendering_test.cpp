/// One table three ways, against what was written by hand.
#include "engine/tables/rendering.hpp"

#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <tuple>

BOOST_AUTO_TEST_SUITE(rendering_test)

using namespace dfsweep;

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
DataTable cars() {
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
  const DataTable empty = TableOf<Car>("cars", "none", {}).add({"name"}, &Car::name).take();
  BOOST_TEST(view_text(empty, view, Terminal{}).empty());
  BOOST_TEST(rows_json(empty).empty());
  BOOST_TEST(file_table(empty).columns.size() == 1U);
}

// A table that says itself how a text shows it: a bar of units below the headings, a column of the text alone, texts
// flush right where that is asked for.
BOOST_AUTO_TEST_CASE(columns_with_a_look_are_the_text_of_a_table) {
  TableOf<Car> table(
      {{"swift", 5, 400.0, 41.25, {1e4, 1.25e4}, true}, {"mule", 2, std::nullopt, NAN, {5e3, 7.5e3}, false}});
  table.add({"name"}, &Car::name, {.heading = "car", .weight = 2, .align = Align::right})
      .add({"doors"}, &Car::doors)
      .add({"range"}, &Car::range, {.heading = "range", .number = decimals(0), .empty = "none", .unit = "km"})
      .show({.heading = "sold", .weight = 1}, [](const Car& car) { return car.is_sold ? "sold" : ""; });
  const DataTable both = table.take();
  BOOST_TEST(render_table(text_columns(both), Terminal{}).text ==
             "  car  range  sold\n"
             "          km\n"
             "swift    400  sold\n"
             " mule   none\n");
  BOOST_TEST(text_columns(both, 1).front().cells.size() == 1U);
  BOOST_TEST(to_text(rows_json(both), JsonStyle::one_line) ==
             R"([{"name":"swift","doors":5,"range":400},{"name":"mule","doors":2}])");
}

BOOST_AUTO_TEST_SUITE_END()
