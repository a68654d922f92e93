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
    std::ofstream(scratch.path()) << searched_text("searched");
    ran = dfsweep({"run", "searched.toml", "--quiet"}, there);
  }
  static std::string searched_text(const std::string& name) {
    return "[sweep]\nname = \"" + name + R"("
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

// Of the 300 executions of fp16 the winner, and all others that are as fast, are excluded by a condition on a metric
// that is not written.
BOOST_FIXTURE_TEST_CASE(conditions_of_a_search_exclude_its_winner, Searched) {
  BOOST_REQUIRE_EQUAL(ran.status, 0);
  const Json before =
      parse_json(dfsweep({"show", "runs/searched", "--best", "step_time", "--top", "1", "--json"}, there).out);
  const double fastest = before.at("answer").at("rows").array()[0].at("step_time").number();
  std::ofstream(folder + "/limited.toml") << searched_text("limited") << "where = [\"step_time > '" << fastest * 1.0001
                                          << " s'\", \"precision == 'fp16' && micro_batch < 4\"]\n"
                                          << "[output]\nmetrics = ['memory_used']\n";
  const ProgramResult planned = dfsweep({"plan", "limited.toml"}, there);
  BOOST_TEST(contains(planned.out, "where      step_time > '"), planned.out);
  BOOST_TEST(contains(planned.out, "limit_not_met"), planned.out);
  BOOST_REQUIRE_EQUAL(dfsweep({"run", "limited.toml", "--quiet"}, there).status, 0);
  const Json all = parse_json(dfsweep({"show", "runs/limited", "--rejections", "--json"}, there).out);
  std::uint64_t tried = 0;
  for (const auto& [status, points] : all.array()[1].at("tried").object()) tried += points.whole();
  BOOST_TEST(tried == 300U);
  BOOST_TEST(all.array()[0].at("tried").at("limit_not_met").whole() > 0U);
  const std::string shown = dfsweep({"show", "runs/limited"}, there).out;
  BOOST_TEST(contains(shown, "candidates of the search: step_time > '"), shown);
  BOOST_TEST(contains(shown, "no_feasible"), shown);  // nothing computes with bf16
  const std::string point = std::to_string(before.at("answer").at("rows").array()[0].at("point").whole());
  const ProgramResult explained = dfsweep({"explain", "limited.toml", "--point", point}, there);
  BOOST_TEST(contains(explained.out, "condition of the search not met"), explained.out);
}

// The rows of a search as a point list: another sweep that evaluates them finds the same metrics.
BOOST_FIXTURE_TEST_CASE(rows_are_evaluated_again_as_a_point_list, Searched) {
  BOOST_REQUIRE_EQUAL(ran.status, 0);
  const ProgramResult exported = dfsweep({"export", "runs/searched", "--points", "-o", folder + "/best.csv"}, there);
  BOOST_REQUIRE_EQUAL(exported.status, 0);
  BOOST_TEST(contains(exported.err, "1 row, 4 columns"), exported.err);  // the group of bf16 has no feasible row
  std::ofstream(folder + "/again.toml") << "[sweep]\nname = 'again'\nestimator = 'calculon'\n[parameters]\n"
                                           "model = 'gpt3-175b'\nsystem = 'a100_80g'\ndevice_count = 512\n"
                                           "[points]\nfile = 'best.csv'\n";
  BOOST_REQUIRE_EQUAL(dfsweep({"run", "again.toml", "--quiet"}, there).status, 0);
  const auto metrics = [&](const char* run) {
    return dfsweep({"export", run, "--where", "status == 'ok'", "--columns", "step_time,memory_used,sample_rate"},
                   there)
        .out;
  };
  BOOST_TEST(metrics("runs/again") == metrics("runs/searched"));
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
