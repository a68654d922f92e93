/// Stage time: the age of the software.
#include "models/training/step/stage_time.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/support/training_point.hpp"

BOOST_AUTO_TEST_SUITE(stage_time_test)

namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::training;

namespace {

double forward_of_layer(const TrainingPoint& point) {
  return mean_layer_cost(point, place(point.execution.parallel, point.network.enclosures)).forward.value();
}

}  // namespace

BOOST_AUTO_TEST_CASE(old_software_takes_longer_for_adapters_only) {
  TrainingPoint tuned = testing::training_point();
  TrainingPoint old = tuned;
  old.software.age.adapters = 1.25;
  BOOST_TEST(forward_of_layer(old) == forward_of_layer(tuned));
  old.execution.task = tuned.execution.task = Task::low_rank;
  BOOST_TEST(forward_of_layer(old) == 1.25 * forward_of_layer(tuned), tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
