/// Searches of the nearest keys against the distances to all rows.
#include "models/operators/key_lines.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "models/statistics/random.hpp"

BOOST_AUTO_TEST_SUITE(key_lines_test)

using namespace dfsweep;
using namespace dfsweep::operators;

namespace {

/// Rows whose coordinates along the first `axes` axes are drawn from `values` values; the other coordinates are 0.
struct Drawn {
  std::string reason;
  std::size_t rows;
  std::size_t axes;
  double values;
};

const std::vector<Drawn> tables{
    {"sizes alone: one line", 60, 1, 100.0},
    {"more sizes than a line may have: every row is a line", 600, 1, 1e6},
    {"a full grid of two keys, as exchanges", 200, 2, 12.0},
    {"three keys, as products", 2000, 3, 14.0},
    {"a line for nearly every row: most steps were not measured", 500, 4, 8.0},
    {"seven keys, as attention", 1500, 7, 3.0},
    {"all eight keys, as experts", 1500, 8, 3.0},
    {"no two rows with a common coordinate, more lines than have lists", 5000, 3, 1e6},
    {"equal places", 40, 0, 1.0},
    {"fewer rows than neighbours", 3, 2, 5.0},
};

std::vector<Place> places_of(const Drawn& drawn) {
  const CounterRandom random(5);
  std::vector<Place> places(drawn.rows);
  for (std::size_t row = 0; row < places.size(); ++row)
    for (std::size_t axis = 0; axis < drawn.axes; ++axis)
      places[row][axis] =
          static_cast<float>(8.0 * std::floor(drawn.values * random.uniform(10 * row + axis)) / drawn.values);
  return places;
}

/// A row itself, between rows, or outside of all.
Place query_of(const Drawn& drawn, const std::vector<Place>& places, std::size_t query) {
  const CounterRandom random(6);
  if (query % 3 == 0) return places[query % places.size()];
  Place place = query % 3 == 1 ? places[query % places.size()] : Place{};
  for (std::size_t axis = 0; axis < std::max<std::size_t>(drawn.axes, 1); ++axis)
    place[axis] += static_cast<float>((query % 3 == 1 ? 0.5 : 12.0) * random.uniform(10 * query + axis) - 0.2);
  return place;
}

/// Squared distances and rows, nearest first.
template <class Wanted>
std::vector<std::pair<double, std::uint32_t>> all_distances(const std::vector<Place>& places, const Place& place,
                                                            const Wanted& is_wanted) {
  std::vector<std::pair<double, std::uint32_t>> all;
  for (std::uint32_t row = 0; row < places.size(); ++row) {
    double sum = 0.0;
    for (std::size_t axis = 0; axis < most_keys; ++axis)
      sum += std::pow(static_cast<double>(places[row][axis]) - static_cast<double>(place[axis]), 2.0);
    if (is_wanted(row)) all.emplace_back(sum, row);
  }
  std::sort(all.begin(), all.end());
  return all;
}

void check(const Nearest& found, const std::vector<std::pair<double, std::uint32_t>>& all) {
  BOOST_REQUIRE(found.count() == std::min(all.size(), neighbours));
  for (std::size_t i = 0; i < found.count(); ++i) {
    BOOST_TEST(static_cast<double>(found.squared_distance(i)) == all[i].first, boost::test_tools::tolerance(1e-5));
    if (i == 0) continue;
    const bool is_ordered =
        found.squared_distance(i - 1) < found.squared_distance(i) ||
        (found.squared_distance(i - 1) == found.squared_distance(i) && found.row(i - 1) < found.row(i));
    BOOST_TEST(is_ordered);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_search_finds_the_least_distances_of_all_rows) {
  for (const Drawn& drawn : tables) BOOST_TEST_CONTEXT(drawn.reason) {
      const std::vector<Place> places = places_of(drawn);
      const KeyLines lines(places);
      for (std::size_t query = 0; query < 300; ++query) {
        const Place place = query_of(drawn, places, query);
        const auto is_odd = [](std::uint32_t row) { return row % 2 == 1; };
        check(lines.nearest(place), all_distances(places, place, [](std::uint32_t) { return true; }));
        check(lines.nearest(place, is_odd), all_distances(places, place, is_odd));
      }
    }
}

BOOST_AUTO_TEST_CASE(of_rows_at_the_same_distance_the_first_are_taken) {
  const std::vector<Place> places(40);
  const KeyLines lines(places);
  for (std::uint32_t i = 0; i < neighbours; ++i) BOOST_TEST(lines.nearest({}).row(i) == i);
  std::vector<Place> ring;  // eight rows around a point, at distances of 1
  for (std::size_t axis = 0; axis < 4; ++axis)
    for (const float side : {1.0F, -1.0F}) ring.emplace_back()[axis] = side;
  for (std::uint32_t i = 0; i < neighbours; ++i) BOOST_TEST(KeyLines(ring).nearest({}).row(i) == i);
}

BOOST_AUTO_TEST_CASE(keys_that_all_rows_share_count_in_the_distance) {
  std::vector<Place> places(10);
  for (std::size_t row = 0; row < places.size(); ++row) places[row] = {static_cast<float>(row), 3.0F};
  const Nearest found = KeyLines(places).nearest({4.0F, 5.0F});
  BOOST_TEST(found.squared_distance(0) == 4.0F);
  BOOST_TEST(found.row(0) == 4U);
  BOOST_TEST(KeyLines().nearest({}).count() == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
