/// Tokens that windows yield, by hand and against an enumeration of every outcome.
#include "models/transformer/speculation.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(speculation_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;

namespace {

struct WindowCase {
  const char* why;
  double acceptance;
  double window;
  double exact;
  double linear;
};
const WindowCase window_cases[] = {
    {"no window: the target's token alone", 0.8, 0, 1, 1},
    {"nothing is right: the target's token alone", 0.0, 5, 1, 1},
    {"everything is right: all and one more", 1.0, 5, 6, 6},
    {"1 + 0.5 + 0.25", 0.5, 2, 1.75, 2},
    {"(1 - 0.8^5) / 0.2", 0.8, 4, 3.3616, 4.2},
};

struct TreeCase {
  const char* why;
  double acceptance;
  double window;
  double exact;
};
const TreeCase tree_cases[] = {
    {"no window", 0.8, 0, 1},
    {"one level is a sequence of one", 0.8, 1, 1.8},
    {"1 + 0.5 (1 + 0.75)", 0.5, 2, 1.875},
    {"all right: as long as the tree is deep", 1.0, 4, 5},
    {"nothing right", 0.0, 4, 1},
};

/// Expectation over all outcomes of k independent tokens.
double enumerated(double a, int window) {
  double expected = 0;
  for (int outcome = 0; outcome < 1 << window; ++outcome) {
    double probability = 1;
    int accepted = 0;
    bool goes_on = true;
    for (int i = 0; i < window; ++i) {
      const bool right = (outcome >> i & 1) != 0;
      probability *= right ? a : 1 - a;
      goes_on = goes_on && right;
      accepted += goes_on ? 1 : 0;
    }
    expected += probability * (accepted + 1);
  }
  return expected;
}

}  // namespace

BOOST_DATA_TEST_CASE(windows_yield, bdata::make(window_cases)) {
  BOOST_TEST(exact_acceptance(sample.acceptance, sample.window) == sample.exact, tt::tolerance(1e-12));
  BOOST_TEST(linear_acceptance(sample.acceptance, sample.window) == sample.linear, tt::tolerance(1e-12));
}

BOOST_DATA_TEST_CASE(trees_yield, bdata::make(tree_cases)) {
  BOOST_TEST(exact_tree_acceptance(sample.acceptance, sample.window) == sample.exact, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(the_sum_is_the_expectation) {
  for (const double a : {0.1, 0.5, 0.9})
    for (int k = 0; k <= 8; ++k) BOOST_TEST(exact_acceptance(a, k) == enumerated(a, k), tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_tree_yields_at_least_its_path) {
  for (const double a : {0.0, 0.3, 0.7, 1.0})
    for (int k = 0; k <= 6; ++k) {
      BOOST_TEST(exact_tree_acceptance(a, k) >= exact_acceptance(a, k));
      BOOST_TEST(linear_acceptance(a, k) >= exact_acceptance(a, k));
    }
}

BOOST_AUTO_TEST_CASE(levels_of_a_tree_add_up) {
  for (int k = 1; k <= 6; ++k) {
    double tokens = 1;  // the last accepted one
    for (int level = 1; level <= k; ++level) tokens += std::exp2(level - 1);
    BOOST_TEST(tree_tokens(k) == tokens);
  }
  BOOST_TEST(drafted_from(1) == 1);  // from the last accepted token
  BOOST_TEST(drafted_from(2) == 1);  // the first level has one
  BOOST_TEST(drafted_from(3) == 2);
  BOOST_TEST(drafted_from(4) == 4);
}

BOOST_AUTO_TEST_CASE(form_and_rule_choose_the_sum) {
  using enum Speculation;
  BOOST_TEST(accepted_tokens(sequence, AcceptanceRule::exact, 0.5, 2) == 1 + 0.5 + 0.25);
  BOOST_TEST(accepted_tokens(sequence, AcceptanceRule::linear, 0.5, 2) == 1 + 2 * 0.5);
  BOOST_TEST(accepted_tokens(tree, AcceptanceRule::exact, 0.5, 2) == 1 + 0.5 * (1 + 0.75));
  BOOST_TEST(accepted_tokens(tree, AcceptanceRule::linear, 0.5, 2) == 1 + 0.5 + 0.75);
}

BOOST_AUTO_TEST_CASE(a_rate_counts_drafts_and_verification) {
  const SpeculationWindow window{3.0, dfsweep::Seconds{0.25}, dfsweep::Seconds{0.5}};
  BOOST_TEST(speculative_rate(window, 8) == 8 * 3 / 0.75);
}

BOOST_AUTO_TEST_SUITE_END()
