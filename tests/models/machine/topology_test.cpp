/// Decoding of topologies and shapes, and the counts of chips within, inside and outside a dimension.
#include "models/machine/topology.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/support/dataflow_point.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(topology_test)

namespace bdata = boost::unit_test::data;
using namespace dfsweep;

namespace {

struct ShapeCase {
  const char* why;
  const char* text;
  double chips;  ///< 0: not a shape
};

const ShapeCase shape_cases[] = {
    {"one dimension", "8", 8},
    {"two", "8x128", 1024},
    {"three", "8x64x2", 1024},
    {"sizes of one", "1x1x1", 1},
    {"four are too many", "2x2x2x2", 0},
    {"another separator", "8y128", 0},
    {"nothing after the separator", "8x", 0},
    {"nothing before it", "x8", 0},
    {"empty", "", 0},
    {"zero", "0x8", 0},
    {"negative", "-8", 0},
    {"a fraction", "8.5", 0},
    {"blanks", "8 x 8", 0},
    {"beyond 10^9", "1000000001", 0},
    {"beyond 64 bits", "99999999999999999999999", 0},
};

}  // namespace

BOOST_DATA_TEST_CASE(shapes, bdata::make(shape_cases), c) {
  const std::optional<Shape> shape = parse_shape(c.text);
  BOOST_TEST(shape.has_value() == (c.chips > 0));
  if (shape) BOOST_TEST(chips_of(*shape) == c.chips);
}

BOOST_AUTO_TEST_CASE(inside_and_outside_multiply_to_all_chips) {
  const Shape shape = *parse_shape("2x3x5");
  BOOST_TEST(chips_inside(shape, 0) == 1.0);
  BOOST_TEST(chips_inside(shape, 1) == 2.0);
  BOOST_TEST(chips_inside(shape, 2) == 6.0);
  BOOST_TEST(copies_outside(shape, 0) == 15.0);
  BOOST_TEST(copies_outside(shape, 1) == 5.0);
  BOOST_TEST(copies_outside(shape, 2) == 1.0);
}

BOOST_AUTO_TEST_CASE(topologies_come_from_the_list_of_dimensions) {
  const Decoded<Topology> decoded = decode_topology(dfsweep::testing::topology_entry("rfs"));
  BOOST_TEST(decoded.problems.empty());
  BOOST_TEST(decoded.value.count == 3u);
  BOOST_TEST((decoded.value.kinds[1] == DimensionKind::fully_connected));
  BOOST_TEST(is_hierarchical(decoded.value));
  BOOST_TEST(!is_hierarchical(decode_topology(dfsweep::testing::topology_entry("rrr")).value));
}

BOOST_AUTO_TEST_CASE(entries_that_are_no_topology_say_why) {
  Entry entry;
  BOOST_TEST(decode_topology(entry).problems.at(0).problem == "'dimensions' is missing");
  entry.text_lists["dimensions"] = {"mesh", "ring", "torus"};
  const std::vector<EntryProblem> unknown = decode_topology(entry).problems;
  BOOST_REQUIRE(unknown.size() == 2u);
  BOOST_TEST(unknown[1].problem == "'dimensions' holds 'torus'");
  BOOST_TEST(unknown[1].fields.at(0) == "dimensions[2]");
  entry.text_lists["dimensions"] = {"ring", "ring", "ring", "ring"};
  BOOST_TEST(decode_topology(entry).problems.at(0).problem == "'dimensions' has too many elements");
}

BOOST_AUTO_TEST_SUITE_END()
