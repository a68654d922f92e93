/// Domains: how they are shared out over dimensions, and what a pass and its steps then cost on which links.
#include "models/dataflow/parallelism/domain.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "models/absent.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(domain_test)

namespace bdata = boost::unit_test::data;
using namespace dfsweep;
using namespace dfsweep::dataflow;

namespace {

constexpr double unsaid = absent;

struct DomainCase {
  const char* why;
  const char* shape;
  double domain;
  double expected[3];  ///< chips of each dimension that share a domain
  std::size_t inner;
};
constexpr DomainCase domain_cases[] = {
    {"none: the first dimension is inner", "8x16x4", unsaid, {8, 1, 1}, 1},
    {"the first dimension fills it", "8x16x4", 8, {8, 1, 1}, 1},
    {"the pipeline first: nothing is left for tensor parallelism", "16x8", 8, {8, 1, 1}, 0},
    {"half of the first dimension", "8x16x4", 4, {4, 1, 1}, 0},
    {"four nodes of the second dimension join", "8x16x4", 32, {8, 4, 1}, 1},
    {"two whole dimensions", "8x16x4", 128, {8, 16, 1}, 2},
    {"all chips", "8x16x4", 512, {8, 16, 4}, 3},
    {"more than all chips", "8x16x4", 4096, {8, 16, 4}, 3},
    {"what does not divide is rounded down", "3x4", 8, {3, 2, 1}, 1},
    {"one chip: no inner links", "8x16", 1, {1, 1, 1}, 0},
};

struct PassCase {
  const char* why;
  Joined at;
  PerLink pass;
  PerLink steps;  ///< of a ring all-reduce
};
constexpr auto ring = DimensionKind::ring;
constexpr auto full = DimensionKind::fully_connected;
const PassCase pass_cases[] = {
    {"one chip sends nothing", {ring, 1, 1}, {0, 0}, {0, 0}},
    {"a whole ring inside: (p-1)/p", {ring, 8, 8}, {7.0 / 8, 0}, {14, 0}},
    {"a ring without a domain", {ring, 8, 1}, {0, 7.0 / 8}, {0, 14}},
    {"pairs: 1/2 inside, then 3/8 of the bytes among four pairs", {ring, 8, 2}, {0.5, 3.0 / 8}, {2, 6}},
    {"fully connected: c(h) = 1/h, then c(p/h)/h", {full, 8, 2}, {0.5, 0.25 / 2}, {2, 2}},
};

}  // namespace

BOOST_DATA_TEST_CASE(a_domain_is_shared_out_innermost_first, bdata::make(domain_cases), c) {
  const Shape shape = *parse_shape(c.shape);
  const DomainChips domain = domain_chips(shape, c.domain);
  for (std::size_t d = 0; d < shape.count; ++d) BOOST_TEST(domain.chips[d] == c.expected[d]);
  BOOST_TEST(domain.inner == c.inner);
}

/// Whatever the shape, the chips that share a domain are at most H for all roles together, and none is left over that
/// could have joined.
BOOST_AUTO_TEST_CASE(a_domain_has_no_more_chips_than_it_has) {
  for (double x = 1; x <= 12; ++x)
    for (double y = 1; y <= 12; ++y)
      for (double z = 1; z <= 3; ++z)
        for (double domain = 1; domain <= 40; ++domain) {
          const DomainChips shared = domain_chips({{x, y, z}, 3}, domain);
          const double together = shared.chips[0] * shared.chips[1] * shared.chips[2];
          BOOST_TEST_REQUIRE(together <= domain);
          BOOST_TEST_REQUIRE((shared.chips[0] == std::min(x, domain)));
          if (domain >= x * y * z) BOOST_TEST_REQUIRE(together == x * y * z);
        }
}

BOOST_DATA_TEST_CASE(a_pass_runs_inside_then_between, bdata::make(pass_cases), c) {
  const PerLink pass = one_pass(c.at);
  BOOST_TEST(pass.first == c.pass.first);
  BOOST_TEST(pass.outer == c.pass.outer);
  const PerLink taken = steps(c.at, all_reduce_steps);
  BOOST_TEST(taken.first == c.steps.first);
  BOOST_TEST(taken.outer == c.steps.outer);
}

BOOST_AUTO_TEST_SUITE_END()
