/// Common orders of lists: the same whatever the order of the lists, and sorted where the lists say nothing.
#include "engine/merging/common_order.hpp"

#include <algorithm>
#include <functional>
#include <string>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(common_order_test)

using namespace dfsweep;

namespace {

using Lists = std::vector<std::vector<std::size_t>>;

std::string ordered(std::size_t count, const Lists& lists) {
  std::string text;
  for (const std::size_t member : common_order(count, lists, std::less<>())) text += std::to_string(member);
  return text;
}

struct Case {
  const char* what;
  std::size_t count;
  Lists lists;
  const char* expected;
};

const Case cases[] = {
    {"no list: sorted", 3, {}, "012"},
    {"one list keeps its order", 3, {{2, 0, 1}}, "201"},
    {"a member of no list comes as early as it can", 4, {{3, 1, 2}}, "0312"},
    {"lists are interleaved by the least of those that may come next", 6, {{0, 4, 5}, {1, 2, 3}}, "012345"},
    {"a shared member joins two lists", 5, {{4, 2, 0}, {3, 2, 1}}, "34201"},
    {"lists that contradict each other are sorted", 3, {{2, 1, 0}, {0, 2}}, "012"},
};

}  // namespace

BOOST_AUTO_TEST_CASE(members_are_as_early_as_the_lists_allow) {
  for (const Case& one : cases) {
    BOOST_TEST(ordered(one.count, one.lists) == one.expected, one.what);
    Lists turned = one.lists;
    std::reverse(turned.begin(), turned.end());
    BOOST_TEST(ordered(one.count, turned) == one.expected, one.what << ", lists in another order");
  }
}

BOOST_AUTO_TEST_SUITE_END()
