/// Ranges of scales: the box of what was fitted, its border included.
#include "models/laws/scale_range.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(scale_range_test)

using namespace dfsweep::hyperparameters;

BOOST_AUTO_TEST_CASE(a_range_is_the_box_of_its_scales) {
  const TrainingScale scales[] = {{1e8, 1e8, 4e9, 0.0, 0.0}, {2e9, 3e8, 1e9, 0.0, 0.0}};
  const ScaleRange range = range_of(scales);
  BOOST_TEST((range == ScaleRange{{1e8, 2e9}, {1e8, 3e8}, {1e9, 4e9}}));
  struct Case {
    const char* why;
    TrainingScale scale;
    bool inside;
  };
  const Case cases[] = {{"a corner", {1e8, 1e8, 1e9, 0.0, 0.0}, true},
                        {"larger N", {2.1e9, 3e8, 1e9, 0.0, 0.0}, false},
                        {"smaller Na", {1e9, 9e7, 2e9, 0.0, 0.0}, false},
                        {"longer D", {1e9, 2e8, 4.1e9, 0.0, 0.0}, false}};
  for (const Case& c : cases) BOOST_TEST(range.contains(c.scale) == c.inside, c.why);
}

BOOST_AUTO_TEST_SUITE_END()
