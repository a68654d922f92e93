/// Words of other tools, and what is suggested for unknown parameters.
#include "engine/sweep/other_words.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "engine/sweep/estimators.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(other_words_test)

namespace bdata = boost::unit_test::data;
using namespace dfsweep;

namespace {

struct HintCase {
  const char* why;
  const char* estimator;
  const char* word;
  const char* hint;
};
const HintCase hint_cases[] = {
    {"an abbreviation", "training", "tp", "It is called 'tensor_parallel' here"},
    {"in capitals", "training", "TP", "It is called 'tensor_parallel' here"},
    {"an option with dashes", "serving", "tensor-parallel-size", "It is called 'tensor_parallel' here"},
    {"a word with several meanings, in training", "training", "batch_size", "It is called 'global_batch' here"},
    {"and in serving", "serving", "batch_size", "It is called 'batch' here"},
    {"a metric that is given as a parameter", "serving", "users", "It is called 'concurrency' here"},
    {"a rate that is given", "serving", "request_rate", "It is called 'arrival_rate' here"},
    {"a metric", "serving", "ttft",
     "'time_to_first_token' is a metric. 'dfsweep show RESULT --where \"time_to_first_token < ...\"' keeps rows by it"},
    {"the limit of a metric", "training", "max_memory_used",
     "'memory_used' is a metric. 'dfsweep show RESULT --where \"memory_used < ...\"' keeps rows by it"},
    {"a parameter of another estimator", "hyperparameters", "draft_window",
     "Estimators 'serving', 'serving_study' have it"},
    {"a letter too many", "training", "global_batchs", "Did you mean 'global_batch'?"},
    {"no word at all", "training", "zzzzzzzz", "'dfsweep describe training' lists its parameters"},
};

}  // namespace

BOOST_DATA_TEST_CASE(unknown_parameters_get_a_hint, bdata::make(hint_cases)) {
  const Estimator* estimator = find_estimator(sample.estimator);
  BOOST_REQUIRE(estimator != nullptr);
  BOOST_TEST(unknown_parameter_hint(sample.word, *estimator, estimators()) == sample.hint);
}

BOOST_AUTO_TEST_CASE(every_word_leads_to_a_name_of_some_estimator) {
  for (const char* word :
       {"tp", "pp",    "dp",   "ep",    "cp",           "vpp", "mbs",  "gbs",        "isl",  "osl",
        "lr", "dtype", "fsdp", "remat", "max_num_seqs", "mfu", "tpot", "throughput", "days", "hbm_bandwidth"}) {
    std::size_t found = 0;
    for (const Estimator* estimator : estimators()) {
      std::vector<std::string> names;
      for (const ParameterInfo& info : estimator->parameters()) names.emplace_back(info.name);
      for (const MetricInfo& info : estimator->metrics()) names.emplace_back(info.name);
      found += own_word(word, names).empty() ? 0 : 1;
    }
    BOOST_TEST(found > 0u, word);
  }
}

BOOST_AUTO_TEST_SUITE_END()
