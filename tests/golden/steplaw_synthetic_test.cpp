/// Golden: random draws, and the laws of synthetic surfaces. Needs no runs.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <map>

#include "models/law_fits/fits/fit.hpp"
#include "models/law_fits/surfaces/joint_surface.hpp"
#include "models/statistics/random.hpp"
#include "tests/support/steplaw_golden.hpp"

BOOST_AUTO_TEST_SUITE(steplaw_synthetic_test)

using namespace dfsweep;
using namespace dfsweep::law_fits;
using namespace dfsweep::testing;

BOOST_AUTO_TEST_CASE(draws_follow_the_golden_stream) {
  const GoldenTable table = steplaw_golden(DFSWEEP_GOLDEN_DIR, "counter_rng_check.csv");
  for (std::size_t row = 0; row < table.size(); ++row)
    for (std::uint64_t j = 0; j < 8; ++j) {
      const CounterRandom random(static_cast<std::uint64_t>(table.number(row, "seed")));
      const auto drawn = random.index(static_cast<std::uint64_t>(table.number(row, "rep")), j,
                                      static_cast<std::uint64_t>(table.number(row, "n")));
      BOOST_TEST(static_cast<double>(drawn) == table.number(row, "i" + std::to_string(j)));
    }
}

BOOST_AUTO_TEST_CASE(synthetic_surfaces_give_the_golden_laws) {
  const GoldenTable table = steplaw_golden(DFSWEEP_GOLDEN_DIR, "synthetic_scale.csv");
  for (const auto& [column, seed, groups] : {std::tuple{"case_a", 1, 1000}, {"case_b", 2, 5000}}) {
    std::map<std::string, double> expected;
    for (std::size_t row = 0; row < table.size(); ++row)
      expected[table.text(row, "quantity")] = table.number(row, column);
    const TrainingRuns columns = synthetic_runs(static_cast<std::uint64_t>(seed), static_cast<std::size_t>(groups));
    double sum = 0.0;
    for (const double loss : columns.loss) sum += std::log(loss);
    check_close(sum, expected["sum_t"], 1e-11, "sum_t");
    check_close(std::log(columns.loss[0]), expected["first_t"], 1e-11, "first_t");

    const FittedRuns synthetic(columns);
    const LawForm form = {
        "scale", {LawFeature::parameters, LawFeature::tokens}, {LawFeature::activated, LawFeature::tokens}};
    const LawFit near = fit_law(synthetic.runs, form, {LawEstimator::kept_rows, 0.0025});
    check_within(near.learning_rate.n, expected["n_near0.25"], 0.0, "kept runs");
    const JointSurface joint =
        fit_joint_linear(joint_moments(synthetic.runs, synthetic.every_group(), synthetic.runs.window(0.01)),
                         {LawFeature::parameters, LawFeature::activated, LawFeature::tokens});
    check_within(joint.n, expected["n_w1"], 0.0, "runs of the surface");
    const PowerLaw& near_x = near.learning_rate.law;
    const PowerLaw& near_y = near.batch_tokens.law;
    const PowerLaw& joint_x = joint.law.learning_rate;
    const PowerLaw& joint_y = joint.law.batch_tokens;
    const std::pair<const char*, double> values[] = {
        {"near0.25_lr_c", near_x.intercept},    {"near0.25_lr_cN", near_x.exponent[0]},
        {"near0.25_lr_cD", near_x.exponent[2]}, {"near0.25_B_c", near_y.intercept},
        {"near0.25_B_cNa", near_y.exponent[1]}, {"near0.25_B_cD", near_y.exponent[2]},
        {"joint1_lr_c", joint_x.intercept},     {"joint1_lr_cN", joint_x.exponent[0]},
        {"joint1_lr_cNa", joint_x.exponent[1]}, {"joint1_lr_cD", joint_x.exponent[2]},
        {"joint1_B_c", joint_y.intercept},      {"joint1_B_cN", joint_y.exponent[0]},
        {"joint1_B_cNa", joint_y.exponent[1]},  {"joint1_B_cD", joint_y.exponent[2]},
        {"joint1_Hxx", joint.hessian.xx},       {"joint1_Hxy", joint.hessian.xy},
        {"joint1_Hyy", joint.hessian.yy},       {"joint1_rss", joint.rss}};
    for (const auto& [quantity, value] : values)
      check_within(value, expected[quantity], 1e-7, std::string(column) + " " + quantity);
  }
}

BOOST_AUTO_TEST_SUITE_END()
