/// The table of compute by kinds against tables written by hand.
#include "models/dataflow/core_table.hpp"

#include <boost/test/unit_test.hpp>
#include <vector>

using namespace dfsweep;

BOOST_AUTO_TEST_CASE(one_kind_shares_cores_in_whole_numbers) {
  // Three kernels alike on 4 cores: 1 core takes 6, 2 cores 3, 4 cores 2.
  const std::vector<Ticks> levels{2, 3, 6};
  const std::vector<std::uint32_t> cores_for{4, 4, 4, 2, 2, 2, 1, 1, 1};
  const CoreTable table(levels, cores_for, 3, 4);
  BOOST_REQUIRE(!table.empty());
  BOOST_TEST(table.all() == 3U);
  const std::vector<Ticks> compute{0, 2, 3, 6};  // the cores of one, two with 2 each, three with 1 each
  const std::vector<Ticks> least{0, 2, 3, 5};    // three: two and then one
  for (std::uint32_t held = 0; held <= 3; ++held) {
    BOOST_TEST(table.compute(held) == compute[held]);
    BOOST_TEST(table.least(held) == least[held]);
  }
}

BOOST_AUTO_TEST_CASE(kinds_are_told_apart_and_cores_may_not_suffice) {
  // On 2 cores: kernel 0 takes 5 with one core, kernels 1 and 2 take 9 with one or 4 with both.
  const std::vector<Ticks> levels{4, 5, 9};
  const std::vector<std::uint32_t> cores_for{3, 2, 2, 1, 2, 2, 1, 1, 1};
  const CoreTable table(levels, cores_for, 3, 2);
  BOOST_TEST(table.step(1) == table.step(2));
  BOOST_TEST(table.step(0) != table.step(1));
  const std::uint32_t mixed = table.step(0) + table.step(1);
  BOOST_TEST(table.compute(mixed) == 9);
  BOOST_TEST(table.compute(2 * table.step(1)) == 9);
  BOOST_TEST(table.least(2 * table.step(1)) == 8);  // one after the other
  BOOST_TEST(table.compute(table.all()) == endless);  // three kernels on two cores
  BOOST_TEST(table.least(table.all()) == 13);         // 5 + 4 + 4
}

BOOST_AUTO_TEST_CASE(many_kinds_have_no_table) {
  const std::size_t kernels = 40;
  std::vector<Ticks> levels;
  std::vector<std::uint32_t> cores_for;
  for (std::size_t level = 0; level < kernels; ++level) {
    levels.push_back(static_cast<Ticks>(level + 1));
    for (std::size_t k = 0; k < kernels; ++k) cores_for.push_back(level >= k ? 1 : 9);  // kernel k takes k + 1
  }
  BOOST_TEST(CoreTable(levels, cores_for, kernels, 8).empty());
}
