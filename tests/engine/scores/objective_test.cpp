/// The text of an objective: how it is split into terms of results, and what is refused with its column.
#include "engine/scores/objective.hpp"

#include <boost/test/unit_test.hpp>

#include "engine/console/usage_error.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(objective_test)

namespace {

const std::vector<ScoredName> two = {{"A", {"cost", "time", "power"}}, {"serve", {"price", "latency"}}};

/// "A: cost_A_ | serve: -price_serve_ | 5" of an objective.
std::string terms_of(std::string_view text, Better direction = Better::lower) {
  const Objective objective = objective_of(text, direction, "--minimize", two);
  std::string all = objective.joining == Joining::worst ? "worst" : "sum";
  const auto add = [&](const std::string& name, const std::vector<ObjectiveTerm>& terms) {
    for (const ObjectiveTerm& term : terms) all += " | " + name + (term.sign < 0 ? "-" : "") + term.expression;
  };
  for (std::size_t r = 0; r < two.size(); ++r) add(two[r].name + ": ", objective.terms[r]);
  add("", objective.constants);
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(terms_are_split_by_result) {
  struct Case {
    const char* text;
    const char* terms;
    const char* why;
  };
  const Case cases[] = {
      {"cost(A) + price(serve)", "sum | A: cost_A_ | serve: price_serve_", "two terms"},
      {"0.6 * cost(A) + 0.4 * price(serve)", "sum | A: 0.6 * cost_A_ | serve: 0.4 * price_serve_", "with weights"},
      {"price(serve) - 2e-3*cost(A)", "sum | A: -2e-3*cost_A_ | serve: price_serve_",
       "a difference; the sign of an exponent does not cut"},
      {"1e+3*cost(A)+price(serve)", "sum | A: 1e+3*cost_A_ | serve: price_serve_", "likewise"},
      {"-cost(A) * -1 + price(serve)", "sum | A: -cost_A_ * -1 | serve: price_serve_", "signs of operands do not cut"},
      {"cost(A) * (time(A) + 1) + price(serve)", "sum | A: cost_A_ * (time_A_ + 1) | serve: price_serve_",
       "a sum within parentheses is a part of its term"},
      {"cost(A) + price(serve) + time(A) + 5", "sum | A: cost_A_ | A: time_A_ | serve: price_serve_ | 5",
       "several terms of a result, and a constant"},
      {"max(cost(A), 3 * latency(serve))", "worst | A: cost_A_ | serve: 3 * latency_serve_", "the worst case"},
      {"max(cost(A), time(A)) + price(serve)", "sum | A: max(cost_A_, time_A_) | serve: price_serve_",
       "a function of one result is a term"},
      {"max( cost ( A ) , latency(serve) )", "worst | A: cost_A_    | serve: latency_serve_", "blanks keep positions"},
  };
  for (const Case& c : cases) BOOST_TEST(terms_of(c.text) == c.terms, c.why << ": " << terms_of(c.text));
  BOOST_TEST(terms_of("min(cost(A), price(serve))", Better::higher) == "worst | A: cost_A_ | serve: price_serve_");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_scored_is_refused_with_its_column) {
  struct Case {
    const char* text;
    const char* message;
    const char* why;
  };
  const Case cases[] = {
      {"", "--minimize:1:1: the objective is empty", "no text"},
      {"cost(A)", "--minimize:1:1: the objective has no metric of result serve. Write one as METRIC(serve)",
       "a result without a term would not count"},
      {"cost(A) * price(serve)",
       "--minimize:1:1: the term 'cost(A) * price(serve)' joins results A and serve. Write a sum of terms, or "
       "max(term, ...), each of one result",
       "a product has its least value at no separate choices"},
      {"1 + cots(A) + price(serve)", "--minimize:1:5: result A has no numbers called 'cots'. Did you mean 'cost'?",
       "a mistyped metric"},
      {"cost(train) + price(serve)",
       "--minimize:1:6: 'train' names no result. Results are A, serve; NAME=PATH gives one a name.",
       "the name of a file"},
      {"cost + price(serve)", "--minimize:1:1: 'cost' is of no result. Write cost(A)", "without a result"},
      {"cost(A) + prize", "--minimize:1:11: 'prize' is not known.", "an unknown name"},
      {"max(cost(A), price(serve)", "--minimize:1:4: '(' is not closed.", "parentheses"},
      {"cost(A) + ", "--minimize:1:11: a term is empty", "nothing after a sign"},
      {"max(cost(A),)", "a term is empty", "nothing after a comma"},
  };
  for (const Case& c : cases)
    BOOST_CHECK_EXCEPTION((void)objective_of(c.text, Better::lower, "--minimize", two), UsageError,
                          [&](const UsageError& error) {
                            const bool has = std::string(error.what()).find(c.message) != std::string::npos;
                            BOOST_TEST(has, c.why << ": " << error.what());
                            return has;
                          });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
