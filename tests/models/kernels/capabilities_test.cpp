/// Capabilities: what the lists of a software entry allow.
#include "models/kernels/capabilities.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(capabilities_test)

namespace bdata = boost::unit_test::data;
using namespace dfsweep;

namespace {

/// A stack of 1F1B, optimizer sharding, no overlap, 16 bits and no uneven chunks.
Entry stack() {
  Entry entry;
  entry.text_lists = {{"schedules", {"one_forward_one_backward"}},
                      {"shardings", {"none", "optimizer"}},
                      {"tensor_overlaps", {"none"}},
                      {"number_formats", {"fp16", "bf16"}},
                      {"chunk_layers", {"equal", "lighter_ends"}}};
  return entry;
}

struct DemandCase {
  const char* why;
  StackDemand demand;
  const char* lacks;
};

const DemandCase demand_cases[] = {
    {"nothing is asked", {}, ""},
    {"what it lists",
     {PipelineOrder::one_forward_one_backward, ShardedStates::optimizer, TileOverlap::none, NumberFormat::bf16},
     ""},
    {"another order", {PipelineOrder::dual_pipe, {}, {}, {}}, "schedule dual_pipe"},
    {"chunks", {PipelineOrder::interleaved, {}, {}, {}}, "schedule interleaved"},
    {"layers that chunks do not divide", {{}, {}, {}, {}, ChunkLayers::uneven}, "chunks of layers that are uneven"},
    {"layers that chunks divide with the ends", {{}, {}, {}, {}, ChunkLayers::lighter_ends}, ""},
    {"another sharding", {{}, ShardedStates::parameters, {}, {}}, "sharding parameters"},
    {"two of them", {{}, {}, TileOverlap::ring, NumberFormat::fp8}, "tensor overlap ring, number format fp8"},
};

}  // namespace

BOOST_DATA_TEST_CASE(a_stack_runs_what_its_lists_hold, bdata::make(demand_cases)) {
  const Capabilities listed = decode_capabilities(stack()).value;
  BOOST_TEST(lacking(listed, sample.demand) == sample.lacks);
  BOOST_TEST(can_run(listed, sample.demand) == (*sample.lacks == '\0'));
  BOOST_TEST(can_run(decode_capabilities(Entry{}).value, sample.demand));  // lists that are unknown allow all
}

BOOST_AUTO_TEST_CASE(an_empty_list_allows_nothing) {
  Entry entry;
  entry.lists["schedules"] = {};
  const Capabilities listed = decode_capabilities(entry).value;
  for (const PipelineOrder order : all_of<PipelineOrder>) BOOST_TEST(!can_run(listed, {order, {}, {}, {}}));
  BOOST_TEST(can_run(listed, {{}, ShardedStates::parameters, TileOverlap::pipe, NumberFormat::fp4}));
}

BOOST_AUTO_TEST_CASE(an_unknown_name_is_a_problem) {
  Entry entry = stack();
  entry.text_lists["schedules"].emplace_back("gpipe");
  const Decoded<Capabilities> found = decode_capabilities(entry);
  BOOST_REQUIRE(found.problems.size() == 1u);
  BOOST_TEST(found.problems[0].problem == "'schedules' holds 'gpipe'");
  BOOST_TEST(found.problems[0].fields[0] == "schedules[1]");
}

BOOST_AUTO_TEST_SUITE_END()
