/// Reasons of a memory that is too small: the amounts, and what takes most.
#include "models/machine/memory_reason.hpp"

#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>

namespace dfsweep::training {

BOOST_AUTO_TEST_SUITE(memory_reason_test)

BOOST_AUTO_TEST_CASE(the_largest_part_is_named) {
  const std::array<MemoryUsePart, 2> parts{{{"weights", 30e9}, {"activations", 70e9}}};
  BOOST_TEST(memory_reason(100e9, 80e9, "memory tier 1", parts) ==
             "a device needs 100 GB of 80 GB of memory tier 1, activations 70 %");
  BOOST_TEST(memory_reason(100e9, 80e9, "memory tier 2", {}) == "a device needs 100 GB of 80 GB of memory tier 2");
}

BOOST_AUTO_TEST_CASE(close_amounts_are_told_apart) {
  BOOST_TEST(memory_reason(80.00001e9, 80e9, "its memory", {}) == "a device needs 80.00001 GB of 80 GB of its memory");
}

BOOST_AUTO_TEST_CASE(a_shortfall_is_needed_over_available) {
  BOOST_TEST(shortfall_of(120.0, 80.0) == 1.5);
  BOOST_TEST(std::isnan(shortfall_of(120.0, 0.0)));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep::training
