/// Fails a test for each property that did not hold.
#pragma once

#include <boost/test/unit_test.hpp>
#include <cstddef>

#include "tests/support/property_tally.hpp"

namespace dfsweep::testing {

/// Fails for each property that failed in more than `allowed_share` of its comparisons, and where fewer than
/// `properties` were tried on the `points`.
inline void report(const PropertyTally& tally, std::size_t points, std::size_t properties, double allowed_share = 0.0) {
  long tried = 0;
  long failed = 0;
  for (const auto& [property, count] : tally.counts()) {
    tried += count.tried;
    failed += count.failed;
    const double allowed = allowed_share * static_cast<double>(count.tried);
    BOOST_TEST(static_cast<double>(count.failed) <= allowed,
               property << ": " << count.failed << " of " << count.tried << ", as " << count.first);
  }
  BOOST_TEST_MESSAGE(points << " points, " << tried << " comparisons of " << tally.counts().size() << " kinds, "
                            << failed << " failed");
  BOOST_TEST(tally.counts().size() >= properties);
}

}  // namespace dfsweep::testing
