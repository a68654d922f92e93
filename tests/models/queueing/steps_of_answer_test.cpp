/// Decode steps of answers by hand and against a sum over drawn lengths; short answers against the simulation.
#include "models/queueing/steps_of_answer.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "models/queueing/lengths.hpp"
#include "models/queueing/simulation/simulate.hpp"
#include "models/queueing/steady/steady.hpp"
#include "tests/models/queueing/random_deployments.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(steps_of_answer_test)

using namespace dfsweep;
using namespace dfsweep::queueing;
using namespace dfsweep::testing;
namespace bdata = boost::unit_test::data;

struct EqualAnswers {
  const char* why;
  double output, tokens_per_step, steps;
};
const EqualAnswers equal_answers[] = {
    {"the prompt gives the only token", 1, 3.7, 0},
    {"a second token takes a step, whatever the step yields", 2, 3.7, 1},
    {"4 later tokens by 2", 5, 2, 2},
    {"5 later tokens by 2: the third step yields one that is lacking and one more", 6, 2, 3},
    {"one token a step", 6, 1, 5},
    {"the mean of a trace may be no whole number", 6.5, 1, 5.5},
    {"99 later tokens by 2.5", 100, 2.5, 40},
};
BOOST_DATA_TEST_CASE(equal_answers_take_whole_steps, bdata::make(equal_answers)) {
  BOOST_TEST(steps_of_answer(sample.output, 0.0, sample.tokens_per_step) == sample.steps);
}

/// Drawn lengths in place of even ones: the excess of the last step hardly depends on the distribution.
BOOST_AUTO_TEST_CASE(answers_that_vary_have_the_mean_of_their_steps) {
  for (const LengthLaw law : {LengthLaw::uniform, LengthLaw::log_normal})
    for (const double mean : {20.0, 60.0, 300.0})
      for (const double yield : {1.3, 2.0, 3.7}) {
        const LengthDistribution lengths{.law = law, .mean = mean, .spread = 0.5};
        const LengthMoments moments = moments_of(lengths);
        const LengthSampler sampler(lengths);
        const CounterRandom random(5);
        double steps = 0.0;
        constexpr std::uint64_t draws = 20'000;
        for (std::uint64_t k = 0; k < draws; ++k) steps += std::ceil((sampler.at(random, k) - 1.0) / yield) / draws;
        const double of_form = steps_of_answer(moments.mean, moments.variance / (moments.mean * moments.mean), yield);
        BOOST_TEST_CONTEXT("mean " << mean << ", yield " << yield)
        BOOST_TEST(std::abs(of_form / steps - 1.0) < 0.03);
      }
}

BOOST_AUTO_TEST_CASE(a_step_that_yields_more_never_takes_more_steps) {
  for (std::uint64_t index = 0; index < 3'000; ++index) {
    CaseNumbers draw(9, index);
    const double output = std::round(draw.between(2.0, 4096.0));
    const double variation = draw.uniform() < 0.5 ? 0.0 : draw.uniform();
    const double yield = draw.between(1.0, 8.0);
    const double steps = steps_of_answer(output, variation, yield);
    BOOST_TEST_REQUIRE(steps > 0.0);
    BOOST_TEST_REQUIRE(steps <= output - 1.0);
    BOOST_TEST_REQUIRE(steps_of_answer(output, variation, yield * draw.between(1.0, 2.0)) <= steps);
  }
}

/// One user alone: the closed form is that of the simulation, for answers of any length.
BOOST_AUTO_TEST_CASE(short_answers_take_as_long_as_in_the_simulation) {
  for (const double output : {2.0, 3.0, 4.0, 8.0, 65.0}) {
    Deployment deployment;
    deployment.tokens_per_step = 3.7;
    deployment.rules.lag_steps = 0.0;
    Workload workload;
    workload.prompt.mean = 256.0;
    workload.output.mean = output;
    workload.arrivals.users = 1;
    workload.arrivals.requests_per_user = 8.0;
    const SteadyLoad load = steady(deployment, mean_request(workload), {DemandKind::users, 1.0}, RooflineSteps{});
    const auto simulated = simulate(deployment, workload, RooflineSteps{});
    BOOST_TEST_CONTEXT("answers of " << output)
    BOOST_TEST(std::abs(load.token_time.value() / simulated.token_time.mean - 1.0) < 1e-3);
  }
}

BOOST_AUTO_TEST_SUITE_END()
