/// The best mapping of HPL: the fastest of all its mappings, each taken as a step of its own, latencies included.
#include <boost/test/unit_test.hpp>
#include <limits>

#include "tests/support/dataflow_point.hpp"

BOOST_AUTO_TEST_SUITE(hpl_mapping_test)

using namespace dfsweep;
using namespace dfsweep::testing;

namespace {

constexpr std::size_t steps = 8;

/// Sides of 4096 to 512 on a grid of 2 x 8 chips. Of the two messages of a step, the broadcast takes longer for large
/// sides (2.1 ms against 0.5 ms and a latency), the shift for small ones where its latency is 0.6 ms.
Entry hpl_entry() {
  Entry hpl;
  hpl.name = "hpl";
  hpl.texts["kind"] = "hpl";
  hpl.numbers = {{"matrix_size", 4096}, {"block_size", 512}, {"steps", steps}};
  return hpl;
}

/// Steps whose bit of `cuts` is set start a partition.
Entry mapping_entry(std::uint64_t cuts) {
  Entry mapping;
  mapping.name = "cut";
  double partition = 0.0;
  for (std::size_t step = 0; step < steps; ++step) {
    if (step > 0 && (cuts >> (step - 1) & 1U) != 0) partition += 1.0;
    mapping.lists["assignment"].push_back(partition);
  }
  return mapping;
}

/// A grid of 2 x 8 chips; `latency` is that of the links of its rows.
DataflowPoint hpl_point(double latency) {
  DataflowPoint point;
  point.set("model", hpl_entry())
      .set("device", device_entry(1000, 16, 16, 2e9, 1e9, 1, 1))
      .set("memory", memory_entry(1e9, 0))
      .set("topology", topology_entry("rr"))
      .set("shape", "2x8")
      .set("interconnect", interconnect_entry(1e9, 0, latency))
      .set("outer_interconnect", interconnect_entry(1e9, 0, 0.0));
  return point;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_best_mapping_is_the_fastest_step_of_all) {
  for (const char* overlap : {"perfect", "none", "network_exposed"})
    for (const double latency : {0.0, 0.6e-3}) {
      DataflowPoint point = hpl_point(latency);
      point.set("overlap", overlap).set("compute_utilization", 0.001);
      double least = std::numeric_limits<double>::infinity();
      for (std::uint64_t cuts = 0; cuts < std::uint64_t{1} << (steps - 1); ++cuts)
        least = std::min(least, point.set("mapping", mapping_entry(cuts)).evaluate()["step_time"]);
      const NamedEstimate best = point.set("mapping", "best").evaluate();
      BOOST_TEST_CONTEXT(overlap << ", latency " << latency) {
        BOOST_TEST(best["step_time"] == least, boost::test_tools::tolerance(1e-14));
        BOOST_TEST(best["optimality_gap"] == 0.0);
      }
    }
}

BOOST_AUTO_TEST_CASE(each_step_waits_for_the_longer_of_its_messages) {
  DataflowPoint point = hpl_point(0.6e-3);
  double expected = 0.0;
  for (double side = 4096; side >= 512; side -= 512) {
    const double bytes = side * 512 * 2;
    expected += std::max(bytes / 2 / 1e9, bytes / 8 / 1e9 + 0.6e-3);
  }
  for (const char* mapping : {"kernel_by_kernel", "single_partition"})
    BOOST_TEST(point.set("mapping", mapping).evaluate()["network_time"] == expected,
               boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
