/// Colour and width decisions, and tables that fit.
#include "io/terminal.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <map>

#include "tests/support/named_rows.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(terminal_test)

namespace {

struct Decision {
  const char* why;
  StreamKind kind;
  ColourChoice choice;
  std::map<std::string, std::string> environment;
  bool colour;
};

const Decision decisions[] = {
    {"a terminal shows colour", StreamKind::terminal, ColourChoice::automatic, {{"TERM", "xterm"}}, true},
    {"a file does not", StreamKind::other, ColourChoice::automatic, {{"TERM", "xterm"}}, false},
    {"nor a dumb terminal", StreamKind::terminal, ColourChoice::automatic, {{"TERM", "dumb"}}, false},
    {"nor one of unknown kind", StreamKind::terminal, ColourChoice::automatic, {}, false},
    {"NO_COLOR wins over a terminal",
     StreamKind::terminal,
     ColourChoice::automatic,
     {{"TERM", "xterm"}, {"NO_COLOR", "1"}},
     false},
    {"an empty NO_COLOR does not count",
     StreamKind::terminal,
     ColourChoice::automatic,
     {{"TERM", "xterm"}, {"NO_COLOR", ""}},
     true},
    {"NO_COLOR wins over forcing",
     StreamKind::other,
     ColourChoice::automatic,
     {{"FORCE_COLOR", "1"}, {"NO_COLOR", "1"}},
     false},
    {"FORCE_COLOR colours a file", StreamKind::other, ColourChoice::automatic, {{"FORCE_COLOR", "1"}}, true},
    {"CLICOLOR_FORCE too", StreamKind::other, ColourChoice::automatic, {{"CLICOLOR_FORCE", "1"}}, true},
    {"but not as 0", StreamKind::other, ColourChoice::automatic, {{"CLICOLOR_FORCE", "0"}}, false},
    {"CLICOLOR=0 turns it off",
     StreamKind::terminal,
     ColourChoice::automatic,
     {{"TERM", "xterm"}, {"CLICOLOR", "0"}},
     false},
    {"the command line wins over NO_COLOR", StreamKind::other, ColourChoice::always, {{"NO_COLOR", "1"}}, true},
    {"and over forcing", StreamKind::terminal, ColourChoice::never, {{"FORCE_COLOR", "1"}}, false},
};

Environment environment_of(const std::map<std::string, std::string>& variables) {
  return [variables](std::string_view name) -> std::optional<std::string> {
    const auto found = variables.find(std::string(name));
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
}

BOOST_DATA_TEST_CASE(colour_is_decided_by_precedence, boost::unit_test::data::make(decisions), decision) {
  const Terminal terminal = decide_terminal(decision.kind, 100, decision.choice, environment_of(decision.environment));
  BOOST_TEST(terminal.colour == decision.colour);
}

BOOST_AUTO_TEST_CASE(width_is_what_the_terminal_says_else_COLUMNS_else_80) {
  const auto width = [](StreamKind kind, std::size_t columns, const std::map<std::string, std::string>& variables) {
    return decide_terminal(kind, columns, ColourChoice::never, environment_of(variables)).width;
  };
  BOOST_TEST(width(StreamKind::terminal, 132, {{"COLUMNS", "40"}}) == 132U);
  BOOST_TEST(width(StreamKind::terminal, 0, {{"COLUMNS", "40"}}) == 40U);
  BOOST_TEST(width(StreamKind::terminal, 0, {}) == 80U);
  BOOST_TEST(width(StreamKind::other, 0, {{"COLUMNS", "40"}}) == 0U);
}

const std::vector<TextColumn> three_columns = {
    {.heading = "device", .unit = "", .align = Align::left, .cells = {"h100", "tpu-v4"}, .weight = 1},
    {.heading = "ways", .unit = "", .align = Align::right, .cells = {"8", "16"}, .weight = 0},
    {.heading = "step_time", .unit = "ms", .align = Align::right, .cells = {"3.812", "12.000"}, .weight = 2},
};

BOOST_AUTO_TEST_CASE(tables_align_and_carry_units_below_the_heading) {
  BOOST_TEST(render_table(three_columns, Terminal{}).text ==
             "device  ways  step_time\n"
             "                     ms\n"
             "h100       8      3.812\n"
             "tpu-v4    16     12.000\n");
}

BOOST_AUTO_TEST_CASE(the_lightest_columns_go_where_the_width_does_not_suffice) {
  const RenderedTable table = render_table(three_columns, Terminal{.width = 20, .is_terminal = true});
  BOOST_TEST(table.text == "device  step_time\n               ms\nh100        3.812\ntpu-v4     12.000\n");
  BOOST_TEST((table.left_out == std::vector<std::string>{"ways"}));
}

BOOST_AUTO_TEST_CASE(no_control_characters_without_colour) {
  BOOST_TEST(toned(Terminal{}, Tone::red, "x") == "x");
  BOOST_TEST(toned(Terminal{.colour = true}, Tone::red, "x") == "\x1b[31mx\x1b[0m");
  BOOST_TEST(printable("a\x1b[31m\nb\x7f\xFFµ\xC2\x9B") == "a\\x1b[31m\\x0ab\\x7f\\xffµ\\xc2\\x9b");
}

BOOST_AUTO_TEST_CASE(no_character_turns_or_hides_the_text_around_it) {
  struct Case {
    const char* text;
    const char* shown;
    const char* why;
  };
  const Case cases[] = {
      {"a\u202Eb", "a\\xe2\\x80\\xaeb", "right-to-left override"},
      {"a\u2066b", "a\\xe2\\x81\\xa6b", "left-to-right isolate"},
      {"\u200F", "\\xe2\\x80\\x8f", "right-to-left mark"},
      {"\u061C", "\\xd8\\x9c", "Arabic letter mark"},
      {"a\u200Bb", "a\\xe2\\x80\\x8bb", "a space without width"},
      {"\uFEFFa", "\\xef\\xbb\\xbfa", "byte order mark"},
      {"\u2028", "\\xe2\\x80\\xa8", "line separator"},
      {"\U000E0041", "\\xf3\\xa0\\x81\\x81", "a tag, invisible"},
      {"\u05D0\u0628\u4E2D\u00B5\U0001F600", "\u05D0\u0628\u4E2D\u00B5\U0001F600", "letters of any direction stay"},
  };
  for (const Case& one : cases) BOOST_TEST(printable(one.text) == one.shown, one.why);
  BOOST_TEST(printable_lines("a\nb\u202E") == "a\nb\\xe2\\x80\\xae");
}

BOOST_AUTO_TEST_CASE(columns_that_allow_it_are_broken_into_lines_first) {
  const std::vector<TextColumn> columns = {
      {.heading = "name", .cells = {"a", "b"}},
      {.heading = "meaning", .cells = {"one two three", "four"}, .narrowest = 7},
  };
  BOOST_TEST(render_table(columns, Terminal{.width = 14, .is_terminal = true}).text ==
             "name  meaning\n"
             "a     one two\n"
             "      three\n"
             "b     four\n");
  const RenderedTable narrow = render_table(columns, Terminal{.width = 12, .is_terminal = true});
  BOOST_TEST(narrow.text == "name\na\nb\n");
  BOOST_TEST((narrow.left_out == std::vector<std::string>{"meaning"}));
}

BOOST_AUTO_TEST_CASE(a_note_names_the_columns_that_were_dropped) {
  const std::vector<TextColumn> columns = {{.heading = "name", .cells = {"a"}, .weight = 1},
                                           {.heading = "unit", .cells = {"s"}},
                                           {.heading = "value", .cells = {"1"}}};
  BOOST_TEST(table_with_note(columns, Terminal{.width = 80, .is_terminal = true}, 1) ==
             " name  unit  value\n a     s     1\n");
  BOOST_TEST(table_with_note(columns, Terminal{.width = 9, .is_terminal = true}) ==
             "name\na\n(not\nshown for\nlack of\nwidth:\nunit,\nvalue)\n");
}

BOOST_AUTO_TEST_CASE(text_is_broken_at_blanks_and_counted_in_code_points) {
  BOOST_TEST((broken_into_lines("µµ µµ", 5) == std::vector<std::string>{"µµ µµ"}));
  BOOST_TEST((broken_into_lines("µµµµµ x", 3) == std::vector<std::string>{"µµµ", "µµ", "x"}));
  BOOST_TEST(wrapped("one two three", Terminal{.width = 9}, 2) == "one two\n  three\n");
  BOOST_TEST(wrapped("one two three", Terminal{}, 2) == "one two three\n");
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
