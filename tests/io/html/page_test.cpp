/// The page without a browser: what is escaped, that nothing is loaded, and that the policy allows our script only.
#include "io/html/page.hpp"

#include <boost/test/unit_test.hpp>
#include <string_view>

namespace dfsweep::html {

BOOST_AUTO_TEST_SUITE(page_test)

namespace {

Page small_page() {
  return {.title = "small",
          .heading = "small",
          .description = "two rows",
          .remarks = {"fronts are exact"},
          .notices = {"3 of 5 blocks are complete"},
          .counts = {{"rows", "2"}},
          .provenance = {{"program", "0.1.0"}},
          .tables = {{.caption = "Best rows",
                      .headers = {"device", "step_time [s]"},
                      .rows = {{"h100", "1.5"}, {"tpu-v4", "2"}},
                      .numeric = {false, true}}},
          .data = R"({"format":"dfsweep-report","version":1})"};
}

bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::size_t times(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

BOOST_AUTO_TEST_CASE(a_table_has_scopes_and_numbers_flush_right) {
  const std::string text = html_page(small_page());
  BOOST_TEST(holds(text, "<caption>Best rows</caption>"));
  BOOST_TEST(holds(text, R"(<th scope="col">device</th><th scope="col" class="n">step_time [s]</th>)"));
  BOOST_TEST(holds(text, R"(<th scope="row">h100</th><td class="n">1.5</td>)"));
  BOOST_TEST(holds(text, "<b>2</b> rows"));
  BOOST_TEST(holds(text, "<dt>program</dt><dd>0.1.0</dd>"));
  BOOST_TEST(holds(text, "3 of 5 blocks are complete"));
}

BOOST_AUTO_TEST_CASE(labels_never_become_markup) {
  constexpr std::string_view hostile = R"(</script><b onclick="x">&)";
  const std::string label(hostile);
  const std::string text = html_page({.title = label,
                                      .heading = label,
                                      .description = label,
                                      .remarks = {label},
                                      .notices = {label},
                                      .counts = {{label, label}},
                                      .provenance = {{label, label}},
                                      .tables = {{label, {label}, {{label}}, {}}},
                                      .data = R"({"name":"</script><b>"})"});
  BOOST_TEST(!holds(text, hostile));
  // title, heading, description, remark, notice, twice a count, twice the provenance, caption and its name, header,
  // cell
  BOOST_TEST(times(text, "&lt;/script&gt;&lt;b onclick=&quot;x&quot;&gt;&amp;") == 13U);
  BOOST_TEST(times(text, "</script>") == 2U);  // of the data and of the program
  BOOST_TEST(holds(text, R"({"name":"\u003c/script>\u003cb>"})"));
}

BOOST_AUTO_TEST_CASE(the_policy_names_hashes_and_forbids_the_rest) {
  const std::string text = html_page(small_page());
  BOOST_TEST(holds(text, "default-src 'none'; script-src 'sha256-"));
  BOOST_TEST(holds(text, "; style-src 'sha256-"));
  BOOST_TEST(!holds(text, "unsafe-inline"));
  BOOST_TEST(!holds(text, "src=\"http"));
  BOOST_TEST(!holds(text, "href=\"http"));
  BOOST_TEST(times(text, "<script") == 2U);
  BOOST_TEST(times(text, "<style") == 1U);
  BOOST_TEST(!holds(text, " style=\""));  // the policy would ignore it
}

BOOST_AUTO_TEST_CASE(notices_come_before_the_drawings_and_remarks_behind) {
  const std::string text = html_page(small_page());
  const std::size_t app = text.find("<div id=\"app\"");
  BOOST_TEST(text.find("3 of 5 blocks") < app);
  for (const std::string_view part :
       {"fronts are exact", "<b>2</b> rows", "<details id=\"fixed\"", "<dt>program</dt>"}) {
    BOOST_TEST(holds(text, part));
    BOOST_TEST(text.find(part) > app, part);
  }
}

BOOST_AUTO_TEST_CASE(parts_without_content_are_left_out) {
  const std::string text = html_page({.title = "t", .heading = "t", .data = "{}"});
  for (const std::string_view part : {"class=\"notice\" role", "<ul", "<dl", "id=\"about\"", "id=\"plain\"", "<table"})
    BOOST_TEST(!holds(text, part), part);
  BOOST_TEST(holds(text, "<noscript>"));
}

BOOST_AUTO_TEST_CASE(equal_pages_give_equal_bytes) {
  BOOST_TEST(html_page(small_page()) == html_page(small_page()));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_page_loads_itself_again_only_where_it_is_asked_to) {
  Page page = small_page();
  BOOST_TEST(html_page(page).find("reload-seconds\" content") == std::string::npos);
  BOOST_TEST(html_page(page).find("http-equiv=\"refresh\"") == std::string::npos);
  page.reload_seconds = 3;
  const std::string text = html_page(page);
  BOOST_TEST(text.find("<meta name=\"reload-seconds\" content=\"3\">") != std::string::npos);
  BOOST_TEST(text.find("<noscript><meta http-equiv=\"refresh\" content=\"3\"></noscript>") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep::html
