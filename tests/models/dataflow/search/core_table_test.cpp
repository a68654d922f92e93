/// The table of compute by kinds against tables written by hand.
#include "models/dataflow/search/core_table.hpp"

#include <boost/test/unit_test.hpp>
#include <vector>

BOOST_AUTO_TEST_SUITE(core_table_test)

using namespace dfsweep;
using namespace dfsweep::dataflow;

namespace {

/// A kernel with these pairs of cores and ticks.
PartitionKernel kernel(const std::vector<std::pair<double, double>>& choices) {
  PartitionKernel made;
  for (const auto& [cores, ticks] : choices) made.choices.push_back({cores, Seconds{ticks}});
  return made;
}

CoreTable table_of(const std::vector<PartitionKernel>& kernels, std::int64_t cores) {
  return {CoreLevels(kernels, cores, 1.0), cores};
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_kind_shares_cores_in_whole_numbers) {
  // Three equal kernels on 4 cores: 1 core takes 6, 2 cores 3, 4 cores 2.
  const PartitionKernel one = kernel({{1, 6}, {2, 3}, {4, 2}});
  const CoreTable table = table_of({one, one, one}, 4);
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
  const PartitionKernel other = kernel({{1, 9}, {2, 4}});
  const CoreTable table = table_of({kernel({{1, 5}}), other, other}, 2);
  BOOST_TEST(table.step(1) == table.step(2));
  BOOST_TEST(table.step(0) != table.step(1));
  const std::uint32_t mixed = table.step(0) + table.step(1);
  BOOST_TEST(table.compute(mixed) == 9);
  BOOST_TEST(table.compute(2 * table.step(1)) == 9);
  BOOST_TEST(table.least(2 * table.step(1)) == 8);         // one after the other
  BOOST_TEST(table.compute(table.all()) == int_infinity);  // three kernels on two cores
  BOOST_TEST(table.least(table.all()) == 13);              // 5 + 4 + 4
}

BOOST_AUTO_TEST_CASE(many_kinds_have_no_table) {
  std::vector<PartitionKernel> kernels;
  for (int ticks = 1; ticks <= 40; ++ticks) kernels.push_back(kernel({{1.0, ticks}}));
  BOOST_TEST(table_of(kernels, 8).empty());
}

BOOST_AUTO_TEST_SUITE_END()
