/// JSON as written and as read.
#include "io/json.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(json_test)

namespace {

BOOST_AUTO_TEST_CASE(members_keep_their_order_and_numbers_their_digits) {
  const Json json = JsonObject{{"z", 1}, {"a", 0.1}, {"big", std::numeric_limits<std::uint64_t>::max()}, {"yes", true}};
  BOOST_TEST(to_text(json, JsonStyle::one_line) == R"({"z":1,"a":0.1,"big":18446744073709551615,"yes":true})");
}

BOOST_AUTO_TEST_CASE(what_json_cannot_say_is_null) {
  const Json json = JsonArray{std::nan(""), std::numeric_limits<double>::infinity(), Json()};
  BOOST_TEST(to_text(json, JsonStyle::one_line) == "[null,null,null]");
}

BOOST_AUTO_TEST_CASE(texts_are_escaped_and_made_valid) {
  BOOST_TEST(quoted("a\"b\\c\n\t\x01") == R"("a\"b\\c\n\t\u0001")");
  BOOST_TEST(quoted("µs") == "\"µs\"");
  BOOST_TEST(quoted("\xFF") == "\"\xEF\xBF\xBD\"");
  BOOST_TEST(quoted("\xC0\x80") == "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

BOOST_AUTO_TEST_CASE(indented_text_keeps_scalars_on_one_line) {
  const Json json =
      JsonObject{{"list", JsonArray{1, 2}}, {"empty", JsonObject{}}, {"objects", JsonArray{JsonObject{{"a", 1}}}}};
  BOOST_TEST(to_text(json) ==
             "{\n  \"list\": [1, 2],\n  \"empty\": {},\n  \"objects\": [\n    {\n      \"a\": 1\n    }\n  ]\n}\n");
}

BOOST_AUTO_TEST_CASE(what_is_written_reads_back) {
  const std::string text = R"({"a":[1,-2,0.5,"x",null,false],"b":{"c":18446744073709551615}})";
  const Json json = parse_json(text);
  BOOST_TEST(to_text(json, JsonStyle::one_line) == text);
  BOOST_TEST(json.at("b").at("c").whole() == std::numeric_limits<std::uint64_t>::max());
  BOOST_TEST(json.at("a").array()[1].number() == -2.0);
  BOOST_TEST(json.find("missing") == nullptr);
}

BOOST_AUTO_TEST_CASE(malformed_text_and_wrong_kinds_are_errors) {
  for (const char* text : {"", "{", "[1,]", "{\"a\":1}x", "\"\x01\"", "nul", "1e999"})
    BOOST_CHECK_THROW(static_cast<void>(parse_json(text)), JsonError);
  const Json json = parse_json("{\"a\":-1}");
  BOOST_CHECK_THROW(static_cast<void>(json.at("b")), JsonError);
  BOOST_CHECK_THROW(static_cast<void>(json.at("a").text()), JsonError);
  BOOST_CHECK_THROW(static_cast<void>(json.at("a").whole()), JsonError);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
