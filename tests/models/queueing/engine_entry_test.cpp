/// Decoding of engines: rules, defaults and problems.
#include "models/queueing/engine_entry.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(engine_entry_test)

namespace bdata = boost::unit_test::data;
using namespace dfsweep;
using namespace dfsweep::queueing;

BOOST_AUTO_TEST_CASE(an_empty_entry_has_the_defaults) {
  const Decoded<EngineEntry> engine = decode_engine({});
  const EngineRules defaults;
  BOOST_TEST(engine.problems.empty());
  BOOST_TEST((engine.value.rules.prompts == defaults.prompts));
  BOOST_TEST(engine.value.rules.chunk_tokens == defaults.chunk_tokens);
  BOOST_TEST(engine.value.rules.running_limit == defaults.running_limit);
  BOOST_TEST(engine.value.rules.batch_wait_share == defaults.batch_wait_share);
  BOOST_TEST((engine.value.rules.answers == defaults.answers));
  BOOST_TEST((engine.value.rules.memory_base == MemoryBase::all));
  BOOST_TEST(engine.value.cache_share == 0.9);
  BOOST_TEST((engine.value.platforms == Platforms::all()));
}

BOOST_AUTO_TEST_CASE(every_field_is_read) {
  Entry entry;
  entry.texts = {{"prompts", "whole"}, {"answers", "largest"}, {"cache", "recompute"}, {"memory_base", "free"}};
  entry.numbers = {{"chunk_tokens", 4096},   {"batch_limit", 512},    {"receive_interval_steps", 10},
                   {"batch_wait_steps", 20}, {"rank_wait_steps", 60}, {"batch_wait_share", 0.8},
                   {"answer_share", 1},      {"cache_share", 0.85}};
  entry.text_lists["platforms"] = {"cuda", "tpu"};
  const Decoded<EngineEntry> engine = decode_engine(entry);
  const EngineRules& rules = engine.value.rules;
  BOOST_TEST(engine.problems.empty());
  BOOST_TEST((rules.prompts == PromptRule::whole));
  BOOST_TEST((rules.answers == AnswerRule::largest));
  BOOST_TEST((rules.cache == CacheRule::recompute));
  BOOST_TEST((rules.memory_base == MemoryBase::free));
  BOOST_TEST(rules.chunk_tokens == 4096.0);
  BOOST_TEST(rules.running_limit == 512.0);
  BOOST_TEST(rules.receive_interval_steps == 10.0);
  BOOST_TEST(rules.batch_wait_steps == 20.0);
  BOOST_TEST(rules.rank_wait_steps == 60.0);
  BOOST_TEST(rules.batch_wait_share == 0.8);
  BOOST_TEST(rules.answer_share == 1.0);
  BOOST_TEST(engine.value.cache_share == 0.85);
  BOOST_TEST((engine.value.platforms == Platforms{Platform::cuda, Platform::tpu}));
}

namespace {

struct BadNumber {
  const char* field;
  double value;
  const char* why;
};
const BadNumber bad_numbers[] = {
    {"chunk_tokens", 0.5, "tokens are whole"},         {"batch_limit", 0.0, "nothing would run"},
    {"receive_interval_steps", 0.0, "no look at all"}, {"batch_wait_steps", -1.0, "negative"},
    {"batch_wait_share", 1.5, "more than a chunk"},    {"answer_share", 0.0, "no answer fits"},
    {"cache_share", 2.0, "more than all memory"},
};

}  // namespace

BOOST_DATA_TEST_CASE(numbers_out_of_range_are_problems, bdata::make(bad_numbers)) {
  Entry entry;
  entry.numbers[sample.field] = sample.value;
  const Decoded<EngineEntry> engine = decode_engine(entry);
  BOOST_TEST_REQUIRE(engine.problems.size() == 1u);
  BOOST_TEST(engine.problems.front().fields.front() == sample.field);
}

BOOST_AUTO_TEST_CASE(an_unknown_rule_is_a_problem) {
  Entry entry;
  entry.texts["prompts"] = "sliced";
  entry.text_lists["platforms"] = {"cuda", "cuad"};
  BOOST_TEST(decode_engine(entry).problems.size() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
