/// Graphs: the kernels and edges of every workload, their FLOP and levels by hand, and what is wrong with bad graphs.
#include "models/dataflow/workload/graph.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "models/dataflow/workload/graph_entry.hpp"
#include "models/dataflow/workload/programs.hpp"
#include "models/dataflow/workload/transformer.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(graph_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::dataflow;

namespace {

TransformerSizes gpt3_1t() {
  return {.hidden = 25600,
          .heads = 160,
          .head_dim = 160,
          .key_value_heads = 160,
          .ffn_hidden = 4 * 25600,
          .feed_forward = FeedForward::plain,
          .sequence_length = 2048};
}

double total(const Graph& graph, double Kernel::*words) {
  double sum = 0.0;
  for (const Kernel& kernel : graph.kernels) sum += kernel.*words;
  return sum;
}

Graph chain(std::vector<Edge> edges, std::size_t count = 3) {
  Graph graph;
  for (std::size_t k = 0; k < count; ++k) graph.kernels.push_back({.name = "k" + std::to_string(k), .m = 2, .n = 2});
  graph.edges = std::move(edges);
  return graph;
}

struct BadGraph {
  const char* why;
  std::vector<Edge> edges;
  const char* problem;
  const char* field;
};

const BadGraph bad_graphs[] = {
    {"a cycle", {{0, 1}, {1, 2}, {2, 0}}, "the edges form a cycle", "edge[0]"},
    {"a loop", {{1, 1}}, "an edge joins kernel 'k1' with itself", "edge[0]"},
    {"an edge into nothing", {{0, 3}}, "an edge joins an unknown kernel", "edge[0]"},
    {"an edge twice", {{0, 1}, {0, 1}}, "a second edge joins 'k0' and 'k1'", "edge[1]"},
};

}  // namespace

BOOST_AUTO_TEST_CASE(forward_layer_has_18_kernels_and_21_edges) {
  const Graph graph = transformer_forward(gpt3_1t());
  BOOST_TEST(graph.kernels.size() == 18u);
  BOOST_TEST(graph.edges.size() == 21u);
  BOOST_TEST(problems_of(graph).empty());
  const double h = 25600;
  BOOST_TEST(total(graph, &Kernel::weight_words) == 12 * h * h);
  // 8 element-wise passes over h s, one over 4 h s, two over a s^2; products: 24 h^2 s and 4 h s^2.
  BOOST_TEST(flop_of(graph) ==
                 7 * h * 2048 + 4 * h * 2048 + 2 * 160.0 * 2048 * 2048 + 24 * h * h * 2048 + 4 * h * 2048.0 * 2048,
             tt::tolerance(1e-15));
}

BOOST_AUTO_TEST_CASE(training_layer_has_41_kernels_and_53_edges) {
  const Graph graph = transformer_training(gpt3_1t());
  BOOST_TEST(graph.kernels.size() == 41u);
  BOOST_TEST(graph.edges.size() == 53u);
  BOOST_TEST(problems_of(graph).empty());
  BOOST_TEST(total(graph, &Kernel::gradient_words) == 12 * 25600.0 * 25600.0);
  // The logged FLOP of an iteration: 128 layers and 3072 sequences.
  BOOST_TEST(flop_of(graph) * 128 * 3072 == 3.850722404619780e19, tt::tolerance(1e-15));
}

BOOST_AUTO_TEST_CASE(gated_layers_have_a_third_matrix_in_both_passes) {
  TransformerSizes sizes = gpt3_1t();
  const Graph plain = transformer_training(sizes);
  sizes.feed_forward = FeedForward::gated;
  const Graph gated = transformer_training(sizes);
  BOOST_TEST(problems_of(gated).empty());
  BOOST_TEST(gated.kernels.size() == plain.kernels.size() + 5);
  const double matrix = sizes.ffn_hidden * sizes.hidden;
  BOOST_TEST(total(gated, &Kernel::weight_words) == total(plain, &Kernel::weight_words) + 2 * matrix);
  BOOST_TEST(total(gated, &Kernel::gradient_words) == total(plain, &Kernel::gradient_words) + matrix);
}

BOOST_AUTO_TEST_CASE(grouped_queries_shrink_keys_and_values) {
  TransformerSizes sizes = gpt3_1t();
  sizes.key_value_heads = 20;
  const Graph graph = transformer_forward(sizes);
  BOOST_TEST(problems_of(graph).empty());
  BOOST_TEST(total(graph, &Kernel::weight_words) == (10 + 2.0 / 8) * 25600.0 * 25600.0);
}

BOOST_AUTO_TEST_CASE(dlrm_has_three_kernels_per_layer) {
  const Graph graph = dlrm_graph({.tables = 600,
                                  .rows_per_table = 1e6,
                                  .embedding_dim = 93,
                                  .pooled_rows = 30,
                                  .mlp_layers = 20,
                                  .bottom_layers = 8,
                                  .mlp_width = 13500,
                                  .samples_per_chip = 128});
  BOOST_TEST(graph.kernels.size() == 60u);
  BOOST_TEST(graph.edges.size() == 4u * 19);
  BOOST_TEST(problems_of(graph).empty());
  BOOST_TEST(flop_of(graph) == 60 * 2 * 13500.0 * 13500 * 128);
  BOOST_TEST(graph.kernels[7].exchange_words * 4 == 857088000.0);  // the eighth layer ends the bottom network
  BOOST_TEST(graph.kernels[32].name == "MLP_bwd_8");
  BOOST_TEST(graph.kernels[32].exchange_words * 4 == 857088000.0);
  BOOST_TEST(total(graph, &Kernel::memory_words) * 4 == 2 * 857088000.0);
}

BOOST_AUTO_TEST_CASE(hpl_shrinks_by_a_block_per_step) {
  const Graph graph = hpl_graph({.matrix_size = 1048576, .block_size = 2048, .steps = 64});
  BOOST_TEST(graph.kernels.size() == 64u);
  BOOST_TEST(graph.edges.size() == 63u);
  BOOST_TEST(graph.kernels[63].m == 1048576 - 63 * 2048);
  BOOST_TEST(flop_of(graph) == 2.542307278418084e17, tt::tolerance(1e-15));  // as logged
}

BOOST_AUTO_TEST_CASE(fft_of_radix_32_works_on_columns_of_512) {
  const Graph graph = fft_graph({.length = 1099511627776.0, .radix = 32});
  BOOST_TEST(graph.kernels[0].k == 512.0);
  BOOST_TEST(flop_of(graph) == 2251799813685248.0);  // as logged
}

BOOST_AUTO_TEST_CASE(levels_are_longest_paths) {
  const std::vector<std::size_t> expected{0, 1, 2, 3};
  const auto levels = topological_levels(chain({{0, 3}, {0, 1}, {1, 2}, {2, 3}}, 4));
  BOOST_REQUIRE(levels.has_value());
  BOOST_TEST(*levels == expected, tt::per_element());
}

BOOST_DATA_TEST_CASE(bad_graphs_say_why, bdata::make(bad_graphs), c) {
  const std::vector<EntryProblem> problems = problems_of(chain(c.edges));
  BOOST_REQUIRE(problems.size() == 1u);
  BOOST_TEST(problems[0].problem == c.problem);
  BOOST_TEST(problems[0].fields.at(0) == c.field);
}

BOOST_AUTO_TEST_CASE(a_cycle_is_told_without_what_leads_to_it_and_from_it) {
  const EntryProblem cycle = problems_of(chain({{0, 1}, {1, 2}, {2, 3}, {3, 1}, {3, 4}}, 5)).at(0);
  BOOST_TEST(cycle.reason == "k1 -> k2 -> k3 -> k1");
  BOOST_TEST(cycle.fields == (std::vector<std::string>{"edge[1]", "edge[2]", "edge[3]"}), tt::per_element());
}

BOOST_AUTO_TEST_CASE(bad_kernels_say_why) {
  Graph graph = chain({});
  graph.kernels[0].m = 0.5;
  graph.kernels[1].k = 2;
  graph.kernels[2].name = "k1";
  graph.kernels[2].memory_words = -1;
  const std::vector<EntryProblem> problems = problems_of(graph);
  BOOST_REQUIRE(problems.size() == 4u);
  BOOST_TEST(problems[0].problem == "'m' of kernel 'k0' is 0.5");
  BOOST_TEST(problems[0].fields.at(0) == "kernel[0].m");
  BOOST_TEST(problems_of({}).front().problem == "the graph has no kernel");
}

BOOST_AUTO_TEST_CASE(a_cycle_is_told_beside_other_problems_of_edges) {
  const std::vector<EntryProblem> problems = problems_of(chain({{0, 3}, {2, 2}, {0, 1}, {1, 0}}));
  BOOST_REQUIRE(problems.size() == 3u);
  BOOST_TEST(problems[2].problem == "the edges form a cycle");
  BOOST_TEST(problems[2].fields == (std::vector<std::string>{"edge[2]", "edge[3]"}), tt::per_element());
}

/// A kernel without a name, an edge from an unknown kernel, a loop and a bad size: each is reported.
BOOST_AUTO_TEST_CASE(all_problems_of_an_entry_are_found) {
  Entry graph;
  graph.texts["kind"] = "graph";
  const auto kernel = [](const char* name, double m) {
    Entry part;
    if (*name != '\0') part.texts["name"] = name;
    part.numbers["m"] = m;
    return part;
  };
  const auto edge = [](const char* from, const char* to) {
    Entry part;
    part.texts = {{"from", from}, {"to", to}};
    return part;
  };
  graph.parts["kernel"] = {kernel("a", 0.5), kernel("", 1), kernel("b", 1)};
  graph.parts["edge"] = {edge("missing", "b"), edge("a", "a"), edge("b", "b")};
  const DecodedGraph decoded = decode_graph(graph);
  std::vector<std::string> fields;
  for (const EntryProblem& problem : decoded.problems) fields.push_back(problem.fields.front());
  const std::vector<std::string> expected{"kernel[1].name", "kernel[0].m", "edge[0].from", "edge[1]", "edge[2]"};
  BOOST_TEST(fields == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
