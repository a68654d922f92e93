/// show --rejections and explain --sensitivity: why executions fail, and what another choice would give.
#include <boost/test/unit_test.hpp>
#include <fstream>

#include "io/json.hpp"
#include "tests/cli/program_under_test.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(rejections_test)

namespace {

/// 300 executions for each of two number formats. Of 100 pairs of degrees 2^a, 2^b with a, b = 0 ... 9, the 45 with
/// a + b > 9 need more than 512 devices.
struct Searched {
  ScratchFile scratch{"searched.toml"};
  std::string folder = scratch.path().parent_path().string();
  ProgramSetting there{.folder = folder};
  ProgramResult ran;
  Searched() {
    std::ofstream(scratch.path()) << R"([sweep]
name = "searched"
estimator = "calculon"
[parameters]
model = "gpt3-175b"
system = "a100_80g"
device_count = 512
precision = ["fp16", "bf16"]
tensor_parallel = { divisors_of = 512 }
pipeline_parallel = { divisors_of = 512 }
micro_batch = [1, 2, 4]
[search]
over = ["tensor_parallel", "pipeline_parallel", "micro_batch"]
minimize = "step_time"
)";
    ran = dfsweep({"run", "searched.toml", "--quiet"}, there);
  }
};

BOOST_FIXTURE_TEST_CASE(every_execution_is_counted_under_its_status, Searched) {
  BOOST_REQUIRE_EQUAL(ran.status, 0);
  const Json all = parse_json(dfsweep({"show", "runs/searched", "--rejections", "--json"}, there).out);
  BOOST_REQUIRE(all.array().size() == 2U);
  for (const Json& point : all.array()) {
    std::uint64_t tried = 0;
    for (const auto& [status, points] : point.at("tried").object()) tried += points.whole();
    BOOST_TEST(tried == 300U);
    BOOST_TEST(point.at("tried").at("tp_pp_dp_product").whole() == 135U);
  }
  BOOST_TEST(all.array()[1].at("precision").text() == "bf16");
  const std::string one =
      dfsweep({"show", "runs/searched", "--rejections", "--where", "precision == 'fp16'"}, there).out;
  BOOST_TEST(contains(one, "for 1 reported point\n"), one);
  BOOST_TEST(contains(one, " 135 "), one);
}

BOOST_FIXTURE_TEST_CASE(a_file_without_a_search_has_no_rejections, NineRows) {
  const ProgramResult result = dfsweep({"show", path, "--rejections"});
  BOOST_TEST(result.status == 2);
  BOOST_TEST(contains(result.err, "no [search]"), result.err);
}

// The first point has one device for each tensor and stage: 512 replicas of a whole model do not fit.
BOOST_FIXTURE_TEST_CASE(sensitivity_says_which_changes_are_possible, Searched) {
  const ProgramResult result =
      dfsweep({"explain", "searched.toml", "--point", "0", "--sensitivity", "step_time,memory_used", "--json"}, there);
  BOOST_REQUIRE_EQUAL(result.status, 0);
  const Json sections = parse_json(result.out).at("sensitivity").at("sections");
  BOOST_TEST(sections.array()[1].at("facts").array()[0].at("label").text() == "mem_tier1");
  const ProgramResult unknown = dfsweep({"explain", "searched.toml", "--point", "0", "--sensitivity", "speed"}, there);
  BOOST_TEST(unknown.status == 2);
  BOOST_TEST(contains(unknown.err, "no metric of numbers has that name"), unknown.err);
}

BOOST_FIXTURE_TEST_CASE(show_says_what_would_help_the_best_rows, Searched) {
  const std::vector<std::string> best = {"show", "runs/searched", "--best", "step_time", "--top", "2", "--sensitivity"};
  std::vector<std::string> asked = best;
  asked.insert(asked.end(), {"step_time,memory_used", "--json"});
  const Json all = parse_json(dfsweep(asked, there).out);
  BOOST_REQUIRE(all.at("sensitivity").array().size() == 1u);  // nothing computes with bf16
  BOOST_TEST(all.at("sensitivity").array()[0].at("sections").array().size() == 2u);
  asked = best;
  asked.push_back("speed");
  BOOST_TEST(dfsweep(asked, there).status == 2);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
