/// A cube of four cells by hand: counts, bests, joining and dropping an axis.
#include "engine/report/reduction/cube.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

namespace dfsweep::report {

BOOST_AUTO_TEST_SUITE(cube_test)

namespace {

/// Axes of 2 x 2 values, two statuses, one objective; the offers are of rows 10, 11, 12.
Cube four_cells() {
  Cube cube(4, 2, 1);
  cube.count(0, 0);
  cube.offer(0, 0, 5.0, 10);
  cube.count(1, 0);
  cube.offer(0, 1, 5.0, 11);
  cube.count(3, 1);
  cube.count(0, 0);
  cube.offer(0, 0, std::nan(""), 12);
  return cube;
}

}  // namespace

BOOST_AUTO_TEST_CASE(cells_count_rows_and_know_their_best) {
  const Cube cube = four_cells();
  const std::uint32_t ok[] = {2, 1, 0, 0};
  const std::uint32_t rejected[] = {0, 0, 0, 1};
  BOOST_TEST(cube.counts(0) == ok, boost::test_tools::per_element());
  BOOST_TEST(cube.counts(1) == rejected, boost::test_tools::per_element());
  BOOST_TEST(cube.best(0)[0].row == 10U);  // not 12: NaN is never best
  BOOST_TEST(cube.best(0)[2].row == no_row);
  BOOST_TEST(cube.best(0)[3].row == no_row);
}

BOOST_AUTO_TEST_CASE(without_the_last_axis_the_lowest_of_equal_rows_is_best) {
  const Cube cube = four_cells().without_last_axis(2);
  const std::uint32_t ok[] = {3, 0};
  BOOST_TEST(cube.counts(0) == ok, boost::test_tools::per_element());
  BOOST_TEST(cube.best(0)[0].row == 10U);
  BOOST_TEST(cube.best(0)[1].row == no_row);
}

BOOST_AUTO_TEST_CASE(joined_cubes_add_up_and_cleared_ones_are_empty) {
  Cube cube = four_cells();
  Cube other(4, 2, 1);
  other.count(1, 0);
  other.offer(0, 1, 4.0, 20);
  other.count(0, 0);
  other.offer(0, 0, 5.0, 9);
  cube.join(other);
  BOOST_TEST(cube.counts(0)[0] == 3U);
  BOOST_TEST(cube.best(0)[1].row == 20U);
  BOOST_TEST(cube.best(0)[0].row == 9U);
  cube.clear();
  BOOST_TEST(cube.touched().empty());
  BOOST_TEST(cube.counts(0)[0] == 0U);
  BOOST_TEST(cube.best(0)[1].row == no_row);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep::report
