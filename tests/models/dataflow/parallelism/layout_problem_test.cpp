/// Why a point has no layout: the numbers that contradict each other, for every way in which they can.
#include "models/dataflow/parallelism/layout_problem.hpp"
#include "models/absent.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/support/dataflow_point.hpp"

BOOST_AUTO_TEST_SUITE(layout_problem_test)

namespace bdata = boost::unit_test::data;
using namespace dfsweep;
using namespace dfsweep::dataflow;

namespace {

constexpr double unsaid = absent;

enum class Kind : std::uint8_t { transformer, graph, machine };

struct ProblemCase {
  const char* expected;
  Kind kind;
  const char* topology;
  const char* shape;
  double count, tensor, pipeline, data;
  double interleaving = 1.0;
};
std::ostream& operator<<(std::ostream& out, const ProblemCase& c) {
  return out << c.expected;
}

constexpr ProblemCase problem_cases[] = {
    {"shape 8x4 has 2 sizes, the topology 1 dimension", Kind::transformer, "r", "8x4", unsaid, unsaid, unsaid, unsaid},
    {"shape 8 has 1 size, the topology 2 dimensions", Kind::machine, "rr", "8", unsaid, unsaid, unsaid, unsaid},
    {"shape 8x4 has 32 chips, device_count is 64", Kind::machine, "rr", "8x4", 64, unsaid, unsaid, unsaid},
    {"tensor_parallel 4 x pipeline_parallel 2 x data_parallel 3 is not 64 chips", Kind::transformer, "rrr", "", 64, 4,
     2, 3},
    {"tensor_parallel 3 does not divide 64 chips", Kind::transformer, "rr", "", 64, 3, unsaid, unsaid},
    {"pipeline_parallel 16 is more than the 12 layers of the workload", Kind::transformer, "rr", "", unsaid, 4, 16,
     unsaid},
    {"pipeline_parallel 4 is more than the 3 kernels of the workload", Kind::graph, "rr", "", unsaid, 4, 4, unsaid},
    {"interleaving 4 is more than the 3 layers of a stage", Kind::transformer, "rr", "", unsaid, 4, 4, unsaid, 4},
    {"tensor_parallel 4 x pipeline_parallel 2: every degree above 1 needs a dimension of its own, the topology has 1",
     Kind::graph, "r", "", unsaid, 4, 2, unsaid},
    {"this workload uses all chips in the same way: it needs a shape, or all degrees as the sizes of the 1 dimension, "
     "or "
     "device_count alone",
     Kind::machine, "r", "", 64, 16, unsaid, unsaid},
    {"this workload uses all chips in the same way: it needs a shape, or all degrees as the sizes of the 2 dimensions",
     Kind::machine, "rr", "", 64, unsaid, unsaid, unsaid},
    {"degrees and device_count do not determine the shape: give the shape or one more degree", Kind::transformer, "rr",
     "", unsaid, 4, unsaid, unsaid},
    {"no order of roles gives the 2 dimensions of the topology these degrees", Kind::transformer, "rr", "8x4", unsaid,
     2, unsaid, unsaid},
};

}  // namespace

BOOST_DATA_TEST_CASE(what_contradicts_what_is_named, bdata::make(problem_cases), c) {
  LayoutRequest request;
  request.topology = decode_topology(dfsweep::testing::topology_entry(c.topology)).value;
  request.shape = parse_shape(c.shape).value_or(Shape{});
  request.device_count = c.count;
  request.tensor_parallel = c.tensor;
  request.pipeline_parallel = c.pipeline;
  request.data_parallel = c.data;
  request.interleaving = c.interleaving;
  Workload workload;
  workload.layers = c.kind == Kind::transformer ? 12 : 1;
  workload.graph.kernels.resize(3);
  if (c.kind == Kind::machine) workload.spread = Spread::replicated;
  const Convention& physical = convention_named("physical");
  BOOST_REQUIRE(layout_of(request, workload, physical).verdict == Layout::Verdict::contradiction);
  BOOST_TEST(layout_problem(request, workload, physical) == c.expected);
}

BOOST_AUTO_TEST_SUITE_END()
