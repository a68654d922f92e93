/// The answer in the data and the tables of a page: places of winner and runner-up, and how much room many tasks take.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "engine/report/report_json.hpp"
#include "engine/report/report_page.hpp"
#include "tests/support/small_result.hpp"

namespace dfsweep::report {

BOOST_AUTO_TEST_SUITE(answer_test)

namespace {

struct AnswerPage {
  ScratchFile scratch{"result.h5"};
  DatasetReader file;
  Report report;
  Json data;
  AnswerPage(const SmallResult& result, const ReportRequest& request)
      : file([&] {
          result.write(scratch.path());
          return scratch.path();
        }()),
        report(make_report(file, request)),
        data(parse_json(to_text(report_json(report, {}), JsonStyle::one_line))) {}
};

/// `models` times `each` rows: of model m, row r takes m + 1 + r / 1000 seconds.
SmallResult rows_of_models(std::size_t models, std::size_t each) {
  std::vector<std::string> names;
  std::vector<std::int16_t> codes;
  std::vector<std::int64_t> ways;
  std::vector<double> times;
  for (std::size_t m = 0; m < models; ++m) {
    names.push_back("model-" + std::to_string(m));
    for (std::size_t r = 0; r < each; ++r) {
      codes.push_back(static_cast<std::int16_t>(m));
      ways.push_back(static_cast<std::int64_t>(r));
      times.push_back(static_cast<double>(m + 1) + static_cast<double>(r) / 1000.0);
    }
  }
  SmallResult result(models * each);
  result.labels("model", names, codes)
      .wholes("ways", ways)
      .status(std::vector<std::uint8_t>(models * each, 0))
      .metric("step_time", "s", "lower", times);
  return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_data_name_the_winner_of_each_model) {
  SmallResult result(4);
  result.labels("model", {"small", "large"}, {0, 0, 1, 1})
      .labels("device", {"a100", "h100"}, {0, 1, 0, 1})
      .status({0, 0, 0, 0})
      .metric("step_time", "s", "lower", {3.0, 2.0, 40.0, 41.0})
      .metric("expected_error", "1", "lower", {0.1, 0.1, 0.1, 0.1});
  const AnswerPage page(result, {});
  BOOST_TEST(page.data.at("views").at("decides").text() == "step_time");
  BOOST_TEST(page.data.at("views").at("task").text() == "model");
  BOOST_TEST(page.data.at("views").at("compute").text() == "device");
  const JsonArray& answer = page.data.at("answer").array();
  BOOST_REQUIRE_EQUAL(answer.size(), 2U);
  BOOST_TEST(answer[0].at("kept").array()[0].whole() == 1U);  // h100 in 2 s, a100 in 3 s: not within 10 %
  BOOST_TEST(answer[0].at("kept").array()[1].whole() == 0U);
  BOOST_TEST(answer[0].at("behind").number() == 1.5);
  BOOST_TEST(answer[0].at("tied").whole() == 1U);
  BOOST_TEST(answer[1].at("kept").array()[0].whole() == 2U);  // 41 s is within 10 % of 40 s
  BOOST_TEST(answer[1].at("behind").number() == 41.0 / 40.0);
  BOOST_TEST(answer[1].at("tied").whole() == 2U);
  const html::Table table = report_tables(page.report).front();
  BOOST_TEST(table.caption == "Best step_time");
  const auto rank = std::find(table.headers.begin(), table.headers.end(), "rank") - table.headers.begin();
  const auto behind = static_cast<std::size_t>(rank + 1);
  BOOST_REQUIRE_EQUAL(table.rows.size(), 4U);
  BOOST_TEST(table.rows[0][static_cast<std::size_t>(rank)] == "winner");
  BOOST_TEST(table.rows[1][static_cast<std::size_t>(rank)] == "runner-up");
  BOOST_TEST(table.rows[1][behind] == "1.5 times");
  BOOST_TEST(table.rows[3][behind] == "a tie");
}

BOOST_AUTO_TEST_CASE(remarks_are_no_notices) {
  const AnswerPage page(rows_of_models(2, 20), {});
  const html::Page shown = report_page(page.report, {});
  BOOST_TEST(shown.notices.empty());
  BOOST_REQUIRE_EQUAL(shown.remarks.size(), 1U);  // ways has too many values for a filter
  BOOST_TEST(shown.remarks.front().starts_with("There are no filters for ways"));
}

BOOST_AUTO_TEST_CASE(many_models_stay_within_the_budget) {
  ReportRequest request;
  request.budget = 500000;
  const AnswerPage page(rows_of_models(256, 120), request);  // 30 720 rows
  const JsonArray& answer = page.data.at("answer").array();
  BOOST_REQUIRE_EQUAL(answer.size(), 256U);
  for (std::size_t m = 0; m < answer.size(); ++m) {
    BOOST_TEST(answer[m].at("kept").array().size() == ranked_rows(256));
    BOOST_TEST(answer[m].at("more").boolean());
    const auto winner = static_cast<std::size_t>(answer[m].at("kept").array()[0].whole());
    BOOST_TEST(page.report.kept.rows[winner] == 120 * m);
  }
  BOOST_TEST(to_text(page.data, JsonStyle::one_line).size() <= request.budget * 11 / 10);
  BOOST_TEST(report_tables(page.report).front().rows.size() == 60U);  // of the first 30 models
}

BOOST_AUTO_TEST_CASE(too_many_models_are_one_task) {
  const AnswerPage page(rows_of_models(257, 2), {});
  BOOST_TEST(!page.report.views.task.has_value());
  BOOST_TEST(page.data.at("answer").array().size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep::report
