/// Mapping: the fixed assignments, users' ones, and the rules they must obey.
#include "models/dataflow/workload/mapping.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "models/dataflow/workload/transformer.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(mapping_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::dataflow;

namespace {

/// a -> b -> c -> d, the last two backward.
Graph chain() {
  Graph graph;
  for (const char* name : {"a", "b", "c", "d"}) graph.kernels.push_back({.name = name, .m = 2, .n = 2});
  graph.kernels[2].pass = graph.kernels[3].pass = Pass::backward;
  graph.edges = {{0, 1}, {1, 2}, {2, 3}};
  return graph;
}

struct Case {
  const char* why;
  Assignment assignment;
  MappingLimits limits;
  bool legal;
};

const Case cases[] = {
    {"one partition", {0, 0, 0, 0}, {}, true},
    {"empty partitions do not matter", {0, 3, 3, 9}, {}, true},
    {"an edge backwards", {1, 0, 1, 1}, {}, false},
    {"too few kernels", {0, 0, 0}, {}, false},
    {"the number wanted", {0, 0, 1, 1}, {.partitions = 2}, true},
    {"not the requested number", {0, 0, 1, 1}, {.partitions = 3}, false},
    {"as many as allowed", {0, 0, 1, 1}, {.max_partitions = 2}, true},
    {"more than allowed", {0, 0, 1, 2}, {.max_partitions = 2}, false},
    {"passes in their halves", {0, 0, 1, 1}, {.phase_order = PhaseOrder::halves}, true},
    {"a forward kernel in the second half", {0, 1, 1, 1}, {.phase_order = PhaseOrder::halves}, false},
    {"a backward kernel in the first half", {0, 0, 0, 1}, {.phase_order = PhaseOrder::halves}, false},
    {"the middle of three holds both", {0, 1, 1, 2}, {.phase_order = PhaseOrder::halves}, true},
    {"the only one holds both", {0, 0, 0, 0}, {.phase_order = PhaseOrder::halves}, true},
};

}  // namespace

BOOST_DATA_TEST_CASE(legality, bdata::make(cases), c) {
  BOOST_TEST(mapping_problem(chain(), c.assignment, c.limits).empty() == c.legal);
}

BOOST_AUTO_TEST_CASE(kernel_by_kernel_keeps_the_order_of_the_kernels_where_it_can) {
  const TransformerSizes plain{64, 4, 16, 4, 256, FeedForward::plain, 8};
  const Assignment assignment = kernel_by_kernel(transformer_training(plain));
  for (std::size_t k = 0; k < assignment.size(); ++k) BOOST_TEST(assignment[k] == k);
}

BOOST_AUTO_TEST_CASE(kernel_by_kernel_is_legal_where_the_order_is_another) {
  const TransformerSizes gated{64, 4, 16, 4, 256, FeedForward::gated, 8};
  for (const Graph& graph : {transformer_forward(gated), transformer_training(gated)}) {
    const Assignment assignment = kernel_by_kernel(graph);
    BOOST_TEST(mapping_problem(graph, assignment, {.partitions = static_cast<double>(graph.kernels.size())}) == "");
  }
}

BOOST_AUTO_TEST_CASE(partitions_list_their_kernels_without_the_empty_ones) {
  const auto partitions = kernels_of_partitions({2, 0, 2, 5});
  BOOST_REQUIRE(partitions.size() == 3u);
  const std::vector<std::size_t> second{0, 2};
  BOOST_TEST(partitions[1] == second, tt::per_element());
}

BOOST_AUTO_TEST_CASE(users_write_a_list_or_names) {
  Entry list;
  list.lists["assignment"] = {0, 0, 1, 1};
  const Assignment expected{0, 0, 1, 1};
  BOOST_TEST(assignment_for(chain(), decode_mapping(list).value) == expected, tt::per_element());

  Entry table;
  table.parts["assignment"].emplace_back();
  table.parts["assignment"].front().numbers = {{"d", 1}, {"c", 1}, {"a", 0}, {"b", 0}};
  BOOST_TEST(assignment_for(chain(), decode_mapping(table).value) == expected, tt::per_element());

  table.parts["assignment"].front().numbers.erase("d");
  BOOST_TEST(assignment_for(chain(), decode_mapping(table).value).empty());
  table.parts["assignment"].front().numbers["e"] = 1;
  BOOST_TEST(assignment_for(chain(), decode_mapping(table).value).empty());
}

BOOST_AUTO_TEST_CASE(entries_that_are_no_mapping_say_why) {
  Entry entry;
  BOOST_TEST(decode_mapping(entry).problems.at(0).problem == "'assignment' is missing");
  entry.lists["assignment"] = {-1, 0, 1.5};
  const std::vector<EntryProblem> problems = decode_mapping(entry).problems;
  BOOST_REQUIRE(problems.size() == 2u);
  BOOST_TEST(problems[1].problem == "the partition is 1.5");
  BOOST_TEST(problems[1].fields.at(0) == "assignment[2]");
}

BOOST_AUTO_TEST_SUITE_END()
