/// Fronts of small sets by hand and of random ones by comparing all pairs.
#include "engine/report/reduction/front.hpp"

#include <algorithm>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <ostream>
#include <random>

namespace dfsweep::report {

BOOST_AUTO_TEST_SUITE(front_test)

namespace {

struct FrontCase {
  const char* why;
  std::vector<FrontMember> offers;
  std::vector<std::uint64_t> rows;
};
std::ostream& operator<<(std::ostream& out, const FrontCase& front) {
  return out << front.why;
}

const FrontCase front_cases[] = {
    {"nothing was offered", {}, {}},
    {"one row", {{1, 1, 7}}, {7}},
    {"less of one costs more of the other", {{1, 3, 0}, {2, 2, 1}, {3, 1, 2}}, {0, 1, 2}},
    {"a row that loses in both is beaten", {{1, 1, 0}, {2, 2, 1}}, {0}},
    {"a row that loses in one and ties in the other is beaten", {{1, 1, 0}, {1, 2, 1}, {2, 1, 2}}, {0}},
    {"of equal rows the lowest stays", {{1, 1, 5}, {1, 1, 3}, {1, 1, 4}}, {3}},
    {"a late row can beat several", {{2, 3, 0}, {3, 2, 1}, {1, 1, 2}}, {2}},
    {"infinite costs are costs", {{1, 1e308 * 10, 0}, {2, 1, 1}}, {0, 1}},
};

std::vector<std::uint64_t> rows_of(Front& front) {
  front.settle();
  std::vector<std::uint64_t> rows;
  for (const FrontMember& member : front.steps()) rows.push_back(member.row);
  return rows;
}

/// Every pair compared: the definition.
std::vector<std::uint64_t> by_definition(const std::vector<FrontMember>& all) {
  std::vector<FrontMember> kept;
  for (const FrontMember& a : all) {
    const bool is_beaten = std::any_of(all.begin(), all.end(), [&](const FrontMember& b) {
      if (b.x == a.x && b.y == a.y) return b.row < a.row;
      return b.x <= a.x && b.y <= a.y;
    });
    if (!is_beaten) kept.push_back(a);
  }
  std::sort(kept.begin(), kept.end());
  std::vector<std::uint64_t> rows;
  for (const FrontMember& member : kept) rows.push_back(member.row);
  return rows;
}

}  // namespace

BOOST_DATA_TEST_CASE(a_front_keeps_what_nothing_beats, boost::unit_test::data::make(front_cases), each) {
  Front front;
  for (const FrontMember& member : each.offers) front.offer(member);
  BOOST_TEST(rows_of(front) == each.rows, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(random_fronts_are_those_of_the_definition_in_any_order) {
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    std::vector<FrontMember> all;
    const auto values = static_cast<std::uint32_t>(3 + random() % 90);  // few values: many ties
    for (std::uint64_t row = 0; row < 300; ++row)
      all.push_back({static_cast<double>(random() % values), static_cast<double>(random() % values), row});
    const std::vector<std::uint64_t> expected = by_definition(all);
    std::shuffle(all.begin(), all.end(), random);
    Front front;
    Front halves[2];
    for (std::size_t i = 0; i < all.size(); ++i) {
      front.offer(all[i]);
      halves[i % 2].offer(all[i]);
    }
    BOOST_TEST(rows_of(front) == expected, boost::test_tools::per_element());
    halves[1].settle();
    halves[0].join(halves[1]);
    BOOST_TEST(rows_of(halves[0]) == expected, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(a_thinned_front_keeps_its_ends) {
  Front front;
  for (std::uint64_t row = 0; row < 1000; ++row)
    front.offer({static_cast<double>(row), -static_cast<double>(row), row});
  front.settle();
  front.thin(11);
  BOOST_TEST(front.steps().size() == 11U);
  BOOST_TEST(front.steps().front().row == 0U);
  BOOST_TEST(front.steps().back().row == 999U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep::report
