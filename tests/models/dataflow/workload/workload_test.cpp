/// Decoding of workloads: defaults, overrides, user graphs, and what is wrong with entries.
#include "models/dataflow/workload/workload.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/support/dataflow_point.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(workload_test)

namespace bdata = boost::unit_test::data;
using namespace dfsweep;
using namespace dfsweep::dataflow;
using dfsweep::testing::transformer_entry;

namespace {

Entry with(Entry entry, const char* field, double value) {
  entry.numbers[field] = value;
  return entry;
}
Entry without(Entry entry, const char* field) {
  entry.numbers.erase(field);
  return entry;
}
Entry of_kind(const char* kind, std::map<std::string, double, std::less<>> numbers) {
  Entry entry;
  entry.texts["kind"] = kind;
  entry.numbers = std::move(numbers);
  return entry;
}

Entry part(std::map<std::string, std::string, std::less<>> texts, std::map<std::string, double, std::less<>> numbers) {
  Entry entry;
  entry.texts = std::move(texts);
  entry.numbers = std::move(numbers);
  return entry;
}

Entry user_graph() {
  Entry entry = of_kind("graph", {{"layers", 3}, {"boundary_words", 64}, {"global_batch", 8}});
  entry.parts["kernel"] = {part({{"name", "x"}, {"type", "elementwise"}}, {{"m", 8}, {"n", 8}}),
                           part({{"name", "w"}, {"tiling", "n"}, {"pass", "backward"}},
                                {{"m", 4}, {"k", 8}, {"n", 8}, {"weight_words", 32}, {"memory_words", 5}})};
  entry.parts["edge"] = {part({{"from", "x"}, {"to", "w"}}, {})};
  return entry;
}

Entry with_edge(const char* from, const char* to) {
  Entry entry = user_graph();
  entry.parts["edge"].push_back(part({{"from", from}, {"to", to}}, {}));
  return entry;
}

Entry with_kernel(std::map<std::string, std::string, std::less<>> texts,
                  std::map<std::string, double, std::less<>> numbers) {
  Entry entry = user_graph();
  entry.parts["kernel"].push_back(part(std::move(texts), std::move(numbers)));
  return entry;
}

struct BadCase {
  const char* why;
  Entry entry;
};

const Entry gpt = transformer_entry(64, 4, 2, 16, 8);
const Entry fft = of_kind("fft", {{"length", 1024}, {"radix", 4}});
const Entry hpl = of_kind("hpl", {{"matrix_size", 64}, {"block_size", 8}, {"steps", 4}});
const std::map<std::string, double, std::less<>> dlrm_numbers{
    {"tables", 2},     {"rows_per_table", 10}, {"embedding_dim", 4}, {"pooled_rows", 3},
    {"mlp_layers", 4}, {"bottom_layers", 2},   {"mlp_width", 8},     {"samples_per_chip", 16}};

const BadCase bad_cases[] = {
    {"no kind", Entry{}},
    {"an unknown kind", of_kind("mixer", {})},
    {"no hidden", without(gpt, "hidden")},
    {"no layers", without(gpt, "layers")},
    {"no sequence length anywhere", without(gpt, "sequence_length")},
    {"half a head", with(gpt, "heads", 3.5)},
    {"heads that do not divide hidden", with(gpt, "heads", 3)},
    {"key-value heads that do not divide heads", with(gpt, "key_value_heads", 3)},
    {"words of no bytes", with(gpt, "word_bytes", 0)},
    {"a broken batch", with(gpt, "global_batch", 1.5)},
    {"a transform that is no square", with(fft, "length", 2048)},
    {"a radix of one", with(fft, "radix", 1)},
    {"more steps than blocks", with(hpl, "steps", 9)},
    {"more bottom layers than layers", with(of_kind("dlrm", dlrm_numbers), "bottom_layers", 5)},
    {"a graph without kernels", of_kind("graph", {})},
    {"an edge to nowhere", with_edge("x", "z")},
    {"a cycle", with_edge("w", "x")},
    {"a kernel twice", with_kernel({{"name", "x"}}, {})},
    {"an unknown type", with_kernel({{"name", "y"}, {"type", "sparse"}}, {})},
    {"an unknown tiling", with_kernel({{"name", "y"}, {"tiling", "m"}}, {})},
    {"an unknown pass", with_kernel({{"name", "y"}, {"pass", "sideways"}}, {})},
    {"no layers of a graph", with(user_graph(), "layers", 0)},
};

}  // namespace

BOOST_DATA_TEST_CASE(bad_entries_say_why, bdata::make(bad_cases), c) {
  BOOST_TEST(!decode_workload(c.entry, {}).problems.empty());
}

BOOST_AUTO_TEST_CASE(transformers_default_to_the_plain_layer) {
  const DecodedWorkload decoded = decode_workload(gpt, {});
  BOOST_TEST(decoded.problems.empty());
  BOOST_TEST(decoded.workload.graph.kernels.size() == 41u);
  BOOST_TEST(decoded.workload.word_bytes == 2.0);
  BOOST_TEST(decoded.workload.boundary_words == 64 * 16.0);
  BOOST_TEST(decoded.workload.graph.kernels[13].m == 256.0);  // FFN0
}

BOOST_AUTO_TEST_CASE(choices_replace_what_the_entry_says) {
  WorkloadChoices choices;
  choices.phase = Phase::prefill;
  choices.sequence_length = 32;
  choices.word_bytes = 4;
  const Workload w = decode_workload(without(gpt, "sequence_length"), choices).workload;
  BOOST_TEST(w.graph.kernels.size() == 18u);
  BOOST_TEST(w.graph.kernels[0].n == 32.0);
  BOOST_TEST(w.word_bytes == 4.0);
}

BOOST_AUTO_TEST_CASE(the_plain_reading_ignores_gates_and_grouped_queries) {
  const Entry llama = with(with(gpt, "gated_ffn", 1), "key_value_heads", 2);
  WorkloadChoices choices;
  choices.phase = Phase::prefill;
  const Workload described = decode_workload(llama, choices).workload;
  BOOST_TEST(described.graph.kernels.size() == 20u);
  BOOST_TEST(described.graph.kernels[3].outer == 2.0);
  choices.layer_detail = LayerDetail::plain;
  const Workload plain = decode_workload(llama, choices).workload;
  BOOST_TEST(plain.graph.kernels.size() == 18u);
  BOOST_TEST(plain.graph.kernels[3].outer == 4.0);
}

BOOST_AUTO_TEST_CASE(programs) {
  const Workload dlrm = decode_workload(of_kind("dlrm", dlrm_numbers), {}).workload;
  BOOST_TEST(dlrm.samples_per_pass == 16.0);
  BOOST_TEST(dlrm.machine_words == 2 * 10 * 4.0);
  BOOST_TEST((dlrm.spread == Spread::replicated));
  const Workload solver = decode_workload(hpl, {}).workload;
  BOOST_TEST(solver.machine_words == 64 * 64.0);
  BOOST_TEST(solver.flop == 2 * 8.0 * (64 * 64 + 56 * 56 + 48 * 48 + 40 * 40));
  const Workload transform = decode_workload(fft, {}).workload;
  BOOST_TEST(transform.graph.kernels[0].m == 32.0);
  BOOST_TEST(transform.graph.kernels[0].k == 4 * 5.0 / 2 * 4);
}

BOOST_AUTO_TEST_CASE(user_graphs) {
  const DecodedWorkload decoded = decode_workload(user_graph(), {});
  BOOST_TEST(decoded.problems.empty());
  const Workload& w = decoded.workload;
  BOOST_TEST(w.layers == 3.0);
  BOOST_TEST(w.boundary_words == 64.0);
  BOOST_TEST(w.graph.edges.size() == 1u);
  BOOST_TEST((w.graph.kernels[1].pass == Pass::backward));
  BOOST_TEST((w.graph.kernels[1].tiling == Tiling::n));
  BOOST_TEST(w.graph.kernels[1].memory_words == 5.0);
  BOOST_TEST(w.flop == 64 + 2 * 4 * 8 * 8.0);
}

BOOST_AUTO_TEST_SUITE_END()
