/// Charts: scales and ticks by hand, and what a picture says.
#include "engine/rendering/chart.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "engine/rendering/chart_parts.hpp"
#include "engine/rendering/svg_text.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(chart_test)

namespace {

namespace tt = boost::test_tools;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

struct TickRow {
  const char* why;
  ChartScale::Kind kind;
  double low, high;
  std::vector<double> ticks;
};

const TickRow tick_rows[] = {
    {"steps of 1, 2 or 5", ChartScale::Kind::linear, 0.0, 1.0, {0.0, 0.2, 0.4, 0.6, 0.8, 1.0}},
    {"a fifth of 9.1 is rounded up to 2", ChartScale::Kind::linear, 0.4, 9.5, {2.0, 4.0, 6.0, 8.0}},
    {"1, 2, 5 while they are few", ChartScale::Kind::log, 1.0, 100.0, {1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0}},
    {"then 1 and 3", ChartScale::Kind::log, 1.0, 1e3, {1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0}},
    {"then powers", ChartScale::Kind::log, 1.0, 1e5, {1.0, 10.0, 100.0, 1e3, 1e4, 1e5}},
    {"then every second power", ChartScale::Kind::log, 1.0, 1e9, {1.0, 100.0, 1e4, 1e6, 1e8}},
};

BOOST_AUTO_TEST_CASE(ticks_are_round_and_few) {
  for (const TickRow& row : tick_rows) {
    const std::vector<double> ticks = ChartScale(row.kind, row.low, row.high, 0.0, 1.0).ticks();
    BOOST_TEST_CONTEXT(row.why) {
      BOOST_REQUIRE(ticks.size() == row.ticks.size());
      for (std::size_t i = 0; i < ticks.size(); ++i) BOOST_TEST(ticks[i] == row.ticks[i], tt::tolerance(1e-12));
    }
  }
}

BOOST_AUTO_TEST_CASE(values_become_pixels) {
  BOOST_TEST(ChartScale(ChartScale::Kind::linear, 0.0, 10.0, 100.0, 300.0).pixel(2.5) == 150.0);
  BOOST_TEST(ChartScale(ChartScale::Kind::log, 1.0, 100.0, 300.0, 100.0).pixel(10.0) == 200.0, tt::tolerance(1e-12));
  BOOST_TEST((scale_kind(1.0, 100.0) == ChartScale::Kind::log));
  BOOST_TEST((scale_kind(1.0, 10.0) == ChartScale::Kind::linear));
  BOOST_TEST((scale_kind(0.0, 1e9) == ChartScale::Kind::linear), "zero has no logarithm");
}

BOOST_AUTO_TEST_CASE(ticks_share_one_prefix) {
  const TickTexts texts = tick_texts({0.0, 0.0005, 0.001}, "s");
  BOOST_TEST(texts.unit == "ms");
  BOOST_REQUIRE(texts.texts.size() == 3u);
  BOOST_TEST(tick_texts(ChartScale(ChartScale::Kind::linear, 0.0, 1.0, 0.0, 1.0).ticks(), "1").texts[0] == "0");
  BOOST_TEST(texts.texts[1] == "0.5");
  BOOST_TEST(texts.texts[2] == "1");
}

BOOST_AUTO_TEST_CASE(a_front_is_drawn_by_right_angles_before_the_other_rows) {
  LineChart chart{.title = "front <1>", .x = {"time", "s"}, .y = {"cost", "USD"}, .series = {}};
  chart.series.push_back({"other rows", ChartSeries::Mark::cloud, {{1.0, 3.0}, {std::nan(""), 1.0}, {3.0, 3.0}}});
  chart.series.push_back({"Pareto front", ChartSeries::Mark::steps_of_low, {{3.0, 1.0}, {1.0, 2.0}}});
  const std::string svg = line_chart_svg(chart);
  for (const char* part : {"front &lt;1&gt;", ">time [s]</text>", ">cost [USD]</text>", ">other rows</text>",
                           "<title>Pareto front: 1.000 s, 2.000 USD</title>"})
    BOOST_TEST(contains(svg, part), part);
  BOOST_TEST(svg.find("r=\"2\"") < svg.find("r=\"3.5\""), "other rows lie behind");
  BOOST_TEST(!contains(svg, "nan"));
  BOOST_TEST(line_chart_svg(chart) == svg);
}

BOOST_AUTO_TEST_CASE(bars_have_labels_values_and_a_legend) {
  const BarChart chart{.title = "bars",
                       .value = {"time", "s"},
                       .groups = {"h100", "a100"},
                       .bars = {{"h100, 1", 2.0, 0}, {"a100, 1", 4.0, 1}}};
  const std::string svg = bar_chart_svg(chart);
  for (const char* part : {"<title>a100, 1: 4.000 s</title>", ">time [s]</text>", ">h100</text>", ">4.000 s</text>"})
    BOOST_TEST(contains(svg, part), part);
}

BOOST_AUTO_TEST_CASE(cells_without_a_value_are_grey) {
  const HeatMap chart{.title = "map",
                      .value = {"time", "s"},
                      .x_name = "memory",
                      .y_name = "device",
                      .columns = {"ddr4", "hbm3"},
                      .rows = {"h100"},
                      .cells = {{1.0, std::nan("")}}};
  const std::string svg = heat_map_svg(chart);
  BOOST_TEST(contains(svg, "<title>hbm3, h100: no value</title>"));
  BOOST_TEST(contains(svg, "<title>ddr4, h100: 1.000 s</title>"));
  BOOST_TEST(!contains(svg, "nan"));
}

BOOST_AUTO_TEST_CASE(colours_of_a_map_go_from_dark_to_bright) {
  BOOST_TEST(heat_colour(0.0) == "#440154");
  BOOST_TEST(heat_colour(1.0) == "#fde725");
  BOOST_TEST(heat_colour(2.0) == heat_colour(1.0));
}

BOOST_AUTO_TEST_CASE(long_texts_are_cut_with_an_ellipsis) {
  BOOST_TEST(fitted_text("abcdef", 60.0, 10.0) == "abcdef");
  BOOST_TEST(fitted_text("abcdef", 40.0, 10.0) == "abc…");
  BOOST_TEST(fitted_text("a<b", 60.0, 10.0) == "a&lt;b");
  BOOST_TEST(pixels(12.3456) == "12.3");
  BOOST_TEST(pixels(12.0) == "12");
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
