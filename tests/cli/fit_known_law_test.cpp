/// `dfsweep fit steplaw` on tables with the columns of the released runs, whose law is known.
#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>

#include "io/json.hpp"
#include "tests/support/known_law_runs.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(fit_known_law_test)

namespace {

using Names = std::map<std::string, double>;
const Names known_rate = {{"intercept", 3.0}, {"lnN", -0.70}, {"lnD", 0.20}};
const Names known_batch = {{"intercept", 4.2}, {"lnNa", -0.25}, {"lnD", 0.58}};

/// The tables of one noise, and what the program says of them.
struct Fitted {
  TemporaryFolder folder;
  explicit Fitted(double noise) { testing::write_known_law_runs(folder.path(), noise); }
  [[nodiscard]] Json fit(const std::vector<std::string>& options) const {
    std::vector<std::string> words = {"fit", "steplaw", (folder.path() / "dense.csv").string(),
                                      (folder.path() / "moe.csv").string(), "--json"};
    words.insert(words.end(), options.begin(), options.end());
    const ProgramResult result = run_program(DFSWEEP_PROGRAM, words);
    BOOST_TEST_REQUIRE(result.status == 0, result.err);
    return parse_json(result.out);
  }
};

const Json& named(const Json& list, const std::string& law) {
  for (const Json& each : list.array())
    if (each.at("law").text() == law) return each;
  throw JsonError("no law " + law);
}

void check_coefficients(const Json& coefficients, const Names& known, double absolute) {
  for (const auto& [name, value] : known)
    BOOST_TEST(std::abs(coefficients.at(name).number() - value) < absolute,
               name << " is " << coefficients.at(name).number() << ", not " << value);
}

}  // namespace

/// Two groups of one model. L = 2 (1e9 / D)^0.1 x (1 + 0.01 log2(B / 1e5)^2), and a step takes 1 s + B / 1e5 s: time
/// for tokens falls with B as 1 + 1e5 / B, while 1e5 has the least loss.
BOOST_AUTO_TEST_CASE(measured_steps_tell_the_batch_that_is_fastest_to_a_loss) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "timed.csv";
  std::ofstream file(path);
  file << "N,D,lr,batch_tokens,loss,sec\n";
  for (const double tokens : {1e9, 4e9})
    for (const double factor : {0.5, 1.0, 2.0, 4.0, 8.0})
      for (const double rate : {5e-4, 1e-3, 2e-3}) {
        const double batch = std::log2(factor);
        const double off = std::log2(rate / 1e-3);
        const double loss = 2.0 * std::pow(1e9 / tokens, 0.1) * (1.0 + 0.01 * batch * batch + 0.02 * off * off);
        file << "1e8," << tokens << ',' << rate << ',' << 1e5 * factor << ',' << fmt::format("{:.17g}", loss) << ','
             << 1.0 + factor << '\n';
      }
  file.close();
  const ProgramResult json = run_program(
      DFSWEEP_PROGRAM, {"fit", "steplaw", path.string(), "--columns", "step_time=sec", "--json", "--replicates", "0"});
  BOOST_TEST_REQUIRE(json.status == 0, json.err);
  const Json fit = parse_json(json.out);
  const JsonArray& rows = fit.at("batch_times").array();
  BOOST_TEST_REQUIRE(rows.size() == 10U);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double factor = std::exp2(static_cast<double>(i % 5) - 1.0);
    const double higher = 1.0 + 0.01 * std::log2(factor) * std::log2(factor);
    const double steps = (i < 5 ? 1e9 : 4e9) / (1e5 * factor);
    BOOST_TEST(rows[i].at("batch_tokens").number() == 1e5 * factor);
    BOOST_TEST(std::abs(rows[i].at("loss_exponent").number() / 0.1 - 1.0) < 1e-9);
    BOOST_TEST(std::abs(rows[i].at("time_to_least_loss").number() / (steps * (1.0 + factor) * std::pow(higher, 10.0)) -
                        1.0) < 1e-9);
    // Times in units of 1e5 steps: 3 x 1.01^10 = 3.31, 2, 1.5 x 1.01^10 = 1.66, 1.25 x 1.04^10 = 1.85 and 1.125
    // x 1.09^10 = 2.66.
    BOOST_TEST(rows[i].at("least_loss").boolean() == (factor == 1.0));
    BOOST_TEST(rows[i].at("fastest").boolean() == (factor == 2.0));
  }
  const ProgramResult text = run_program(
      DFSWEEP_PROGRAM, {"fit", "steplaw", path.string(), "--columns", "step_time=sec", "--replicates", "0"});
  BOOST_TEST(text.out.find("batches by measured time") != std::string::npos);
}

/// The released runs, where the environment names their folder.
BOOST_AUTO_TEST_CASE(released_moe_runs_have_a_fastest_batch_per_group) {
  const char* const folder = std::getenv("DFSWEEP_STEPLAW_RUNS");
  if (folder == nullptr) return;
  const ProgramResult result = run_program(
      DFSWEEP_PROGRAM, {"fit", "steplaw", std::string(folder) + "/moe_lr_bs_loss.csv", "--json", "--replicates", "0"});
  BOOST_TEST_REQUIRE(result.status == 0, result.err);
  const Json fit = parse_json(result.out);
  std::size_t fastest = 0;
  double batch = 0.0;
  for (const Json& row : fit.at("batch_times").array()) {
    if (row.at("least_loss").boolean()) batch = row.at("batch_tokens").number();
    fastest += row.at("fastest").boolean() ? 1 : 0;
  }
  BOOST_TEST(fastest == 16U);
  BOOST_TEST(batch > 0.0);
}

BOOST_AUTO_TEST_CASE(the_columns_of_the_released_tables_are_understood) {
  const Json fit = Fitted(0.0).fit({"--replicates", "0"});
  BOOST_TEST(fit.at("input").at("runs").number() == 17.0 * 120 + 16.0 * 45);
  BOOST_TEST(fit.at("input").at("set_aside").number() == 0.0);
  BOOST_TEST(fit.at("settings").at("sequence_length").number() == 2048.0);
  const auto& groups = fit.at("groups").array();
  BOOST_TEST_REQUIRE(groups.size() == 33u);
  // The smallest dense model on 4e9 tokens: N = 12 (4 x 1024^2 + 3 x 1024 x 2816), M = 6 N + 12 x 12 x 1024 x 2048.
  const double parameters = 154140672;
  BOOST_TEST(groups.front().at("group").text() == "dense_N154140672_D4000000000");
  BOOST_TEST(groups.front().at("parameters").number() == parameters);
  BOOST_TEST(groups.front().at("flops_per_token").number() == 6 * parameters + 301989888);
  // ln lr* = 3 - 0.7 ln N + 0.2 ln D is -5.7755, and the largest rate, -6.5 ln 2 = -4.5055, less than 2 above it.
  BOOST_TEST(groups.front().at("diverged_share").number() == 0.0);
  // The largest on 5.69e10: ln lr* is -6.5724. The largest rate is 2.0670 above it, at all ten batches, the
  // next 1.7204.
  BOOST_TEST(groups[16].at("group").text() == "dense_N1027604480_D56900000000");
  BOOST_TEST(groups[16].at("diverged_share").number() == 10.0 / 120.0);
  // Of the two recipes with one N, that with fewer activated parameters comes first.
  BOOST_TEST(groups[17].at("recipe").text() == "1in65");
  BOOST_TEST(groups[21].at("recipe").text() == "2in64");
  BOOST_TEST(groups[17].at("parameters").number() == groups[21].at("parameters").number());
}

BOOST_AUTO_TEST_CASE(the_known_law_is_found_again) {
  const Json fit = Fitted(0.0).fit({"--replicates", "0"});
  for (const char* law : {"joint/unified/quad1", "joint/unified/quad1_Hweighted", "joint/unified/joint_surface1",
                          "dense/unified/joint_surface1"}) {
    const Json& found = named(fit.at("fits"), law);
    // Dense models have Na = N; a law of theirs names what the batch depends on Na as well.
    check_coefficients(found.at("learning_rate").at("coefficients"), known_rate, 1e-5);
    check_coefficients(found.at("batch_tokens").at("coefficients"), known_batch, 1e-5);
  }
  for (const Json& surface : fit.at("surfaces").array()) {
    BOOST_TEST(std::abs(2 * surface.at("cxx").number() - testing::known_hessian.xx) < 1e-8);
    BOOST_TEST(std::abs(surface.at("cxy").number() - testing::known_hessian.xy) < 1e-8);
    BOOST_TEST(std::abs(2 * surface.at("cyy").number() - testing::known_hessian.yy) < 1e-8);
  }
  const Json& scored = named(fit.at("scores").at("laws"), "joint/unified/joint_surface1");
  for (const Json& regret : scored.at("regret_quad1").array()) BOOST_TEST(regret.number() < 1e-9);
}

BOOST_AUTO_TEST_CASE(noisy_runs_give_the_known_law_within_its_intervals) {
  const Fitted runs(3e-4);
  const Json fit = runs.fit({"--replicates", "300", "--predict", "7e9,1.4e12", "--threads", "2"});
  const Json& recommended = fit.at("recommended");
  BOOST_TEST(recommended.at("form").text() == "unified");
  BOOST_TEST(recommended.at("family").text() == "joint");
  check_coefficients(recommended.at("learning_rate"), {{"lnN", -0.70}, {"lnD", 0.20}}, 0.02);
  check_coefficients(recommended.at("batch_tokens"), {{"lnNa", -0.25}, {"lnD", 0.58}}, 0.02);
  const Json& predicted = recommended.at("predictions").array().at(0);
  const LogPoint known = testing::known_law().at({7e9, 7e9, 1.4e12, 0.0, 0.0});
  const auto holds = [&](const char* name, double value) {
    const auto& interval = predicted.at(name).array();
    BOOST_TEST(interval[0].number() < value, name);
    BOOST_TEST(value < interval[1].number(), name);
  };
  holds("learning_rate_interval", std::exp(known.x));
  holds("batch_tokens_interval", std::exp(known.y));
  std::size_t resampled = 0;
  for (const Json& bootstrap : fit.at("bootstraps").array()) {
    if (bootstrap.at("family").text() != "joint" || bootstrap.at("form").text() != "unified") continue;
    BOOST_TEST(bootstrap.at("solved").number() == 300.0);
    for (const Json& each : bootstrap.at("coefficients").array()) {
      ++resampled;
      const Names& of = each.at("target").text() == "learning_rate" ? known_rate : known_batch;
      const double away = std::abs(each.at("mean").number() - of.at(each.at("parameter").text()));
      BOOST_TEST(away < 4.0 * each.at("sd").number(), each.at("parameter").text());
    }
  }
  BOOST_TEST(resampled >= 12u);  // three coefficients of two targets, by rows and by groups
  const Json streamed = runs.fit({"--replicates", "0", "--stream"});
  for (const Json& law : streamed.at("fits").array())
    BOOST_TEST(to_text(law) == to_text(named(fit.at("fits"), law.at("law").text())));
}

// Sets that are 0.1 above and below the known coefficients, by turns: the mean is the known law, and the deviation
// 0.1 sqrt(n / (n - 1)).
BOOST_AUTO_TEST_CASE(parameter_sets_are_summed_up) {
  const Fitted runs(0.0);
  const std::filesystem::path sets = runs.folder.path() / "sets.csv";
  constexpr int count = 1000;
  std::ofstream out(sets);
  out << "lr_intercept,lr_coefN,lr_coefD,bs_intercept,bs_coefD\n";
  for (int i = 0; i < count; ++i) {
    const double off = i % 2 == 0 ? 0.1 : -0.1;
    out << 3.0 + off << "," << -0.7 + off << "," << 0.2 + off << "," << 4.2 + off << "," << 0.58 + off << "\n";
  }
  out.close();
  const Json fit = runs.fit({"--replicates", "0", "--parameter-sets", sets.string(), "--predict", "1e9,2e10"});
  const Json& summary = fit.at("parameter_sets");
  BOOST_TEST(summary.at("sets").number() == count);
  BOOST_TEST_REQUIRE(summary.at("coefficients").array().size() == 5u);
  for (const Json& each : summary.at("coefficients").array()) {
    const Names known = {{"learning_rateintercept", 3.0},
                         {"learning_ratelnN", -0.7},
                         {"learning_ratelnD", 0.2},
                         {"batch_tokensintercept", 4.2},
                         {"batch_tokenslnD", 0.58}};
    const double mean = known.at(each.at("target").text() + each.at("parameter").text());
    BOOST_TEST(std::abs(each.at("mean").number() - mean) < 1e-9);
    BOOST_TEST(std::abs(each.at("sd").number() - 0.1 * std::sqrt(count / (count - 1.0))) < 1e-9);
    BOOST_TEST(std::abs(each.at("q97_5").number() - (mean + 0.1)) < 1e-9);
  }
  const Json& predicted = summary.at("predictions").array().at(0);
  const double rate = 3.0 - 0.7 * std::log(1e9) + 0.2 * std::log(2e10);
  BOOST_TEST(std::abs(std::log(predicted.at("learning_rate").number()) - rate) < 1e-9);
  BOOST_TEST(std::abs(std::log(predicted.at("batch_tokens").number()) - (4.2 + 0.58 * std::log(2e10))) < 1e-9);
  BOOST_TEST(std::abs(predicted.at("correlation").number() - 1.0) < 1e-9);  // both targets are off by the same sign
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
