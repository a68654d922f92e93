/// Levels of cores against levels written by hand.
#include "models/dataflow/search/core_levels.hpp"

#include <boost/test/unit_test.hpp>
#include <vector>

BOOST_AUTO_TEST_SUITE(core_levels_test)

using namespace dfsweep;
using namespace dfsweep::dataflow;

BOOST_AUTO_TEST_CASE(each_kind_has_its_fewest_cores_for_the_times_of_all) {
  // On 4 cores. Kernels 0 and 2: 1 core takes 9 ticks, 3 take 4. Kernel 1: 2 cores take 7, 8 take 1.
  std::vector<PartitionKernel> kernels(3);
  kernels[0].choices = kernels[2].choices = {{1, Seconds{9}}, {3, Seconds{4}}};
  kernels[1].choices = {{2, Seconds{7}}, {8, Seconds{1}}};
  const CoreLevels levels(kernels, 4, 1.0);
  BOOST_REQUIRE(levels.kinds() == 2U);
  BOOST_TEST(levels.kind_of(0) == levels.kind_of(2));
  BOOST_TEST(levels.members(levels.kind_of(0)) == 2U);
  BOOST_TEST(levels.members(levels.kind_of(1)) == 1U);

  struct Row {
    Ticks time;
    std::uint32_t first, second;
    const char* why;
  };
  const Row rows[] = {{1, 5, 5, "8 cores are more than there are, and the other kind is never so fast"},
                      {4, 3, 5, "3 cores take just that"},
                      {7, 3, 2, "both have a choice"},
                      {9, 1, 2, "one core is enough, two are still the fewest"}};
  BOOST_REQUIRE(levels.count() == std::size(rows));
  for (std::size_t level = 0; level < std::size(rows); ++level) BOOST_TEST_CONTEXT(rows[level].why) {
      BOOST_TEST(levels.time(level) == rows[level].time);
      BOOST_TEST(levels.cores_for(level, levels.kind_of(0)) == rows[level].first);
      BOOST_TEST(levels.cores_for(level, levels.kind_of(1)) == rows[level].second);
    }
  BOOST_TEST(levels.level_alone(levels.kind_of(0)) == 1U);  // 3 of the 4 cores
  BOOST_TEST(levels.level_alone(levels.kind_of(1)) == 2U);
}

BOOST_AUTO_TEST_CASE(the_least_share_is_that_of_the_best_use_of_cores) {
  // 1000 ticks on one core, or 600 on two: the share of 4 cores is 250, less rounding; never that of a time which no
  // number of cores reaches, as 1 tick of the other kernel.
  std::vector<PartitionKernel> kernels(3);
  kernels[0].choices = {{1, Seconds{1000}}, {2, Seconds{600}}};
  kernels[1].choices = {{1, Seconds{1}}};
  kernels[2].choices = {{5, Seconds{10}}};  // does not fit the chip at all
  const CoreLevels levels(kernels, 4, 1.0);
  BOOST_TEST(levels.least_share(levels.kind_of(0)) == 248);
  BOOST_TEST(levels.least_share(levels.kind_of(1)) == 0);
  BOOST_TEST(levels.least_share(levels.kind_of(2)) == 0);
  BOOST_TEST(levels.level_alone(levels.kind_of(2)) == levels.count());
}

BOOST_AUTO_TEST_SUITE_END()
