/// report: pages of small results, of two of them, with measured rows, and what cannot be reported.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>

#include "tests/cli/program_under_test.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(report_test)

namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_page_is_one_file_and_the_same_for_any_threads, NineRows) {
  const ScratchFile page("a page \xC3\xA4.html");
  const ProgramResult result = dfsweep({"report", path, "-o", page.path()});
  BOOST_TEST(result.status == 0);
  BOOST_TEST(result.out == "");
  const std::string text = text_of(page.path());
  BOOST_TEST(contains(result.err, "a page"));
  BOOST_TEST(text.starts_with("<!doctype html>"));
  BOOST_TEST(contains(text, "\"format\":\"dfsweep-report\""));
  BOOST_TEST(contains(text, "<th scope=\"row\">h100</th>"));
  for (const char* loading : {"src=\"http", "href=\"http", "@import", "unsafe-inline"})
    BOOST_TEST(!contains(text, loading), loading);
  for (const char* threads : {"1", "8"})
    BOOST_TEST((dfsweep({"report", path, "-o", "-", "--threads", threads}).out == text));
  BOOST_TEST(std::distance(std::filesystem::directory_iterator(page.path().parent_path()), {}) == 1);
}

BOOST_FIXTURE_TEST_CASE(a_page_is_replaced_as_a_whole_or_not_at_all, NineRows) {
  const ScratchFile page("page.html");
  std::ofstream(page.path()) << "before";
  BOOST_TEST(dfsweep({"report", path, "-o", page.path(), "--metrics", "nothing"}).status == 2);
  BOOST_TEST(text_of(page.path()) == "before");
  BOOST_TEST(dfsweep({"report", path, "-o", "/proc/nonexistent/page.html"}).status == 74);
}

BOOST_AUTO_TEST_CASE(a_page_has_at_most_three_megabytes) {
  // Values of axes, rows and the text of the sweep each would take more.
  const ScratchFile sweep("wide.toml");
  std::ofstream file(sweep.path());
  file << "[sweep]\nname = \"wide\"\nestimator = \"hyperparameters\"\n[parameters]\nlaw = \"step-law\"\nparameters = "
          "[1e9";
  for (int i = 1; i < 60000; ++i) file << ", " << 1000000000 + i;
  file << "]\ntrain_tokens = [1e11, 1e12]\n";
  file.close();
  const std::filesystem::path out = sweep.path().parent_path() / "wide";
  BOOST_TEST(dfsweep({"run", sweep.path(), "--out", out, "--quiet"}).status == 0);
  const std::string page = dfsweep({"report", out, "-o", "-"}).out;
  BOOST_TEST(page.size() > 1000000U);
  BOOST_TEST(page.size() <= 3000000U);
  BOOST_TEST(contains(page, "bytes; the result file has all of them]"));
}

BOOST_FIXTURE_TEST_CASE(two_results_are_compared, NineRows) {
  const NineRows other;
  const ProgramResult result = dfsweep({"report", path, other.path, "-o", "-"});
  BOOST_TEST(result.status == 0);
  BOOST_TEST(contains(result.out, "\"comparison\":{\"names\":"));
}

BOOST_FIXTURE_TEST_CASE(measured_rows_are_set_beside_predicted_ones, NineRows) {
  const ScratchFile rows("rows.csv");
  std::ofstream(rows.path()) << "id,device,ways,time\none,a100,2,1.6 s\ntwo,b200,2,1 s\n";
  const ProgramResult result = dfsweep({"report", path, "-o", "-", "--measured", rows.path()});
  BOOST_TEST(result.status == 0);
  BOOST_TEST(
      contains(result.err, "1 of 2 measured rows have a predicted time. two: device = b200 is not in the result."));
  BOOST_TEST(contains(result.out, "\"predicted\":2"));
}

namespace {

struct Refusal {
  const char* why;
  std::vector<std::string> options;
  const char* message;
};

const Refusal refusals[] = {
    {"no such axis", {"--facet", "devise"}, "--facet: no column 'devise'. Did you mean 'device'?"},
    {"a metric is no axis", {"--facet", "time"}, "--facet: 'time' is not an axis."},
    {"an axis is no metric", {"--metrics", "device"}, "--metrics: 'device' is not a metric."},
    {"a fixed parameter is no axis", {"--facet", "model"}, "this parameter has the same value in all rows"},
    {"flags have no direction", {"--pareto", "time,method"}, "--pareto: 'method' has no better direction."},
};

}  // namespace

BOOST_DATA_TEST_CASE(what_cannot_be_shown_is_said, boost::unit_test::data::make(refusals), refusal) {
  const NineRows nine;
  std::vector<std::string> arguments = {"report", nine.path, "-o", "-"};
  arguments.insert(arguments.end(), refusal.options.begin(), refusal.options.end());
  const ProgramResult result = dfsweep(arguments);
  BOOST_TEST(result.status == 2);
  BOOST_TEST(result.out == "");
  BOOST_TEST(contains(result.err, refusal.message), result.err);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
