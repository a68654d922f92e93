/// Entries of models: what Calculon cannot model is refused, not left out.
#include "models/calculon/points/entries.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/support/named_rows.hpp"

namespace bdata = boost::unit_test::data;

namespace dfsweep::calculon {

BOOST_AUTO_TEST_SUITE(entries_test)

namespace {

Entry model() {
  Entry entry;
  entry.name = "small";
  entry.texts["kind"] = "transformer";
  entry.numbers = {{"layers", 8}, {"hidden", 64}, {"heads", 4}, {"sequence_length", 32}};
  return entry;
}

struct FieldCase {
  const char* why;
  const char* field;
  double value;
  const char* problem;  ///< "": none
};

const FieldCase field_cases[] = {
    {"no gate", "gated_ffn", 0, ""},
    {"a gate is a third matrix", "gated_ffn", 1, "'gated_ffn' is 1"},
    {"as many heads of keys as of queries", "key_value_heads", 4, ""},
    {"shared keys are smaller products", "key_value_heads", 2, "'key_value_heads' is not 'heads'"},
    {"no experts", "experts", 0, ""},
    {"experts", "experts", 8, "'experts' is above 0"},
    {"latent attention", "query_rank", 16, "'query_rank' is given: latent attention"},
    {"sparse attention", "index_heads", 16, "'index_heads' is above 0: sparse attention"},
    {"linear attention", "linear_layers", 1, "'linear_layers' is above 0: linear attention"},
};

}  // namespace

BOOST_AUTO_TEST_CASE(fields_have_defaults) {
  const Decoded<TrainedModel> found = decode_trained_model(model());
  BOOST_TEST(found.problems.empty());
  BOOST_TEST(found.value.shape.head_size == 16);
  BOOST_TEST(found.value.shape.feedforward == 256);
}

BOOST_DATA_TEST_CASE(other_models_are_refused, bdata::make(field_cases)) {
  Entry entry = model();
  entry.numbers[sample.field] = sample.value;
  const Decoded<TrainedModel> found = decode_trained_model(entry);
  BOOST_TEST(found.problems.size() == (*sample.problem == '\0' ? 0u : 1u));
  for (const EntryProblem& problem : found.problems) BOOST_TEST(problem.problem == sample.problem);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep::calculon
