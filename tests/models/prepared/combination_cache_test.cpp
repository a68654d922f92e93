/// CombinationCache: computed where it is not kept, never the value of another combination.
#include "models/prepared/combination_cache.hpp"

#include <boost/test/unit_test.hpp>
#include <random>
#include <stdexcept>

BOOST_AUTO_TEST_SUITE(combination_cache_test)

using namespace dfsweep;

BOOST_AUTO_TEST_CASE(what_is_repeated_is_computed_once) {
  CombinationCache<double> cache(4, 1024);
  int computed = 0;
  const auto value = [&] { return 7.0 + computed++; };
  BOOST_TEST(cache.at(3, value) == 7.0);
  BOOST_TEST(cache.at(3, value) == 7.0);
  BOOST_TEST(computed == 1);
}

// More combinations than places: they replace each other.
BOOST_AUTO_TEST_CASE(any_order_gives_the_value_of_the_combination) {
  CombinationCache<std::uint64_t> cache(std::uint64_t{1} << 60, 16);
  std::mt19937_64 random(3);
  std::size_t wrong = 0;
  for (int i = 0; i < 10000; ++i) {
    const std::uint64_t number = (random() % 40) << (random() % 3 * 20);
    wrong += cache.at(number, [&] { return 3 * number; }) == 3 * number ? 0U : 1U;
  }
  BOOST_TEST(wrong == 0U);
}

BOOST_AUTO_TEST_CASE(a_single_combination_has_a_place) {
  CombinationCache<int> cache(1, 1024);
  BOOST_TEST(cache.at(0, [] { return 5; }) == 5);
}

BOOST_AUTO_TEST_CASE(an_exception_leaves_nothing) {
  CombinationCache<int> cache(8, 8);
  BOOST_TEST(cache.at(0, [] { return 5; }) == 5);
  BOOST_CHECK_THROW(cache.at(1, []() -> int { throw std::runtime_error("no value"); }), std::runtime_error);
  BOOST_TEST(cache.at(1, [] { return 6; }) == 6);
  BOOST_TEST(cache.at(0, [] { return 7; }) == 5);
}

BOOST_AUTO_TEST_SUITE_END()
