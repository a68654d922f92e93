/// Bill: link and switch units of every topology of the published table, written out per dimension.
#include "models/machine/bill.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/support/dataflow_point.hpp"

BOOST_AUTO_TEST_SUITE(bill_test)

namespace bdata = boost::unit_test::data;
using namespace dfsweep;

namespace {

struct Case {
  const char* topology;
  const char* shape;
  std::vector<double> links;
  std::vector<double> switches;
};
std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.topology << " " << c.shape;
}

// X = 8, Y = 4, Z = 2 where there are three dimensions; by the formulas of the table, not by ours.
const Case cases[] = {
    {"r", "8", {8}, {2}},
    {"f", "8", {8 * 7}, {0}},
    {"s", "8", {8}, {8}},
    {"rr", "8x4", {32, 32}, {2 * 4, 2 * 8}},
    {"ff", "8x4", {8 * 7 * 4, 4 * 3}, {0, 4 * 4}},
    {"rf", "8x4", {32, 4 * 3}, {2 * 4, 4 * 4}},
    {"rs", "8x4", {32, 4}, {2 * 4, 4}},
    {"ss", "8x4", {32, 4}, {32, 4}},
    {"rrr", "8x4x2", {64, 64, 64}, {2 * 4 * 2, 2 * 8 * 2, 2 * 8 * 4}},
    {"rss", "8x4x2", {64, 4 * 2, 2}, {2 * 4 * 2, 4 * 2, 2}},
    {"sss", "8x4x2", {64, 4 * 2, 2}, {64, 4 * 2, 2}},
};

}  // namespace

BOOST_DATA_TEST_CASE(published_table, bdata::make(cases), c) {
  const Topology topology = decode_topology(dfsweep::testing::topology_entry(c.topology)).value;
  const Shape shape = *parse_shape(c.shape);
  for (std::size_t d = 0; d < topology.count; ++d) {
    BOOST_TEST(units_of_dimension(topology, shape, d).links == c.links[d]);
    BOOST_TEST(units_of_dimension(topology, shape, d).switches == c.switches[d]);
  }
}

BOOST_AUTO_TEST_SUITE_END()
