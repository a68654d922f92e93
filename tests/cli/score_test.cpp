/// score: machines ranked over two results, as text, JSON and a page, and what is refused.
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <iterator>
#include <limits>

#include "tests/cli/program_under_test.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(score_test)

namespace {

/// Serving of h100 and a100 with a price each, and of a device that NineRows does not have.
struct NineRowsAndThree : NineRows {
  ScratchFile second{"serve.h5"};
  std::string other;
  NineRowsAndThree() : other(second.path().string()) {
    SmallResult(3)
        .labels("device", {"h100", "a100", "b200"}, {0, 1, 2})
        .status({0, 0, 0})
        .metric("price", "USD", "lower", {3, 9, 1})
        .fixed("model", std::string("gpt3-1t"))
        .write(second.path());
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(machines_are_ranked_by_the_objective, NineRowsAndThree) {
  const ProgramResult result =
      dfsweep({"score", path, other, "--by", "device,model", "--minimize", "2 * time(A) + price(B)"});
  BOOST_TEST(result.status == 0);
  BOOST_TEST(result.err == "");
  for (const char* part :
       {"least 2 * time(A) + price(B)\n",
        "  h100    gpt3-1t      7  2.000 s  3.000 USD         5         0           yes\n",  // 2 x 2 + 3
        "  a100    gpt3-1t     11  1.000 s  9.000 USD         2         1           yes\n",  // 2 x 1 + 9
        "2 of 2 machines; 2 on the front", "left out: 1 of A, 1 of B", "--point 5\n", "--point 0\n"})
    BOOST_TEST(contains(result.out, part), part << " is not in\n" << result.out);
}

BOOST_FIXTURE_TEST_CASE(results_may_have_names_and_conditions_of_their_own, NineRowsAndThree) {
  const ProgramResult result = dfsweep({"score", "train=" + path, "serve=" + other, "--by", "device", "--maximize",
                                        "-time(train) - price(serve)", "--where", "train: ways == 1", "--where",
                                        "train: device != 'tpu-v4'", "--json", "--top", "1"});
  BOOST_TEST(result.status == 0);
  for (const char* part : {"\"direction\": \"higher\"", "\"score\": -7", "\"name\": \"train\"", "\"device\": \"h100\"",
                           "\"point(train)\": 3"})
    BOOST_TEST(contains(result.out, part), part << " is not in\n" << result.out << result.err);
}

BOOST_FIXTURE_TEST_CASE(the_page_says_the_best_machine, NineRowsAndThree) {
  const ScratchFile page("page.html");
  const ProgramResult result =
      dfsweep({"score", path, other, "--by", "device", "--minimize", "time(A) + price(B)", "-o", page.path().string()});
  BOOST_TEST(result.status == 0);
  std::ifstream file(page.path());
  const std::string html{std::istreambuf_iterator<char>(file), {}};
  for (const char* part : {"The best machine: device = h100. Score 5.", "The best machines", "Machines on the front"})
    BOOST_TEST(contains(html, part), part << " is not in the page");
}

BOOST_FIXTURE_TEST_CASE(a_metric_without_values_is_named, NineRowsAndThree) {
  const ScratchFile third("unpriced.h5");
  const double none = std::numeric_limits<double>::quiet_NaN();
  SmallResult(2)
      .labels("device", {"h100", "a100"}, {0, 1})
      .status({0, 0})
      .metric("price", "USD", "lower", {none, none})
      .metric("loss", "1", "lower", {1, 2})
      .write(third.path());
  const ProgramResult result =
      dfsweep({"score", path, third.path().string(), "--by", "device", "--minimize", "time(A) + loss(B) * price(B)"});
  BOOST_TEST(result.status == 2);
  BOOST_TEST(contains(result.err,
                      "none of the 2 feasible rows of result B has a value of loss(B) and price(B) and of the axes. "
                      "'dfsweep describe dataflow' says what a metric needs."),
             result.err);
}

BOOST_FIXTURE_TEST_CASE(bad_questions_are_refused, NineRowsAndThree) {
  struct Case {
    std::vector<std::string> options;
    const char* message;
  };
  const Case cases[] = {
      {{"--by", "device"}, "give the objective, by --minimize EXPR or --maximize EXPR."},
      {{"--by", "device", "--minimize", "time(A)"}, "--minimize:1:1: the objective has no metric of result B."},
      {{"--by", "device", "--minimize", "tim(A) + price(B)"}, "--minimize:1:1: result A has no numbers called 'tim'."},
      {{"--by", "ways", "--minimize", "time(A) + price(B)"}, "--by: result B has no parameter 'ways'."},
      {{"--by", "device", "--minimize", "time(A) + price(B)", "--where", "C: time < 1"}, "'C' is not a result."},
      {{"--by", "device", "--minimize", "time(A) + price(B)", "--where", "device == 'b200'"}, "unknown label 'b200'"},
      {{"--by", "device", "--minimize", "time(A) + price(B)", "--where", "B: price < 0"},
       "no machine has a feasible row with a value in every result (machines: A has 3, B has 0)"},
      {{"--by", "device", "--minimize", "time(A) + sqrt(price(B), 2)"}, "cannot be evaluated"},
  };
  for (const Case& c : cases) {
    std::vector<std::string> arguments = {"score", path, other};
    arguments.insert(arguments.end(), c.options.begin(), c.options.end());
    const ProgramResult result = dfsweep(arguments);
    BOOST_TEST(result.status == 2);
    BOOST_TEST(contains(result.err, c.message), c.message << " is not in\n" << result.err);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
