/// The page of a small fit: laws and groups as axes, the regret as what is minimised.
#include "engine/report/fit_page.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "io/json.hpp"

namespace dfsweep::report {

BOOST_AUTO_TEST_SUITE(fit_page_test)

BOOST_AUTO_TEST_CASE(scores_become_cells_and_groups_a_plain_table) {
  const TableFile file{.tables = {{"groups",
                                   {{"group", std::vector<std::string>{"g<1>", "g2"}},
                                    {"runs", std::vector<double>{10, 20}},
                                    {"empty", std::vector<double>{std::nan(""), std::nan("")}}}},
                                  {"scores",
                                   {{"group", std::vector<std::string>{"g<1>", "g2", "g<1>", "g2"}},
                                    {"law", std::vector<std::string>{"a", "a", "b", "b"}},
                                    {"learning_rate", std::vector<double>{1e-3, 2e-3, 3e-3, 4e-3}},
                                    {"regret_quad1", std::vector<double>{0.02, 0.01, 0.03, std::nan("")}}}}},
                       .attributes = {{"format", std::string(fit_format)}}};
  const html::Page page = fit_page(file, "fit.h5");
  BOOST_REQUIRE_EQUAL(page.tables.size(), 1U);
  BOOST_TEST(page.tables[0].headers == (std::vector<std::string>{"group", "runs"}), boost::test_tools::per_element());
  BOOST_TEST(page.tables[0].rows[1][1] == "20");
  const Json data = parse_json(page.data);
  BOOST_TEST(data.at("rows").whole() == 2U);  // laws
  BOOST_TEST(data.at("axes").array().size() == 1U);
  BOOST_TEST(data.at("metrics").array()[0].at("name").text() == "mean_regret_quad1");
  BOOST_TEST(data.at("metrics").array()[0].at("better").text() == "min");
  BOOST_TEST(data.at("views").at("heat").array().size() == 2U);
  // Means of laws a and b: 0.015 and 0.03 (without the group that has no value), as little-endian float32.
  BOOST_TEST(data.at("kept").at("metrics").array()[0].at("f32").text() == "j8J1PI/C9Tw=");
  // Worst: 0.02 and 0.03.
  BOOST_TEST(data.at("kept").at("metrics").array()[1].at("f32").text() == "CtejPI/C9Tw=");
}

BOOST_AUTO_TEST_CASE(the_best_laws_stand_beside_the_best_runs) {
  const std::vector<std::string> two{"g1", "g2"};
  TableFile file{.tables = {{"cross_validation",
                             {{"law", std::vector<std::string>{"a", "a", "b", "b", "a"}},
                              {"split", std::vector<std::string>{"group", "group", "group", "group", "recipe"}},
                              {"group", std::vector<std::string>{"g1", "g2", "g1", "g3", "g1"}},
                              {"learning_rate", std::vector<double>{1e-3, 3e-3, std::nan(""), 1e-3, 9e-3}},
                              {"regret_quad1", std::vector<double>{0.02, 0.01, 0.03, 0.01, 0.01}}}},
                            {"groups",
                             {{"group", two},
                              {"argmin_learning_rate", std::vector<double>{2e-3, 2e-3}},
                              {"min_loss", std::vector<double>{2.0, 3.0}}}},
                            {"surfaces",
                             {{"group", two},
                              {"window", std::vector<double>{0.0025, 0.005}},
                              {"min_loss", std::vector<double>{1.9, 3.3}}}}},
                 .attributes = {{"format", std::string(fit_format)}}};
  const Json data = parse_json(fit_page(file, "fit.h5").data);
  BOOST_REQUIRE_EQUAL(data.at("measured").array().size(), 2U);  // no batches in this file
  const Json& rates = data.at("measured").array()[0];
  BOOST_TEST(rates.at("metric").text() == "optimal_learning_rate");
  // Law a at both groups, only of the first split; law b has no optimum at g1, and g3 has no runs here.
  BOOST_REQUIRE_EQUAL(rates.at("rows").array().size(), 2U);
  BOOST_TEST(rates.at("rows").array()[1].at("measured").number() == 2e-3);
  BOOST_TEST(rates.at("rows").array()[1].at("predicted").number() == 3e-3);
  BOOST_TEST(rates.at("missing").array().size() == 1U);
  BOOST_TEST(rates.at("summary").at("median").number() == 0.5);  // 1e-3 and 3e-3 against 2e-3
  const Json& losses = data.at("measured").array()[1];
  BOOST_TEST(losses.at("rows").array()[0].at("group").text() == "within 0.25 %");
  BOOST_TEST(losses.at("rows").array()[0].at("predicted").number() == 1.9);
}

BOOST_AUTO_TEST_CASE(a_fit_without_groups_has_a_page_that_says_so) {
  const html::Page page = fit_page({}, "fit.h5");
  BOOST_REQUIRE_EQUAL(page.notices.size(), 1U);
  BOOST_TEST(parse_json(page.data).at("rows").whole() == 0U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep::report
