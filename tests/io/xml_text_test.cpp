/// What XML takes for itself is escaped, and what no terminal or reader should see is replaced.
#include "io/xml_text.hpp"

#include <boost/test/unit_test.hpp>

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(xml_text_test)

BOOST_AUTO_TEST_CASE(markup_and_control_characters_lose_their_meaning) {
  BOOST_TEST(xml_text("a < b & \"c\" > 'd'") == "a &lt; b &amp; &quot;c&quot; &gt; 'd'");
  BOOST_TEST(xml_text("\x1b[1m\nx") == "\\x1b[1m\\x0ax");
  BOOST_TEST(xml_text("µs") == "µs");
  BOOST_TEST(xml_text("") == "");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
