/// LazyMap: what is computed how often, for one thread and for several.
#include "models/prepared/lazy_map.hpp"

#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(lazy_map_test)

BOOST_AUTO_TEST_CASE(a_value_is_computed_once_for_its_key) {
  const LazyMap<std::string, int> map(8);
  int computed = 0;
  const auto get = [&](const std::string& key) {
    return *map.get(key, [&] {
      ++computed;
      return static_cast<int>(key.size());
    });
  };
  for (int turn = 0; turn < 3; ++turn) {
    BOOST_TEST(get("one") == 3);
    BOOST_TEST(get("three") == 5);
  }
  BOOST_TEST(computed == 2);
  BOOST_TEST(map.size() == 2U);
}

BOOST_AUTO_TEST_CASE(beyond_the_number_of_keys_values_are_computed_again) {
  const LazyMap<int, int> map(2);
  int computed = 0;
  const auto get = [&](int key) {
    return *map.get(key, [&] {
      ++computed;
      return 10 * key;
    });
  };
  for (int turn = 0; turn < 2; ++turn)
    for (const int key : {1, 2, 3}) BOOST_TEST(get(key) == 10 * key);
  BOOST_TEST(computed == 4);  // 1 and 2 once, 3 twice
  BOOST_TEST(map.size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_value_outlives_the_map) {
  std::shared_ptr<const std::string> value;
  {
    const LazyMap<int, std::string> map(1);
    value = map.get(7, [] { return std::string("kept"); });
  }
  BOOST_TEST(*value == "kept");
}

BOOST_AUTO_TEST_CASE(an_exception_leaves_the_value_uncomputed) {
  const LazyMap<int, int> map(4);
  BOOST_CHECK_THROW(static_cast<void>(map.get(1, []() -> int { throw std::runtime_error("no"); })), std::runtime_error);
  BOOST_TEST(map.size() == 0U);
  BOOST_TEST(*map.get(1, [] { return 5; }) == 5);
}

BOOST_AUTO_TEST_CASE(threads_get_the_same_objects) {
  const LazyMap<int, int> map(64);
  constexpr int keys = 32;
  std::vector<std::vector<const int*>> seen(8);
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < seen.size(); ++t)
      threads.emplace_back([&, t] {
        for (int k = 0; k < keys; ++k) {
          const int key = t % 2 == 0 ? k : keys - 1 - k;
          const auto value = map.get(key, [&] { return 2 * key; });
          if (*value == 2 * key) seen[t].push_back(value.get());
        }
      });
  }
  BOOST_TEST(map.size() == static_cast<std::size_t>(keys));
  for (std::size_t t = 0; t < seen.size(); ++t) {
    BOOST_TEST_REQUIRE(seen[t].size() == static_cast<std::size_t>(keys));
    for (std::size_t k = 0; k < seen[t].size(); ++k) BOOST_TEST((seen[t][k] == seen[0][t % 2 == 0 ? k : keys - 1 - k]));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
