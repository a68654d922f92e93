/// Dimensions: which of them lie in a node and in a pod, with shapes that are given, usual, or do not fit.
#include "models/machine/network.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <vector>

#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(network_test)

namespace bdata = boost::unit_test::data;
using namespace dfsweep;

namespace {

using enum DimensionKind;

const Topology one_ring{{ring}, 1};
const Topology torus_2d{{ring, ring}, 2};
const Topology torus_3d{{ring, ring, ring}, 3};
const Topology dragonfly{{fully_connected, fully_connected}, 2};
const Topology three_levels{{switched, switched, switched}, 3};

struct FitCase {
  const char* why;
  Topology topology;
  const char* shape;
  double devices;
  Enclosures enclosures;
  std::vector<double> sizes;
  std::size_t inside;
  std::size_t in_pod;
};

const FitCase fit_cases[] = {
    {"a slice as even as can be", torus_3d, "", 512, {4096, 0}, {8, 8, 8}, 3, 3},
    {"the smallest first", torus_3d, "", 128, {4096, 0}, {4, 4, 8}, 3, 3},
    {"several slices of 256", torus_2d, "", 1024, {256, 0}, {16, 16}, 2, 2},
    {"a prime ring", torus_2d, "", 7, {256, 0}, {1, 7}, 2, 2},
    {"a ring is as long as the node", one_ring, "", 1024, {8, 0}, {8}, 1, 1},
    {"or as the job", one_ring, "", 4, {8, 0}, {4}, 1, 1},
    {"groups are nodes", dragonfly, "", 1024, {8, 0}, {8, 128}, 1, 2},
    {"the last node need not be full", dragonfly, "", 20, {8, 0}, {8, 3}, 1, 2},
    {"nodes, pods and the rest", three_levels, "", 1024, {8, 64}, {8, 8, 16}, 1, 2},
    {"without pods the rest is even", three_levels, "", 1024, {8, 0}, {8, 8, 16}, 1, 3},
    {"as given", dragonfly, "8x128", 1024, {8, 0}, {8, 128}, 1, 2},
    {"a torus that leaves the node", torus_3d, "8x4x4", 128, {32, 0}, {8, 4, 4}, 2, 3},
    {"a slice that is the node", torus_2d, "16x16", 1024, {256, 0}, {16, 16}, 2, 2},
    {"dimensions between nodes alone", torus_2d, "4x4", 16, {1, 0}, {4, 4}, 0, 2},
};

struct MisfitCase {
  const char* why;
  Topology topology;
  const char* shape;
  double devices;
  Enclosures enclosures;
};

const MisfitCase misfit_cases[] = {
    {"sizes of two dimensions for three", torus_3d, "16x16", 256, {256, 0}},
    {"neither the job nor the node", torus_2d, "8x8", 128, {256, 0}},
    {"16 devices of a dimension and 8 of a node", dragonfly, "16x64", 1024, {8, 0}},
    {"nodes of 8 in pods of 64 joined by one dimension", dragonfly, "8x128", 1024, {8, 64}},
};

}  // namespace

BOOST_DATA_TEST_CASE(dimensions_lie_in_tiers, bdata::make(fit_cases)) {
  Network network;
  network.enclosures = sample.enclosures;
  const auto found = arranged(network, sample.topology, parse_shape(sample.shape).value_or(Shape{}), sample.devices);
  BOOST_REQUIRE(found.has_value());
  const Dimensions& d = found->dimensions;
  BOOST_TEST(std::vector<double>(d.shape.sizes.data(), d.shape.sizes.data() + d.shape.count) == sample.sizes,
             boost::test_tools::per_element());
  BOOST_TEST(d.inside == sample.inside);
  BOOST_TEST(d.in_pod == sample.in_pod);
  if (d.inside > 0) BOOST_TEST(found->enclosures.node == chips_inside(d.shape, d.inside));
}

BOOST_DATA_TEST_CASE(other_shapes_do_not_fit, bdata::make(misfit_cases)) {
  Network network;
  network.enclosures = sample.enclosures;
  const auto shape = parse_shape(sample.shape).value();
  BOOST_TEST(!arranged(network, sample.topology, shape, sample.devices).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
