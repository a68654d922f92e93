/// Layout: which degrees and shapes go together, who serves which role, and what the network then costs.
#include "models/dataflow/parallelism/layout.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/support/dataflow_point.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(layout_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::dataflow;

namespace {

constexpr double unsaid = absent;

LayoutRequest request_of(const char* topology, const char* shape, double count, double tensor, double pipeline,
                         double data) {
  LayoutRequest request;
  request.topology = decode_topology(dfsweep::testing::topology_entry(topology)).value;
  request.shape = parse_shape(shape).value_or(Shape{});
  request.device_count = count;
  request.tensor_parallel = tensor;
  request.pipeline_parallel = pipeline;
  request.data_parallel = data;
  return request;
}

Workload transformer() {
  Workload workload;
  workload.layers = 128;
  workload.boundary_words = 1000;
  return workload;
}

struct RoleCase {
  const char* why;
  const char* topology;
  const char* shape;
  double count, tensor, pipeline, data;                      ///< as said
  double expected_tensor, expected_pipeline, expected_data;  ///< 0: a contradiction
};

const RoleCase role_cases[] = {
    {"a shape alone: tensor, then pipeline", "rr", "8x128", unsaid, unsaid, unsaid, unsaid, 8, 128, 1},
    {"three dimensions: all roles", "rrr", "8x64x2", unsaid, unsaid, unsaid, unsaid, 8, 64, 2},
    {"one dimension: tensor", "r", "8", unsaid, unsaid, unsaid, unsaid, 8, 1, 1},
    {"degrees alone", "rr", "", unsaid, 8, 128, 1, 8, 128, 1},
    {"tensor and data on two dimensions", "rr", "4x2", unsaid, 4, 1, 2, 4, 1, 2},
    {"pipeline and data on two dimensions", "rr", "", 16, 1, 8, 2, 1, 8, 2},
    {"a ring of replicas", "r", "", 16, 1, 1, 16, 1, 1, 16},
    {"one degree follows from the count", "rr", "", 1024, 8, unsaid, 1, 8, 128, 1},
    {"the last of three follows from the count", "rrr", "", 1024, 8, 64, unsaid, 8, 64, 2},
    {"trailing ones say nothing", "r", "8x1", unsaid, 8, 1, 1, 8, 1, 1},
    {"shape, count and degrees agree", "rrr", "8x64x2", 1024, 8, 64, 2, 8, 64, 2},
    {"the count contradicts the shape", "rr", "8x128", 512, unsaid, unsaid, unsaid, 0, 0, 0},
    {"a degree contradicts the shape", "rr", "8x128", unsaid, 16, unsaid, unsaid, 0, 0, 0},
    {"three degrees on two dimensions", "rr", "", unsaid, 4, 4, 4, 0, 0, 0},
    {"degrees that do not fill the count", "rrr", "", 1024, 8, 8, 8, 0, 0, 0},
    {"a count that the degrees do not divide", "rr", "", 1000, 16, unsaid, 1, 0, 0, 0},
    {"a shape with too few sizes", "rrr", "8x128", unsaid, unsaid, unsaid, unsaid, 0, 0, 0},
    {"a shape with too many", "r", "8x128", unsaid, unsaid, unsaid, unsaid, 0, 0, 0},
    {"nothing said", "rr", "", unsaid, unsaid, unsaid, unsaid, 0, 0, 0},
    {"two open degrees on three dimensions", "rrr", "", 1024, 8, unsaid, unsaid, 0, 0, 0},
    {"more stages than layers", "rr", "8x256", unsaid, unsaid, unsaid, unsaid, 0, 0, 0},
};

}  // namespace

BOOST_DATA_TEST_CASE(roles, bdata::make(role_cases), c) {
  const LayoutRequest request = request_of(c.topology, c.shape, c.count, c.tensor, c.pipeline, c.data);
  const Layout layout = layout_of(request, transformer(), convention_named("physical"));
  BOOST_TEST((layout.verdict == Layout::Verdict::possible) == (c.expected_tensor > 0));
  if (c.expected_tensor == 0) return;
  BOOST_TEST(layout.tensor_parallel == c.expected_tensor);
  BOOST_TEST(layout.pipeline_parallel == c.expected_pipeline);
  BOOST_TEST(layout.data_parallel == c.expected_data);
  BOOST_TEST(layout.chips == c.expected_tensor * c.expected_pipeline * c.expected_data);
  BOOST_TEST(layout.split.tensor == c.expected_tensor);
}

BOOST_AUTO_TEST_CASE(costs_lie_on_the_dimension_of_their_role) {
  const LayoutRequest request = request_of("rrr", "8x64x2", unsaid, unsaid, unsaid, unsaid);
  const Layout g1 = layout_of(request, transformer(), convention_named("dfmodel-g1"));
  BOOST_TEST(g1.collectives[Collective::all_reduce].bytes.first == 2 * 7.0 / 8);
  BOOST_TEST(g1.collectives[Collective::all_reduce].bytes.outer == 0.0);
  BOOST_TEST(g1.collectives[Collective::gradient].bytes.outer == 2 * 0.5);
  BOOST_TEST(g1.transfer_once.outer.value() == 2 * 1000.0 * 2 * 128);
  BOOST_TEST(g1.transfer_per_pass.outer.value() == 0.0);
  BOOST_TEST(g1.bubble == 63.0);  // two layers a stage: max(2 - 1, 1)
  BOOST_TEST(g1.collectives[Collective::all_reduce].steps.first == 0.0);

  const Layout physical = layout_of(request, transformer(), convention_named("physical"));
  BOOST_TEST(physical.collectives[Collective::all_gather].bytes.first == 7.0);
  BOOST_TEST(physical.collectives[Collective::all_reduce].steps.first == 14.0);
  BOOST_TEST(physical.transfer_once.outer.value() == 0.0);
  BOOST_TEST(physical.transfer_per_pass.outer.value() == 2 * 1000.0 * 2);
  BOOST_TEST(physical.transfer_steps.outer == 2.0);
}

BOOST_AUTO_TEST_CASE(interleaving_shortens_the_bubble_up_to_the_layers_of_a_stage) {
  LayoutRequest request = request_of("rr", "8x64", unsaid, unsaid, unsaid, unsaid);
  request.interleaving = 2;
  BOOST_TEST(layout_of(request, transformer(), convention_named("physical")).bubble == 31.5);
  request.interleaving = 3;
  BOOST_TEST(
      (layout_of(request, transformer(), convention_named("physical")).verdict == Layout::Verdict::contradiction));
}

BOOST_AUTO_TEST_CASE(high_bandwidth_domains_split_a_collective) {
  LayoutRequest request = request_of("sss", "8x2x1024", unsaid, unsaid, unsaid, unsaid);
  request.high_bandwidth_domain = 4;
  const Layout small = layout_of(request, transformer(), convention_named("dfmodel-g2"));
  BOOST_TEST(small.collectives[Collective::all_reduce].bytes.first == 0.75);
  BOOST_TEST(small.collectives[Collective::all_reduce].bytes.outer == 1.0 / 8);
  BOOST_TEST(small.collectives[Collective::gradient].bytes.first == 0.75);
  BOOST_TEST(small.collectives[Collective::gradient].bytes.outer == 255.0 / 1024);
  request.high_bandwidth_domain = 1;
  const Layout none = layout_of(request, transformer(), convention_named("dfmodel-g2"));
  BOOST_TEST(none.collectives[Collective::all_reduce].bytes.first == 0.0);
  BOOST_TEST(none.collectives[Collective::all_reduce].bytes.outer == 7.0 / 8);
  request.high_bandwidth_domain = 2048;
  const Layout all = layout_of(request, transformer(), convention_named("dfmodel-g2"));
  BOOST_TEST(all.collectives[Collective::gradient].bytes.first == 1023.0 / 1024);
  BOOST_TEST(all.collectives[Collective::gradient].bytes.outer == 0.0);
}

/// TP 8 x PP 16 in a domain of 8, as in nodes of eight A100. The role of the inner dimension takes it all.
BOOST_AUTO_TEST_CASE(a_domain_serves_one_role_only) {
  const auto with_roles = [](std::string_view roles) {
    const bool has_data = roles.ends_with("_data");
    LayoutRequest request = request_of(has_data ? "sss" : "ss", "", unsaid, 8, 16, has_data ? 4 : 1);
    request.high_bandwidth_domain = 8;
    for (const RoleChoice& choice : role_choices)
      if (choice.name == roles) request.roles = &choice;
    Workload workload = transformer();
    workload.layers = 16;
    return layout_of(request, workload, convention_named("physical"));
  };
  const Layout tensor_first = with_roles("tensor_pipeline");
  BOOST_TEST(tensor_first.collectives[Collective::all_reduce].bytes.first == 2 * 7.0 / 8);
  BOOST_TEST(tensor_first.collectives[Collective::all_reduce].bytes.outer == 0.0);
  BOOST_TEST(tensor_first.transfer_per_pass.first.value() == 0.0);
  BOOST_TEST(tensor_first.transfer_per_pass.outer.value() > 0.0);
  for (const char* roles : {"pipeline_tensor", "pipeline_tensor_data"}) {
    const Layout pipeline_first = with_roles(roles);
    const LinkCost& all_reduce = pipeline_first.collectives[Collective::all_reduce];
    BOOST_TEST(all_reduce.bytes.first == 0.0);
    BOOST_TEST(all_reduce.bytes.outer == 2 * 7.0 / 8);
    BOOST_TEST(all_reduce.steps.first == 0.0);
    // Eight of sixteen stages share a domain: the pipeline runs at the pace of the links between domains.
    BOOST_TEST(pipeline_first.transfer_per_pass.first.value() == 0.0);
    BOOST_TEST(pipeline_first.transfer_per_pass.outer.value() > 0.0);
  }
}

/// Chips in p/h groups of h: 2 (h-1)/h inside, 2 (p/h - 1)/p between, and the latencies of both.
BOOST_AUTO_TEST_CASE(a_domain_inside_a_dimension_splits_bytes_and_latencies) {
  LayoutRequest request = request_of("s", "16", unsaid, 16, unsaid, unsaid);
  request.high_bandwidth_domain = 4;
  const Layout layout = layout_of(request, transformer(), convention_named("physical"));
  const LinkCost& all_reduce = layout.collectives[Collective::all_reduce];
  BOOST_TEST(all_reduce.bytes.first == 2 * 0.75);
  BOOST_TEST(all_reduce.bytes.outer == 2 * 3.0 / 16);
  BOOST_TEST(all_reduce.steps.first == 4.0);
  BOOST_TEST(all_reduce.steps.outer == 4.0);
  const LinkCost& all_to_all = layout.collectives[Collective::all_to_all];  // at the rate of the slowest links
  BOOST_TEST(all_to_all.bytes.first == 0.0);
  BOOST_TEST(all_to_all.bytes.outer == 15.0 / 16);
}

BOOST_AUTO_TEST_CASE(a_domain_of_all_chips_makes_every_link_inner) {
  Workload dlrm;
  dlrm.spread = Spread::replicated;
  Workload hpl;
  hpl.spread = Spread::grid;
  for (const char* topology : {"rrr", "sss", "fff", "rsf"})
    for (const Workload& workload : {transformer(), dlrm, hpl}) {
      LayoutRequest request = request_of(topology, "4x2x8", unsaid, unsaid, unsaid, unsaid);
      const Layout without = layout_of(request, workload, convention_named("physical"));
      request.high_bandwidth_domain = 64;
      const Layout layout = layout_of(request, workload, convention_named("physical"));
      BOOST_TEST_REQUIRE((layout.verdict == Layout::Verdict::possible));
      for (const Collective c : all_of<Collective>) {
        const LinkCost& cost = layout.collectives[c];
        BOOST_TEST(cost.bytes.outer == 0.0);
        BOOST_TEST(cost.steps.outer == 0.0);
        const PerLink& apart = without.collectives[c].steps;
        BOOST_TEST(cost.steps.first == apart.first + apart.outer);
      }
      BOOST_TEST(layout.transfer_per_pass.outer.value() == 0.0);
      BOOST_TEST(layout.transfer_per_pass.first.value() == without.transfer_per_pass.outer.value());
      BOOST_TEST(layout.link_units.outer == 0.0);
      BOOST_TEST(layout.link_units.first == without.link_units.first + without.link_units.outer);
    }
}

/// Chips that share inner links, as the costs of a ring layout tell: an all-reduce moves (h-1)/h of its bytes on inner
/// links, and a pipeline whose transfers are inner has all its stages in a domain.
double chips_on_inner_links(const Layout& layout, const Convention& convention) {
  const auto of = [&layout](Collective c, double passes) {
    return 1.0 / (1.0 - layout.collectives[c].bytes.first / passes);
  };
  const double stages = layout.transfer_per_pass.first > Bytes{} ? layout.pipeline_parallel : 1.0;
  return of(Collective::all_reduce, convention.all_reduce_passes) * stages *
         of(Collective::gradient, convention.gradient_passes);
}

/// Whatever the degrees and the order of the roles, all of them together have no more chips in a domain than it has.
BOOST_AUTO_TEST_CASE(a_domain_is_conserved_over_all_roles) {
  const Convention& physical = convention_named("physical");
  Workload workload = transformer();
  std::size_t seen = 0;
  for (const RoleChoice& roles : role_choices)
    for (const double tensor : {1.0, 2.0, 3.0, 8.0, 16.0})
      for (const double pipeline : {1.0, 2.0, 6.0, 16.0})
        for (const double data : {1.0, 2.0, 5.0, 64.0})
          for (const double domain : {1.0, 2.0, 3.0, 4.0, 7.0, 8.0, 16.0, 72.0, 128.0, 16384.0}) {
            LayoutRequest request =
                request_of(std::string(roles.dimensions, 'r').c_str(), "", unsaid, tensor, pipeline, data);
            request.roles = &roles;
            request.high_bandwidth_domain = domain;
            const Layout layout = layout_of(request, workload, physical);
            if (layout.verdict != Layout::Verdict::possible) continue;
            ++seen;
            const double inner = chips_on_inner_links(layout, physical);
            BOOST_TEST_REQUIRE(inner <= domain * (1.0 + 1e-9));
            if (domain >= layout.chips) BOOST_TEST_REQUIRE(inner == layout.chips, tt::tolerance(1e-9));
          }
  BOOST_TEST(seen > 5000U);
}

BOOST_AUTO_TEST_CASE(one_chip_has_no_network) {
  for (const Convention& convention : conventions()) {
    const Layout layout = layout_of(request_of("rr", "1x1", unsaid, unsaid, unsaid, unsaid), transformer(), convention);
    for (const PerLink& amounts : {layout.link_units, layout.switch_units})
      BOOST_TEST(amounts.first + amounts.outer == 0.0);
    for (const Collective c : all_of<Collective>) {
      const LinkCost& cost = layout.collectives[c];
      BOOST_TEST(cost.bytes.first + cost.bytes.outer + cost.steps.first + cost.steps.outer == 0.0);
    }
  }
}

BOOST_AUTO_TEST_CASE(four_chips_pay_for_no_switch_in_the_original) {
  const LayoutRequest request = request_of("s", "4", unsaid, unsaid, unsaid, unsaid);
  BOOST_TEST(layout_of(request, transformer(), convention_named("dfmodel-g1")).switch_units.first == 0.0);
  BOOST_TEST(layout_of(request, transformer(), convention_named("dfmodel-g1")).switch_power_units.first == 4.0);
  BOOST_TEST(layout_of(request, transformer(), convention_named("physical")).switch_units.first == 4.0);
}

BOOST_AUTO_TEST_CASE(programs_use_all_chips) {
  Workload hpl;
  hpl.spread = Spread::grid;
  const Convention& g1 = convention_named("dfmodel-g1");
  const Layout grid = layout_of(request_of("rrr", "4x8x32", unsaid, unsaid, unsaid, unsaid), hpl, g1);
  BOOST_TEST(grid.split.rows == 32.0);
  BOOST_TEST(grid.split.columns == 32.0);
  const Layout line = layout_of(request_of("r", "", 16, unsaid, unsaid, unsaid), hpl, g1);
  BOOST_TEST(line.split.rows == 1.0);
  BOOST_TEST(line.split.columns == 16.0);

  Workload dlrm;
  dlrm.spread = Spread::replicated;
  const LayoutRequest torus = request_of("rr", "4x2", unsaid, unsaid, unsaid, unsaid);
  BOOST_TEST(layout_of(torus, dlrm, g1).data_parallel == 8.0);
  BOOST_TEST(layout_of(torus, dlrm, g1).gradient_time_per_byte.value() == 0.25e-9);
  const Layout physical = layout_of(torus, dlrm, convention_named("physical"));
  BOOST_TEST(physical.collectives[Collective::gradient].bytes.first == 2 * 0.75);  // all of it around the ring of four
  BOOST_TEST(physical.collectives[Collective::gradient].bytes.outer ==
             2 * 0.5 / 4);  // a quarter around the ring of two
  BOOST_TEST(physical.gradient_time_per_byte.value() == 0.0);

  for (const LayoutRequest& bad :
       {request_of("rr", "", 8, unsaid, unsaid, unsaid), request_of("rr", "4x2", 16, unsaid, unsaid, unsaid),
        request_of("rr", "4x2", unsaid, 3, unsaid, unsaid), request_of("rr", "4x2", unsaid, 2, 2, 1)})
    BOOST_TEST((layout_of(bad, dlrm, g1).verdict == Layout::Verdict::contradiction));
}

BOOST_AUTO_TEST_SUITE_END()
