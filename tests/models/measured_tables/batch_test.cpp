/// The grammar of batches, by examples; parts by hand.
#include "models/measured_tables/batch.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(batch_test)

namespace bdata = boost::unit_test::data;
using namespace dfsweep;

namespace {

struct GoodCase {
  const char* text;
  RequestBatch batch;
};

const GoodCase good_cases[] = {
    {"d1@1000", {{{1, 1, 1000}}, {}}},
    {"p512@0", {{}, {{1, 512, 0}}}},
    {"8xd1@1000;p512@0", {{{8, 1, 1000}}, {{1, 512, 0}}}},
    {"p134@256;d1@2375;2xp121@0", {{{1, 1, 2375}}, {{1, 134, 256}, {2, 121, 0}}}},
    {" 8xd1@7 ; d1@0 ; ", {{{8, 1, 7}, {1, 1, 0}}, {}}},
    {"", {}},
};

struct BadCase {
  const char* why;
  const char* text;
  const char* problem;
};

const BadCase bad_cases[] = {
    {"no such kind", "d1@5;x7@3", "item 2, 'x7@3', is not a request"},
    {"no context", "p512", "item 1, 'p512', is not a request"},
    {"two tokens at once", "d2@5", "item 1, 'd2@5', is not a request"},
    {"an empty chunk", "p0@5", "item 1, 'p0@5', is not a request"},
    {"none of them", "0xd1@5", "item 1, '0xd1@5', is not a request"},
    {"an empty item", "d1@5;;d1@6", "item 2, '', is not a request"},
    {"something behind", "d1@5k", "item 1, 'd1@5k', is not a request"},
    {"a sign", "p-5@0", "item 1, 'p-5@0', is not a request"},
    {"a fraction", "p5.5@0", "item 1, 'p5.5@0', is not a request"},
    {"more than fits in any integer", "p99999999999999999999@0", "item 1, 'p99999999999999999999@0', is not a request"},
    {"more than anybody has", "p100000000@0;1000000xd1@5;1000000xp100000@0", "the batch is too large"},
};

}  // namespace

BOOST_DATA_TEST_CASE(a_text_is_a_batch, bdata::make(good_cases), c) {
  const auto parsed = parse_batch(c.text);
  BOOST_REQUIRE(std::holds_alternative<RequestBatch>(parsed));
  BOOST_TEST((std::get<RequestBatch>(parsed) == c.batch));
}

BOOST_DATA_TEST_CASE(another_text_is_none, bdata::make(bad_cases), c) {
  const auto parsed = parse_batch(c.text);
  BOOST_REQUIRE(std::holds_alternative<BatchProblem>(parsed));
  BOOST_TEST(std::get<BatchProblem>(parsed).problem == c.problem);
  BOOST_TEST(!std::get<BatchProblem>(parsed).reason.empty());
}

BOOST_AUTO_TEST_CASE(parts_count_requests_tokens_and_whole_pages) {
  // 15 + 1 tokens fill a page of 16, 16 + 1 need a second one.
  const BatchPart decode = part_of({{2, 1, 15}, {3, 1, 16}}, 16.0);
  BOOST_TEST(decode.requests == 5.0);
  BOOST_TEST(decode.tokens == 5.0);
  BOOST_TEST(decode.cached_tokens == 2 * 16.0 + 3 * 32.0);
  const BatchPart prefill = part_of({{2, 100, 28}}, 16.0);
  BOOST_TEST(prefill.tokens == 200.0);
  BOOST_TEST(prefill.cached_tokens == 2 * 128.0);
}

BOOST_AUTO_TEST_CASE(uniform_batches_leave_out_what_is_not_there) {
  BOOST_TEST((uniform_batch({8, 1, 100}, {1, 0, 0}) == RequestBatch{{{8, 1, 100}}, {}}));
  BOOST_TEST((uniform_batch({0, 1, 100}, {2, 64, 32}) == RequestBatch{{}, {{2, 64, 32}}}));
  BOOST_TEST(uniform_batch({0, 1, 0}, {0, 64, 0}).empty());
}

BOOST_AUTO_TEST_SUITE_END()
