/// Binary search against a look at every number.
#include "models/dataflow/search/partition_point.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(partition_point_test)

namespace dataflow = dfsweep::dataflow;

BOOST_AUTO_TEST_CASE(finds_the_first_of_every_short_range) {
  for (int low = 0; low <= 9; ++low)
    for (int high = low; high <= 9; ++high)
      for (int from = low; from <= high; ++from)  // the condition ends to hold here; at `high` it holds for all
        BOOST_TEST(dataflow::partition_point(low, high, [from](int number) { return number < from; }) == from);
}

BOOST_AUTO_TEST_CASE(asks_no_more_often_than_halving_needs) {
  int asked = 0;
  BOOST_TEST(dataflow::partition_point(0, 1 << 20, [&asked](int number) { return ++asked, number < 777; }) == 777);
  BOOST_TEST(asked <= 21);
}

BOOST_AUTO_TEST_SUITE_END()
