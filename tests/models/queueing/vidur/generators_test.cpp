/// Random numbers of Python, arrivals and lengths, against what Python prints.
#include "models/queueing/vidur/generators.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>

#include "models/queueing/vidur/mersenne_twister.hpp"

BOOST_AUTO_TEST_SUITE(generators_test)

using namespace dfsweep;
using namespace dfsweep::vidur;

BOOST_AUTO_TEST_CASE(the_generator_is_that_of_python) {
  MersenneTwister bits(42);  // random.seed(42); random.getrandbits(32)
  for (const std::uint32_t expected : {2746317213u, 478163327u, 107420369u}) BOOST_TEST(bits.next() == expected);
  MersenneTwister numbers(42);  // random.random()
  for (const double expected : {0.6394267984578837, 0.025010755222666936, 0.27502931836911926})
    BOOST_TEST(numbers.uniform() == expected);
  MersenneTwister choices(42);  // random.randint(1, 3) - 1
  for (const std::uint32_t expected : {2u, 0u, 0u, 2u, 1u, 0u}) BOOST_TEST(choices.below(3) == expected);
}

BOOST_AUTO_TEST_CASE(synthetic_requests_are_those_of_the_original) {
  // random.seed(42); t += min(-math.log(1 - random.random()) / 2, 3 / 2); total = random.uniform(1024, 4096)
  const std::vector<OfferedRequest> requests = poisson_requests(2.0, 3, {}, 42);
  const double arrivals[] = {0.5100301436374005, 0.6708421756748832, 1.3376385120789247};
  const std::uint32_t prompts[] = {1047, 1627, 2954};
  const std::uint32_t outputs[] = {53, 82, 148};
  for (std::size_t i = 0; i < requests.size(); ++i) {
    BOOST_TEST(requests[i].arrival.value() == arrivals[i]);
    BOOST_TEST(requests[i].prompt == prompts[i]);
    BOOST_TEST(requests[i].output == outputs[i]);
  }
}

BOOST_AUTO_TEST_CASE(arrivals_have_the_mean_of_their_distribution) {
  constexpr std::uint32_t count = 20000;
  const auto mean = [](Arrivals arrivals) { return unit_arrivals(arrivals, count, 0.5, 42).back() / count; };
  BOOST_TEST(std::abs(mean(Arrivals::poisson) - (1.0 - std::exp(-3.0))) < 0.02);  // the cut removes the tail
  BOOST_TEST(std::abs(mean(Arrivals::gamma) - 1.0) < 0.02);
  BOOST_TEST(mean(Arrivals::uniform) == 1.0);
  BOOST_TEST(mean(Arrivals::burst) == 0.0);
}

BOOST_AUTO_TEST_CASE(intervals_of_gamma_have_the_variation) {
  for (const double variation : {0.3, 1.0, 2.0}) {
    const std::vector<double> times = unit_arrivals(Arrivals::gamma, 20000, variation, 7);
    double squares = 0.0;
    double before = 0.0;
    for (const double time : times) {
      squares += (time - before - 1.0) * (time - before - 1.0);
      before = time;
    }
    BOOST_TEST(std::abs(std::sqrt(squares / static_cast<double>(times.size())) / variation - 1.0) < 0.05);
  }
}

BOOST_AUTO_TEST_CASE(lengths_fill_their_range) {
  const std::vector<std::uint32_t> lengths = lengths_in({100.0, 0.2}, 5000, 42, 0);
  BOOST_TEST(*std::min_element(lengths.begin(), lengths.end()) == 80);
  BOOST_TEST(*std::max_element(lengths.begin(), lengths.end()) == 120);
  const double sum = std::accumulate(lengths.begin(), lengths.end(), 0.0);
  BOOST_TEST(std::abs(sum / 5000.0 - 100.0) < 1.0);
  for (const std::uint32_t length : lengths_in({100.0, 0.0}, 5, 42, 1)) BOOST_TEST(length == 100);
  for (const std::uint32_t length : lengths_in({1.0, 1.0}, 50, 42, 1)) BOOST_TEST(length >= 1);
}

BOOST_AUTO_TEST_SUITE_END()
