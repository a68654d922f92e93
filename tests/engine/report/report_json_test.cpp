/// What a page carries of random rows, against the definitions: counts, bests, fronts under any filter, sample.
#include "engine/report/report_json.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <map>
#include <numeric>

#include "engine/report/report_page.hpp"
#include "engine/results/summary.hpp"
#include "io/checksum.hpp"
#include "tests/support/random_rows.hpp"

namespace dfsweep::report {

BOOST_AUTO_TEST_SUITE(report_json_test)

namespace {

std::vector<std::byte> decoded(const std::string& text) {
  const auto value = [](char c) -> std::uint32_t {
    const std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    return static_cast<std::uint32_t>(letters.find(c));
  };
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i + 3 < text.size(); i += 4) {
    std::uint32_t group = value(text[i]) << 18U | value(text[i + 1]) << 12U;
    if (text[i + 2] != '=') group |= value(text[i + 2]) << 6U;
    if (text[i + 3] != '=') group |= value(text[i + 3]);
    bytes.push_back(static_cast<std::byte>(group >> 16U));
    if (text[i + 2] != '=') bytes.push_back(static_cast<std::byte>(group >> 8U & 0xFFU));
    if (text[i + 3] != '=') bytes.push_back(static_cast<std::byte>(group & 0xFFU));
  }
  return bytes;
}

template <class T>
std::vector<T> column(const Json& text) {
  const std::vector<std::byte> bytes = decoded(text.text());
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

const Json& named(const Json& list, std::string_view name, std::string_view key = "name") {
  for (const Json& item : list.array())
    if (item.at(key).text() == name) return item;
  throw std::runtime_error("no " + std::string(name));
}

/// As a program reads it.
Json data_of(const Report& report, const std::optional<BlockProgress>& progress) {
  return parse_json(to_text(report_json(report, progress), JsonStyle::one_line));
}

std::string page_of(const Report& report) {
  html::Page page = report_page(report, {});
  page.data = to_text(report_json(report, {}), JsonStyle::one_line);
  return html::html_page(page);
}

struct Page {
  ScratchFile scratch{"result.h5"};
  DatasetReader file;
  Json json;
  explicit Page(const SmallResult& result, ReportRequest request = {})
      : file([&] {
          result.write(scratch.path());
          return scratch.path();
        }()),
        json(data_of(make_report(file, request), {})) {}
};

/// The rows as the page has them: the axes device, topology and ways are all axes of the cube.
struct Expected {
  const RandomRows* rows;
  [[nodiscard]] bool is_ok(std::size_t row) const { return rows->status[row] == 0; }
  [[nodiscard]] double cost(std::size_t row, std::string_view metric) const {
    if (metric == "step_time") return rows->time[row];
    if (metric == "system_cost") return rows->cost[row];
    return -rows->utilization[row];
  }
  [[nodiscard]] std::string value(std::size_t row, std::string_view axis) const {
    if (axis == "device") return rows->devices[static_cast<std::size_t>(rows->device[row])];
    if (axis == "topology") return rows->topologies[static_cast<std::size_t>(rows->topology[row])];
    return std::to_string(rows->way[row]);
  }
};

std::string text_of_value(const Json& value) {
  return value.is_text() ? value.text() : std::to_string(static_cast<std::int64_t>(value.number()));
}

/// [row] its cell in the cube of the page.
std::vector<std::size_t> cells_of(const Json& page, const Expected& expected) {
  std::vector<std::size_t> cells(expected.rows->size());
  for (const Json& axis : page.at("cube").at("axes").array()) {
    const JsonArray& values = named(page.at("axes"), axis.text()).at("values").array();
    std::map<std::string, std::size_t> codes;
    for (std::size_t code = 0; code < values.size(); ++code) codes[text_of_value(values[code])] = code;
    for (std::size_t row = 0; row < cells.size(); ++row)
      cells[row] = cells[row] * values.size() + codes.at(expected.value(row, axis.text()));
  }
  return cells;
}

/// Points on the front of two metrics among some rows, by comparing all pairs.
std::vector<std::uint64_t> front_of(const Expected& expected, const std::vector<std::uint64_t>& rows,
                                    std::string_view x, std::string_view y) {
  std::vector<std::uint64_t> front;
  for (const std::uint64_t a : rows) {
    const double ax = expected.cost(a, x);
    const double ay = expected.cost(a, y);
    if (std::isnan(ax) || std::isnan(ay)) continue;
    const bool is_beaten = std::any_of(rows.begin(), rows.end(), [&](std::uint64_t b) {
      const double bx = expected.cost(b, x);
      const double by = expected.cost(b, y);
      if (bx == ax && by == ay) return b < a;
      return bx <= ax && by <= ay;
    });
    if (!is_beaten) front.push_back(a);
  }
  return front;
}

void expect_counts_and_bests(const Json& page, const RandomRows& rows) {
  const Expected expected{&rows};
  const std::vector<std::size_t> cells = cells_of(page, expected);
  const std::size_t cell_count = column<std::uint32_t>(page.at("cube").at("count").array()[0].at("u32")).size();
  for (const Json& count : page.at("cube").at("count").array()) {
    std::vector<std::uint32_t> all(cell_count);
    for (std::size_t row = 0; row < rows.size(); ++row)
      if (rows.status[row] == count.at("status").whole()) ++all[cells[row]];
    BOOST_TEST(column<std::uint32_t>(count.at("u32")) == all, boost::test_tools::per_element());
  }
  const std::vector<std::uint32_t> points = column<std::uint32_t>(page.at("kept").at("point").at("data"));
  for (const Json& best : page.at("cube").at("best").array()) {
    std::vector<std::int64_t> all(cell_count, -1);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const double cost = expected.cost(row, best.at("metric").text());
      std::int64_t& cell = all[cells[row]];
      if (expected.is_ok(row) && !std::isnan(cost) &&
          (cell < 0 || cost < expected.cost(static_cast<std::size_t>(cell), best.at("metric").text())))
        cell = static_cast<std::int64_t>(row);
    }
    std::vector<std::int64_t> found;
    for (const std::int32_t place : column<std::int32_t>(best.at("kept")))
      found.push_back(place < 0 ? -1 : points.at(static_cast<std::size_t>(place)));
    BOOST_TEST(found == all, boost::test_tools::per_element());
  }
}

/// The front of any filtered set is the front of the kept rows that pass the filter.
void expect_fronts_under_filters(const Json& page, const RandomRows& rows) {
  const Expected expected{&rows};
  std::vector<std::uint64_t> kept;
  const std::vector<std::uint32_t> points = column<std::uint32_t>(page.at("kept").at("point").at("data"));
  const std::vector<std::uint8_t> why = column<std::uint8_t>(page.at("kept").at("why"));
  for (std::size_t i = 0; i < points.size(); ++i)
    if ((why[i] & why_front) != 0) kept.push_back(points[i]);
  std::mt19937 random(3);
  for (int round = 0; round < 8; ++round) {
    const auto mask = round == 0 ? 0x3FFU : static_cast<std::uint32_t>(random());
    const auto passes = [&](std::uint64_t row) {
      const auto way = std::find(rows.ways.begin(), rows.ways.end(), rows.way[row]) - rows.ways.begin();
      return expected.is_ok(row) && (mask >> rows.device[row] & 1U) != 0 &&
             (mask >> (3 + rows.topology[row]) & 1U) != 0 && (mask >> (7 + way) & 1U) != 0;
    };
    std::vector<std::uint64_t> all;
    for (std::uint64_t row = 0; row < rows.size(); ++row)
      if (passes(row)) all.push_back(row);
    std::vector<std::uint64_t> shown;
    for (const std::uint64_t row : kept)
      if (passes(row)) shown.push_back(row);
    for (const Json& pair : page.at("views").at("pareto").array()) {
      const std::string& x = pair.array()[0].text();
      const std::string& y = pair.array()[1].text();
      BOOST_TEST(front_of(expected, shown, x, y) == front_of(expected, all, x, y), boost::test_tools::per_element());
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(counts_bests_and_fronts_are_those_of_all_rows) {
  for (const std::uint32_t seed : {1U, 2U, 3U, 4U}) {
    const RandomRows rows(700, seed, seed % 2 == 0 ? 6 : 100000);
    ReportRequest request;
    request.trade_offs = {{"utilization", "step_time"}};
    const Page page(rows.result(), request);
    BOOST_TEST(page.json.at("complete").boolean());
    BOOST_TEST(page.json.at("pareto_exact").boolean());
    expect_counts_and_bests(page.json, rows);
    expect_fronts_under_filters(page.json, rows);
  }
}

BOOST_AUTO_TEST_CASE(a_small_budget_keeps_what_it_keeps_exact) {
  const RandomRows rows(30000, 5, 1000000);
  ReportRequest request;
  request.budget = 300000;
  const Page page(rows.result(), request);
  BOOST_TEST(!page.json.at("complete").boolean());
  expect_counts_and_bests(page.json, rows);
  BOOST_TEST(page.json.at("pareto_exact").boolean());
  BOOST_TEST(to_text(page.json, JsonStyle::one_line).size() <= request.budget * 11 / 10);
}

BOOST_AUTO_TEST_CASE(the_sample_has_the_least_hashes) {
  const RandomRows rows(30000, 6, 50);
  ReportRequest request;
  request.budget = 500000;
  const Page page(rows.result(), request);
  const std::vector<std::uint32_t> found = column<std::uint32_t>(page.json.at("sample").at("point").at("data"));
  BOOST_TEST(found.size() == page.json.at("sample").at("n").whole());
  BOOST_TEST(found.size() > 1000U);
  std::vector<std::uint64_t> points;
  for (std::uint64_t row = 0; row < rows.size(); ++row)
    if (rows.status[row] == 0) points.push_back(row);
  std::vector<std::uint64_t> hashes(points.size());
  xxh3_64(points, hashes);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> order;
  for (std::size_t i = 0; i < points.size(); ++i) order.emplace_back(hashes[i], points[i]);
  std::sort(order.begin(), order.end());
  std::vector<std::uint64_t> expected;
  for (std::size_t i = 0; i < found.size(); ++i) expected.push_back(order[i].second);
  std::sort(expected.begin(), expected.end());
  BOOST_TEST(found == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(kept_rows_have_their_values) {
  const RandomRows rows(400, 8, 1000);
  const Page page(rows.result());
  const Json& kept = page.json.at("kept");
  const std::vector<std::uint32_t> points = column<std::uint32_t>(kept.at("point").at("data"));
  const std::vector<float> times = column<float>(named(kept.at("metrics"), "step_time").at("f32"));
  const std::vector<float> costs = column<float>(named(kept.at("metrics"), "system_cost").at("f32"));
  const std::vector<std::uint8_t> devices = column<std::uint8_t>(named(kept.at("axes"), "device").at("codes"));
  const JsonArray& names = named(page.json.at("axes"), "device").at("values").array();
  BOOST_TEST(points.size() == static_cast<std::size_t>(std::count(rows.status.begin(), rows.status.end(), 0)));
  for (std::size_t i = 0; i < points.size(); ++i) {
    BOOST_TEST(times[i] == static_cast<float>(rows.time[points[i]]));
    BOOST_TEST((std::isnan(costs[i]) ? std::isnan(rows.cost[points[i]])
                                     : costs[i] == static_cast<float>(rows.cost[points[i]])));
    const std::string& device = rows.devices[static_cast<std::size_t>(rows.device[points[i]])];
    BOOST_TEST(names[devices[i]].text() == device);
  }
}

BOOST_AUTO_TEST_CASE(counts_and_ranges_are_those_of_show) {
  const RandomRows rows(2000, 9, 300);
  const Page page(rows.result());
  const ResultSummary summary = summarize(page.file, {});
  BOOST_TEST(page.json.at("rows").whole() == summary.rows);
  for (const StatusCount& status : summary.statuses)
    BOOST_TEST(named(page.json.at("statuses"), status.name).at("count").whole() == status.rows);
  for (const MetricRange& range : summary.metrics) {
    const Json& metric = named(page.json.at("metrics"), range.column->name);
    BOOST_TEST(metric.at("least").number() == range.least);
    BOOST_TEST(metric.at("most").number() == range.most);
    std::uint64_t counted = 0;
    for (const Json& bin : named(page.json.at("histograms"), range.column->name).at("count").array())
      counted += bin.whole();
    BOOST_TEST(counted == range.with_value);
  }
}

BOOST_AUTO_TEST_CASE(any_threads_give_the_same_page) {
  const RandomRows rows(30000, 10, 100);
  ScratchFile scratch("result.h5");
  rows.result().write(scratch.path());
  const DatasetReader file(scratch.path());
  ReportRequest request;
  const std::string one = page_of(make_report(file, request));
  request.threads = 8;
  BOOST_TEST((page_of(make_report(file, request)) == one));
}

BOOST_AUTO_TEST_CASE(names_are_text_wherever_they_are) {
  const RandomRows rows(100, 11, 10);
  ScratchFile scratch("result.h5");
  rows.result().write(scratch.path());
  const DatasetReader file(scratch.path());
  const std::string page = page_of(make_report(file, {}));
  BOOST_TEST(page.find("</script><b>") == std::string::npos);
  BOOST_TEST(page.find("<i>gpt") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(results_without_rows_and_without_feasible_ones_have_a_page) {
  const RandomRows rows(50, 12, 10);
  ScratchFile scratch("result.h5");
  rows.result().write(scratch.path());
  const DatasetReader nothing(scratch.path(), rows.result().with_rows({}));
  const Json empty = data_of(make_report(nothing, {}), BlockProgress{0, 3});
  BOOST_TEST(empty.at("rows").whole() == 0U);
  BOOST_TEST(empty.at("blocks").at("all").whole() == 3U);

  RandomRows rejected = rows;
  std::fill(rejected.status.begin(), rejected.status.end(), std::uint8_t{2});
  const Page none(rejected.result());
  BOOST_TEST(none.json.at("kept").at("n").whole() == 0U);
  BOOST_TEST(named(none.json.at("statuses"), "out_of_memory").at("count").whole() == 50U);
  BOOST_TEST(none.json.at("views").at("heat").array().empty());

  const Page single(RandomRows(1, 14, 10).result());
  BOOST_TEST(single.json.at("rows").whole() == 1U);
}

BOOST_AUTO_TEST_CASE(an_unfinished_run_shows_its_complete_rows) {
  const RandomRows rows(60, 13, 10);
  ScratchFile scratch("result.h5");
  rows.result().write(scratch.path());
  const DatasetReader part(scratch.path(), rows.result().with_rows({{0, 10}, {30, 20}}));
  const Json page = data_of(make_report(part, {}), BlockProgress{2, 4});
  BOOST_TEST(page.at("rows").whole() == 30U);
  for (const std::uint32_t point : column<std::uint32_t>(page.at("kept").at("point").at("data")))
    BOOST_TEST((point < 10 || (point >= 30 && point < 50)));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep::report
