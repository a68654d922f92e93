/// Base64 against the vectors of RFC 4648.
#include "io/html/base64.hpp"

#include <array>
#include <boost/test/unit_test.hpp>
#include <string_view>

namespace dfsweep::html {

BOOST_AUTO_TEST_SUITE(base64_test)

namespace {

std::string encoded(std::string_view text) {
  return base64(std::as_bytes(std::span(text)));
}

BOOST_AUTO_TEST_CASE(vectors_of_rfc_4648_section_10) {
  BOOST_TEST(encoded("") == "");
  BOOST_TEST(encoded("f") == "Zg==");
  BOOST_TEST(encoded("fo") == "Zm8=");
  BOOST_TEST(encoded("foo") == "Zm9v");
  BOOST_TEST(encoded("foob") == "Zm9vYg==");
  BOOST_TEST(encoded("fooba") == "Zm9vYmE=");
  BOOST_TEST(encoded("foobar") == "Zm9vYmFy");
}

BOOST_AUTO_TEST_CASE(bytes_above_127_and_both_signs_of_the_alphabet) {
  BOOST_TEST(encoded("\xFB\xFF\xFE") == "+//+");
  BOOST_TEST(encoded(std::string_view("\0\0\0\0", 4)) == "AAAAAA==");
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep::html
