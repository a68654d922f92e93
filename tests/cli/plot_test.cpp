/// show --plot: the chart that goes with each kind of question.
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <iterator>

#include "tests/cli/program_under_test.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(plot_test)

namespace {

/// What is drawn, and a word that only this kind of chart has.
struct Plot {
  const char* why;
  std::vector<std::string> question;
  const char* part;
};

const Plot plots[] = {
    {"a front is drawn before all other rows", {"--pareto", "time,speed"}, ">Pareto front</text>"},
    {"one bar for a name", {"--best", "time", "--by", "device"}, "<title>tpu-v4: 3.000 s</title>"},
    {"a line along numbers", {"--best", "time", "--by", "ways"}, "stroke-width=\"1.8\""},
    {"a line for each name", {"--best", "time", "--by", "ways,device"}, ">tpu-v4</text>"},
    {"a heat map of two axes of one kind",
     {"--best", "time", "--by", "device,method"},
     "<title>fast, a100: 1.000 s</title>"},
};

BOOST_FIXTURE_TEST_CASE(rows_are_drawn_as_they_are_asked_for, NineRows) {
  const std::string file = scratch.path().parent_path().string() + "/plot.svg";
  for (const Plot& plot : plots) {
    std::vector<std::string> arguments{"show", path};
    arguments.insert(arguments.end(), plot.question.begin(), plot.question.end());
    const std::string table = dfsweep(arguments).out;
    arguments.insert(arguments.end(), {"--plot", file});
    const ProgramResult result = dfsweep(arguments);
    BOOST_TEST(result.status == 0, result.err);
    BOOST_TEST(result.out == table);
    std::ifstream stream(file);
    const std::string svg((std::istreambuf_iterator<char>(stream)), {});
    BOOST_TEST(svg.starts_with("<svg "));
    BOOST_TEST(contains(svg, plot.part), plot.why << "\n" << svg);
  }
  BOOST_TEST(contains(dfsweep({"show", path, "--plot", "plot.png"}).err, "must end with .svg"));
  const ProgramResult nothing = dfsweep({"show", path, "--best", "time", "--where", "time > 100", "--plot", file});
  BOOST_TEST(nothing.status == 2);
  BOOST_TEST(contains(nothing.err, "nothing to draw"), nothing.err);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
