/// Static batches, batches in flight and finite runs, from costs with round numbers.
#include "models/serving/batching/batching.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

BOOST_AUTO_TEST_SUITE(batching_test)

namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::serving;

namespace {

/// Every pair of positions takes 1 s in a prompt, every position 2 s in a decode step.
Costs plain() {
  Costs costs;
  costs.pair = Seconds{1};
  costs.position = Seconds{2};
  return costs;
}

const Request request{.prompt = 4, .output = 3, .chunk = 4};

BatchTimes flight_alone(const Costs& costs, const Request& r, double count) {
  return in_flight(costs, r, count, lone_prefill_time(costs, prompts_of(r, 1.0)));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_batch_in_flight_is_prefill_and_steps) {
  const BatchTimes flight = flight_alone(plain(), request, 2);
  BOOST_TEST(flight.prefill.value() == 16);
  BOOST_TEST(flight.step.value() == 22, tt::tolerance(1e-12));
  // The own prompt of 8 s and half of the other's come first; the other half is between tokens.
  BOOST_TEST(flight.first_token.value() == 12, tt::tolerance(1e-12));
  BOOST_TEST(flight.output_token.value() == 22 + 4 / 2, tt::tolerance(1e-12));
  BOOST_TEST(flight.total.value() == 16 + 2 * 22, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(an_answer_of_one_token_waits_for_all_prompts) {
  const BatchTimes flight = flight_alone(plain(), {.prompt = 4, .output = 1, .chunk = 4}, 5);
  BOOST_TEST(flight.first_token.value() == 5 * 8, tt::tolerance(1e-12));
  BOOST_TEST(flight.total.value() == 5 * 8, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(steps_with_prompts_and_answers_read_weights_once) {
  Costs costs;
  costs.attention.weights = Seconds{4};
  costs.host = Seconds{1};
  // Two chunks of 5 s ride on two steps of 5 s. The own prompt, which is not read with others, and half of another's
  // time are waited for all the same.
  BOOST_TEST(flight_alone(costs, request, 2).total.value() == 1.5 * 5 + 2 * 5);
  BOOST_TEST(flight_alone(costs, request, 1).total.value() == 5 + 2 * 5);
}

BOOST_AUTO_TEST_CASE(no_more_steps_are_shared_than_there_are) {
  Costs costs;
  costs.attention.weights = Seconds{4};
  // Ten prompts are ten chunks of 4 s, but an answer has two steps after its first token: prompts add 32 s.
  BOOST_TEST(flight_alone(costs, request, 10).total.value() == 1.5 * 4 + 8.5 * 3.2 + 2 * 4, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(tokens_of_answers_ride_on_many_chunks_evenly) {
  Costs costs;
  costs.attention = {.token = Seconds{1}, .weights = Seconds{3}};
  const Request two_tokens{.prompt = 8, .output = 2, .chunk = 4};
  const auto products = [](double tokens) { return std::hypot(tokens, 3.0); };
  // Four chunks carry one step of two tokens: half a token each.
  const double added = 4 * products(4.5) - products(2);
  BOOST_TEST(flight_alone(costs, two_tokens, 2).total.value() == 1.5 * 2 * products(4) + 0.25 * added + products(2),
             tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_prompt_that_is_launched_all_the_time_hides_nothing_behind_answers) {
  Costs costs;
  costs.attention.weights = Seconds{1};
  costs.prompt_launch = Seconds{1e6};
  BOOST_TEST(flight_alone(costs, request, 2).total.value() == 1.5e6 + 0.25 * 2e6 + 2, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(a_finite_run_is_between_even_and_in_step) {
  const auto flight_of = [](double n) { return flight_alone(plain(), request, n); };
  const Seconds full = flight_of(4).total;
  const double third = flight_of(10.0 / 3).total.value();
  // Ten requests, four at once: 2.5 rounds, or three of equally many.
  BOOST_TEST(finite_time(4, 10, full, flight_of).value() == 0.5 * (2.5 * full.value() + 3 * third),
             tt::tolerance(1e-12));
  BOOST_TEST(finite_time(4, 8, full, flight_of).value() == 2 * full.value(), tt::tolerance(1e-12));
  BOOST_TEST(finite_time(4, 4, full, flight_of).value() == full.value(), tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_limit_of_an_output_token_limits_the_batch) {
  const auto token_time = [](double n) { return flight_alone(plain(), request, n).output_token; };
  // A step of seven takes 7 * 11 s; 5.5 prompts of 8 s come between two steps.
  const Seconds limit{7 * 11 + 5.5 * 8 / 2};
  BOOST_TEST(batch_within(100, limit, token_time) == 7, tt::tolerance(1e-6));
  BOOST_TEST(batch_within(5, limit, token_time) == 5);
  BOOST_TEST(batch_within(100, Seconds{0.1}, token_time) < 1);
}

// 199 tokens of 10 s and one more, of which each step yields two for a draft of 1 s: 100 steps of 11 s.
BOOST_AUTO_TEST_CASE(accepted_drafts_shorten_answers) {
  Costs costs = plain();
  costs.host = Seconds{10};
  Request drafted = request;
  const Seconds plain_step = in_flight(costs, drafted, 1.0, Seconds{}).output_token;
  drafted.accepted = 2;
  const BatchTimes flight = in_flight(costs, drafted, 1.0, Seconds{}, {.step = Seconds{1}});
  BOOST_TEST(flight.output_token.value() == (plain_step.value() + 1) / 2, tt::tolerance(1e-12));
}

// A pair of positions takes the draft half of a second: 4 s of the prompt more, and 8 s of both.
BOOST_AUTO_TEST_CASE(a_draft_reads_prompts_too) {
  Costs draft;
  draft.pair = Seconds{0.5};
  const BatchTimes alone = in_flight(plain(), request, 2.0, Seconds{12});
  const BatchTimes both = in_flight(plain(), request, 2.0, Seconds{12}, {.step = {}, .costs = &draft});
  BOOST_TEST(both.prefill.value() == 16 + 8);
  // Of two requests, a quarter of what both prompts add falls between the tokens of each.
  BOOST_TEST(both.total.value() == alone.total.value() + 8.0 / 4, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
