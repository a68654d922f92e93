/// The least rows of random offers, whole and in parts.
#include "engine/report/reduction/row_sets.hpp"

#include <boost/test/unit_test.hpp>
#include <random>

namespace dfsweep::report {

BOOST_AUTO_TEST_SUITE(row_sets_test)

BOOST_AUTO_TEST_CASE(the_least_rows_are_kept_in_any_order) {
  std::mt19937 random(11);
  for (const std::size_t size : {1U, 10U, 100U, 5000U}) {
    std::vector<std::pair<double, std::uint64_t>> all;
    for (std::uint64_t row = 0; row < 3000; ++row) all.emplace_back(static_cast<double>(random() % 400), row);
    std::vector<std::pair<double, std::uint64_t>> expected = all;
    std::sort(expected.begin(), expected.end());
    expected.resize(std::min(size, expected.size()));
    std::shuffle(all.begin(), all.end(), random);
    TopRows whole(size);
    TopRows first(size);
    TopRows second(size);
    for (std::size_t i = 0; i < all.size(); ++i) {
      whole.offer(all[i].first, all[i].second);
      if (i == all.size() / 2) second.restart(first.limit());  // what the first half has ruled out cannot come in
      (i < all.size() / 2 ? first : second).offer(all[i].first, all[i].second);
    }
    first.join(second);
    BOOST_TEST((whole.sorted() == expected));
    BOOST_TEST((first.sorted() == expected));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep::report
