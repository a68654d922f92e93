/// The order of candidates and the best ones of them, against sorting.
#include <boost/test/unit_test.hpp>

#include <limits>
#include <random>

#include "engine/sweep/search_order.hpp"

BOOST_AUTO_TEST_SUITE(search_order_test)

using namespace dfsweep;

namespace {

struct Rounding {
  const char* why;
  double value;
  double rounded;
};
const Rounding roundings[] = {
    {"four digits stay", 1.234, 1.234},
    {"the fifth is rounded down", 1.23449, 1.234},
    {"and up", 1.23451, 1.235},
    {"nines carry into the next power of ten", 99999.0, 100000.0},
    {"large", 6.02214076e23, 6.022e23},
    {"the least number", std::numeric_limits<double>::denorm_min(), 4.941e-324},
    {"negative", -0.00123456, -0.001235},
    {"zero", 0.0, 0.0},
    {"infinite", std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()},
};

}  // namespace

BOOST_AUTO_TEST_CASE(four_digits_are_kept) {
  for (const Rounding& row : roundings) BOOST_TEST_CONTEXT(row.why) BOOST_TEST(four_digits(row.value) == row.rounded);
}

/// Values of a few digits, so that many are equal or tied; added in any order, the kept ones are the same.
BOOST_AUTO_TEST_CASE(the_best_do_not_depend_on_the_order) {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 300; ++trial) {
    const SearchOrder order{trial % 2 == 0 ? Better::lower : Better::higher,
                            trial % 3 == 0 ? SearchTies::all : SearchTies::one};
    using Item = std::pair<double, std::uint64_t>;
    const auto before = [&](const Item& a, const Item& b) {
      return order.comes_before(a.first, a.second, b.first, b.second);
    };
    const auto tied = [&](const Item& a, const Item& b) { return order.are_tied(a.first, b.first); };
    std::vector<Item> all;
    for (std::uint64_t point = 0; point < 60; ++point)
      all.emplace_back(1.0 + 1e-5 * static_cast<double>(random() % 200), point);
    std::vector<Item> sorted = all;
    std::sort(sorted.begin(), sorted.end(), before);
    sorted.erase(std::unique(sorted.begin(), sorted.end(), tied), sorted.end());
    const std::size_t top = 1 + random() % 8;
    sorted.resize(std::min(top, sorted.size()));
    std::shuffle(all.begin(), all.end(), random);
    std::vector<Item> best;
    for (const Item& item : all) keep_best(best, top, item, before, tied);
    BOOST_TEST((best == sorted));
  }
}

BOOST_AUTO_TEST_SUITE_END()
