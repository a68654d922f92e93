/// show --plot: the chart that goes with each kind of question.
#include <boost/test/unit_test.hpp>
#include <cmath>
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

std::string contents(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

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
    const std::string svg = contents(file);
    BOOST_TEST(svg.starts_with("<svg "));
    BOOST_TEST(contains(svg, plot.part), plot.why << "\n" << svg);
  }
  BOOST_TEST(contains(dfsweep({"show", path, "--plot", "plot.pdf"}).err, "must end with .svg or .png"));
  const ProgramResult nothing = dfsweep({"show", path, "--best", "time", "--where", "time > 100", "--plot", file});
  BOOST_TEST(nothing.status == 2);
  BOOST_TEST(contains(nothing.err, "nothing to draw"), nothing.err);
}

/// Width and height of the header of a PNG, both big-endian after its signature and the name of the chunk.
std::pair<unsigned, unsigned> size_of_png(const std::string& bytes) {
  const auto number = [&](std::size_t at) {
    unsigned value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes.at(at + i));
    return value;
  };
  return {number(16), number(20)};
}

/// The number behind a name in the first tag of an SVG: width="720".
double size_in_svg(const std::string& svg, const std::string& name) {
  const std::size_t at = svg.find(name + "=\"") + name.size() + 2;
  return std::stod(svg.substr(at));
}

BOOST_FIXTURE_TEST_CASE(png_has_two_pixels_for_each_unit_of_the_svg, NineRows) {
  const std::string folder = scratch.path().parent_path().string();
  const ProgramResult drawn = dfsweep({"show", path, "--pareto", "time,speed", "--plot", folder + "/front.png"});
  if (drawn.status == 2) {
    BOOST_TEST(contains(drawn.err, "--plot: PNG needs the program 'rsvg-convert'"), drawn.err);
    return;
  }
  BOOST_TEST_REQUIRE(drawn.status == 0, drawn.err);
  BOOST_TEST_REQUIRE(dfsweep({"show", path, "--pareto", "time,speed", "--plot", folder + "/front.svg"}).status == 0);
  const std::string png = contents(folder + "/front.png");
  const std::string svg = contents(folder + "/front.svg");
  BOOST_TEST(png.starts_with("\x89PNG\r\n"));
  const auto [width, height] = size_of_png(png);
  BOOST_TEST(std::abs(width - 2 * size_in_svg(svg, " width")) < 2.0);
  BOOST_TEST(std::abs(height - 2 * size_in_svg(svg, " height")) < 2.0);
}

BOOST_FIXTURE_TEST_CASE(png_without_its_converter_is_refused_before_the_work, NineRows) {
  const ProgramResult result =
      dfsweep({"show", path, "--plot", "front.png"}, {.environment = {{"PATH", "/nonexistent"}}});
  BOOST_TEST(result.status == 2);
  BOOST_TEST(contains(result.err, "--plot: PNG needs the program 'rsvg-convert'"), result.err);
  BOOST_TEST(result.out.empty());
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
