/// Static batches, batches in flight and finite runs, from costs with round numbers.
#include "models/serving/batching/batching.hpp"

#include <boost/test/unit_test.hpp>

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

}  // namespace

BOOST_AUTO_TEST_CASE(a_batch_in_flight_is_prefill_and_steps) {
  const InFlight flight = in_flight(plain(), request, 2);
  BOOST_TEST(flight.prefill.value() == 16);
  BOOST_TEST(flight.step.value() == 22, tt::tolerance(1e-12));
  BOOST_TEST(flight.total.value() == 16 + 3 * 22, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(steps_with_prompts_and_answers_read_weights_once) {
  Costs costs;
  costs.attention.weights = Seconds{4};
  costs.host = Seconds{1};
  // Two prompts are two chunks of 5 s each; three steps of 5 s; two steps carry a chunk and save its 5 s.
  BOOST_TEST(in_flight(costs, request, 2).total.value() == 2 * 5 + 3 * 5 - 2 * 5);
  // A request alone reads its prompt before its answer starts: nothing is shared.
  BOOST_TEST(in_flight(costs, request, 1).total.value() == 5 + 3 * 5);
}

BOOST_AUTO_TEST_CASE(no_more_steps_are_shared_than_there_are) {
  Costs costs;
  costs.attention.weights = Seconds{4};
  // Ten prompts are ten chunks, but an answer has three steps only.
  BOOST_TEST(in_flight(costs, request, 10).total.value() == 10 * 4 + 3 * 4 - 3 * 4);
}

BOOST_AUTO_TEST_CASE(a_finite_run_is_between_even_and_in_step) {
  const auto flight_of = [](double n) { return in_flight(plain(), request, n); };
  const InFlight four = flight_of(4);
  const double full = four.total.value();
  const double rest = flight_of(2).total.value();
  // Ten requests, four at once: 2.5 rounds, or two full ones and a rest of two.
  BOOST_TEST(finite_time(4, 10, four, flight_of).value() == 0.5 * (2.5 * full + 2 * full + rest), tt::tolerance(1e-12));
  BOOST_TEST(finite_time(4, 8, four, flight_of).value() == 2 * full, tt::tolerance(1e-12));
  BOOST_TEST(finite_time(4, 4, four, flight_of).value() == full, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_limit_of_an_output_token_limits_the_batch) {
  const auto flight_of = [](double n) { return in_flight(plain(), request, n); };
  // A request adds (8 + 3 * 11) / 3 s to the time of an output token.
  const double each = (8 + 3 * 11.0) / 3;
  BOOST_TEST(batch_within(3, 100, Seconds{7 * each}, flight_of) == 7, tt::tolerance(1e-6));
  BOOST_TEST(batch_within(3, 5, Seconds{7 * each}, flight_of) == 5);
  BOOST_TEST(batch_within(3, 100, Seconds{0.1}, flight_of) < 1);
}

BOOST_AUTO_TEST_CASE(half_the_load_is_half_the_rate) {
  Costs costs = plain();
  costs.host = Seconds{10};
  const auto flight_of = [&](double n) { return in_flight(costs, request, n); };
  const double most = 16;
  const double batch = batch_at_load(most, 0.5, flight_of);
  const double rate = batch / flight_of(batch).total.value();
  BOOST_TEST(rate == 0.5 * most / flight_of(most).total.value(), tt::tolerance(1e-6));
  BOOST_TEST(batch < most);
}

BOOST_AUTO_TEST_SUITE_END()
