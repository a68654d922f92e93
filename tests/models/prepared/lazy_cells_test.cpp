/// LazyCells: computed on first use, kept, the same for all threads.
#include "models/prepared/lazy_cells.hpp"

#include <boost/test/unit_test.hpp>
#include <thread>

BOOST_AUTO_TEST_SUITE(lazy_cells_test)

using namespace dfsweep;

BOOST_AUTO_TEST_CASE(a_cell_is_computed_once_and_kept) {
  const LazyCells<double> cells(2);
  int computed = 0;
  const auto value = [&] { return 7.0 + computed++; };
  double own = 0.0;
  BOOST_TEST(cells.get(1, own, value) == 7.0);
  BOOST_TEST(own == 7.0);
  own = 0.0;
  BOOST_TEST(cells.get(1, own, value) == 7.0);
  BOOST_TEST(own == 0.0);  // what is kept needs no room of the caller
  BOOST_TEST(cells.get(0, own, value) == 8.0);
  BOOST_TEST(computed == 2);
}

BOOST_AUTO_TEST_CASE(threads_agree) {
  constexpr std::size_t count = 1000;
  const LazyCells<std::size_t> cells(count);
  std::atomic<int> wrong{0};
  const auto read_all = [&] {
    std::size_t own = 0;
    for (std::size_t i = 0; i < count; ++i) wrong += cells.get(i, own, [i] { return i * i; }) != i * i;
  };
  std::thread other(read_all);
  read_all();
  other.join();
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_SUITE_END()
