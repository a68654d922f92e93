/// Fails a test for each property that did not hold.
#pragma once

#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <map>
#include <string>

#include "tests/support/property_tally.hpp"

namespace dfsweep::testing {

/// Shares of the comparisons of a property that may fail.
struct AllowedFailures {
  double share = 0.0;
  std::map<std::string, double> of_properties = {};  ///< those that have another share

  [[nodiscard]] double of(const std::string& property) const {
    const auto other = of_properties.find(property);
    return other == of_properties.end() ? share : other->second;
  }
};

/// Fails for each property that failed more often than is allowed, and where fewer than `properties` were tried on the
/// `points`.
inline void report(const PropertyTally& tally, std::size_t points, std::size_t properties,
                   const AllowedFailures& allowed = {}) {
  long tried = 0;
  long failed = 0;
  for (const auto& [property, count] : tally.counts()) {
    tried += count.tried;
    failed += count.failed;
    const double most = allowed.of(property) * static_cast<double>(count.tried);
    BOOST_TEST(static_cast<double>(count.failed) <= most,
               property << ": " << count.failed << " of " << count.tried << ", as " << count.first);
  }
  BOOST_TEST_MESSAGE(points << " points, " << tried << " comparisons of " << tally.counts().size() << " kinds, "
                            << failed << " failed");
  BOOST_TEST(tally.counts().size() >= properties);
}

}  // namespace dfsweep::testing
