/// Fails a test for each property that did not hold.
#pragma once

#include <boost/test/unit_test.hpp>
#include <cstddef>

#include "tests/support/property_tally.hpp"

namespace dfsweep::testing {

/// Fails for each property that did not always hold, and where fewer than `properties` were tried on the `points`.
inline void report(const PropertyTally& tally, std::size_t points, std::size_t properties) {
  long tried = 0;
  long failed = 0;
  for (const auto& [property, count] : tally.counts()) {
    tried += count.tried;
    failed += count.failed;
    BOOST_TEST(count.failed == 0, property << ": " << count.failed << " of " << count.tried << ", as " << count.first);
  }
  BOOST_TEST_MESSAGE(points << " points, " << tried << " comparisons of " << tally.counts().size() << " kinds, "
                            << failed << " failed");
  BOOST_TEST(tally.counts().size() >= properties);
}

}  // namespace dfsweep::testing
