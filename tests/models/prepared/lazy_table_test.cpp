/// LazyTable: one computation per value, kept; exceptions leave the value open; threads agree.
#include "models/prepared/lazy_table.hpp"

#include <boost/test/unit_test.hpp>
#include <thread>

BOOST_AUTO_TEST_SUITE(lazy_table_test)

BOOST_AUTO_TEST_CASE(values_are_computed_once_and_stay_where_they_are) {
  const dfsweep::LazyTable<int> table(2);
  int computed = 0;
  const auto compute = [&computed] { return ++computed; };
  const int* first = &table.get(1, compute);
  BOOST_TEST(*first == 1);
  BOOST_TEST(&table.get(1, compute) == first);
  BOOST_TEST(computed == 1);
  BOOST_TEST(table.get(0, compute) == 2);
}

BOOST_AUTO_TEST_CASE(an_exception_leaves_the_value_open) {
  const dfsweep::LazyTable<int> table(1);
  BOOST_CHECK_THROW(static_cast<void>(table.get(0, []() -> int { throw std::runtime_error("no"); })),
                    std::runtime_error);
  BOOST_TEST(table.get(0, [] { return 7; }) == 7);
}

BOOST_AUTO_TEST_CASE(threads_read_the_same_object) {
  const dfsweep::LazyTable<std::size_t> table(64);
  std::vector<std::vector<const std::size_t*>> seen(4, std::vector<const std::size_t*>(64));
  std::vector<std::thread> threads;
  for (auto& mine : seen)
    threads.emplace_back([&table, &mine] {
      for (std::size_t i = 0; i < 64; ++i) mine[i] = &table.get(i, [i] { return i * i; });
    });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < 64; ++i) {
    BOOST_TEST(*seen[0][i] == i * i);
    for (const auto& mine : seen) BOOST_TEST(mine[i] == seen[0][i]);
  }
}

BOOST_AUTO_TEST_SUITE_END()
