/// Stage time: the age of the software, exchanges of sequences.
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

/// Queries, keys, values and results go forward, their gradients backward: as many bytes.
BOOST_AUTO_TEST_CASE(an_all_to_all_exchanges_as_much_backward_as_forward) {
  TrainingPoint point = testing::training_point();
  point.execution.parallel.context = 2;
  point.execution.context_exchange = ContextExchange::all_to_all;
  const auto exchange = [&] {
    return mean_layer_cost(point, place(point.execution.parallel, point.network.enclosures)).context_exchange.value();
  };
  const double both = exchange();
  point.execution.phase = Phase::forward;
  BOOST_TEST(both == 2 * exchange(), tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
