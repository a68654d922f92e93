/// The command that continues a run, as a shell reads it.
#include "engine/commands/run.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(run_test)

namespace {

using namespace dfsweep;

struct ResumeCase {
  const char* why;
  std::vector<std::string> arguments;
  const char* command;
};
const ResumeCase resume_cases[] = {
    {"as it was typed", {"run", "slow.toml", "--out", "runs/x"}, "dfsweep run slow.toml --out runs/x"},
    {"a fresh start is not repeated", {"run", "slow.toml", "--fresh"}, "dfsweep run slow.toml"},
    {"a time limit stays",
     {"run", "slow.toml", "--time-limit", "1:30:00"},
     "dfsweep run slow.toml --time-limit 1:30:00"},
    {"blanks and dollars are quoted", {"run", "my $sweep.toml"}, "dfsweep run 'my $sweep.toml'"},
    {"a quote inside of quotes", {"run", "it's.toml"}, "dfsweep run 'it'\\''s.toml'"},
    {"an empty word", {"run", ""}, "dfsweep run ''"},
};

BOOST_DATA_TEST_CASE(the_command_that_continues, boost::unit_test::data::make(resume_cases), c) {
  BOOST_TEST(resume_command(c.arguments) == c.command);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
