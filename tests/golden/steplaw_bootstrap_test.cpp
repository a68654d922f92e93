/// Golden: bootstrap replicates, intervals and predictions of step laws, and the released parameter sets applied. They
/// need the released runs (DFSWEEP_STEPLAW_RUNS).
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <map>
#include <memory>

#include "models/law_fits/intervals/bootstrap.hpp"
#include "tests/support/steplaw_golden.hpp"

BOOST_AUTO_TEST_SUITE(steplaw_bootstrap_test, *boost::unit_test::fixture<dfsweep::testing::NeedReleasedRuns>())

using namespace dfsweep;
using namespace dfsweep::law_fits;
using namespace dfsweep::testing;

namespace {

constexpr std::uint64_t replicates = 10000;

/// All replicates of one row of the golden tables.
struct Resampled {
  std::unique_ptr<LawBootstrap> bootstrap;
  std::vector<ScalingLaw> laws;
};

const Resampled& resampled(const std::string& family, const std::string& form, const std::string& unit) {
  static std::map<std::string, Resampled> cache;
  Resampled& found = cache[family + form + unit];
  if (found.bootstrap) return found;
  const FittedRuns& runs = family == "dense" ? dense_runs() : all_runs();
  found.bootstrap = std::make_unique<LawBootstrap>(runs.runs, runs.every_group(), *find_law_form(form),
                                                   FitMethod{LawEstimator::kept_rows, 0.0025},
                                                   unit == "row" ? ResampleUnit::row : ResampleUnit::group, 42);
  const std::size_t width = found.bootstrap->width();
  std::vector<double> coefficients(replicates * width);
  found.bootstrap->run(0, coefficients);
  for (std::size_t r = 0; r < replicates; ++r)
    found.laws.push_back(found.bootstrap->law(std::span(coefficients).subspan(r * width, width)));
  return found;
}

const Resampled& resampled(const GoldenTable& table, std::size_t row) {
  return resampled(table.text(row, "family"), table.text(row, "form"), table.text(row, "unit"));
}

double coefficient(const ScalingLaw& law, const std::string& target, const std::string& parameter) {
  const PowerLaw& of_target = target == "ln_lr" ? law.learning_rate : law.batch_tokens;
  if (parameter == "intercept") return of_target.intercept;
  for (std::size_t f = 0; f < law_feature_count; ++f)
    if (law_feature_names[f] == parameter) return of_target.exponent[f];
  return std::nan("");
}

/// The released parameter sets as laws.
std::vector<ScalingLaw> released_sets() {
  const GoldenTable table(released_folder() + "/1004_fitted_lr_bs_scaling_model_parameters.csv");
  std::vector<ScalingLaw> laws;
  for (std::size_t row = 0; row < table.size(); ++row)
    laws.push_back(
        {{table.number(row, "lr_intercept"), {table.number(row, "lr_coefN"), 0.0, table.number(row, "lr_coefD"), 0.0}},
         {table.number(row, "bs_intercept"), {0.0, 0.0, table.number(row, "bs_coefD"), 0.0}}});
  return laws;
}

}  // namespace

BOOST_AUTO_TEST_CASE(first_replicates_have_the_golden_coefficients) {
  const GoldenTable table = steplaw_golden(DFSWEEP_GOLDEN_DIR, "bootstrap_first_replicates.csv");
  for (std::size_t row = 0; row < table.size(); ++row) {
    const ScalingLaw& law = resampled(table, row).laws[static_cast<std::size_t>(table.number(row, "rep"))];
    const std::string& target = table.text(row, "target");
    check_within(coefficient(law, target, "intercept"), table.number(row, "c_intercept"), 1e-7, target);
    for (const char* feature : {"lnN", "lnNa", "lnD"})
      if (!table.text(row, std::string("c_") + feature).empty())
        check_within(coefficient(law, target, feature), table.number(row, std::string("c_") + feature), 1e-8, feature);
  }
}

BOOST_AUTO_TEST_CASE(intervals_are_the_golden_ones) {
  const GoldenTable table = steplaw_golden(DFSWEEP_GOLDEN_DIR, "bootstrap_intervals.csv");
  for (std::size_t row = 0; row < table.size(); ++row) {
    const Resampled& found = resampled(table, row);
    const std::string& target = table.text(row, "target");
    const std::string& parameter = table.text(row, "param");
    std::vector<double> values;
    for (const ScalingLaw& law : found.laws) values.push_back(coefficient(law, target, parameter));
    const ReplicateSummary summary = summarize(values);
    const double absolute = parameter == "intercept" ? 1e-7 : 1e-8;
    const std::string at = table.text(row, "form") + " " + table.text(row, "unit") + " " + parameter + " ";
    BOOST_TEST(summary.count == table.number(row, "n_ok"));
    check_within(summary.mean, table.number(row, "mean"), absolute, at + "mean");
    check_within(summary.sd, table.number(row, "sd"), absolute, at + "sd");
    check_within(summary.q2_5, table.number(row, "q2_5"), absolute, at + "q2_5");
    check_within(summary.q16, table.number(row, "q16"), absolute, at + "q16");
    check_within(summary.median, table.number(row, "median"), absolute, at + "median");
    check_within(summary.q84, table.number(row, "q84"), absolute, at + "q84");
    check_within(summary.q97_5, table.number(row, "q97_5"), absolute, at + "q97_5");
  }
}

BOOST_AUTO_TEST_CASE(predictions_are_the_golden_ones) {
  const GoldenTable table = steplaw_golden(DFSWEEP_GOLDEN_DIR, "bootstrap_predictions.csv");
  for (std::size_t row = 0; row < table.size(); ++row) {
    TrainingScale scale;
    scale.parameters = table.number(row, "N");
    scale.activated_parameters = table.number(row, "Na");
    scale.train_tokens = table.number(row, "D");
    const EnsemblePrediction predicted = predict_ensemble(resampled(table, row).laws, scale);
    const std::string at = table.text(row, "form") + " " + table.text(row, "unit") + " ";
    check_close(std::exp(predicted.of_mean_coefficients.x), table.number(row, "lr_mean_params"), 1e-8, at + "lr");
    check_close(predicted.learning_rate.q2_5, table.number(row, "lr_q2_5"), 1e-8, at + "lr q2_5");
    check_close(predicted.learning_rate.median, table.number(row, "lr_median"), 1e-8, at + "lr median");
    check_close(predicted.learning_rate.q97_5, table.number(row, "lr_q97_5"), 1e-8, at + "lr q97_5");
    check_close(std::exp(predicted.of_mean_coefficients.y), table.number(row, "tokens_mean_params"), 1e-8, at + "B");
    check_close(predicted.batch_tokens.q2_5, table.number(row, "tokens_q2_5"), 1e-8, at + "B q2_5");
    check_close(predicted.batch_tokens.median, table.number(row, "tokens_median"), 1e-8, at + "B median");
    check_close(predicted.batch_tokens.q97_5, table.number(row, "tokens_q97_5"), 1e-8, at + "B q97_5");
  }
}

BOOST_AUTO_TEST_CASE(released_parameter_sets_have_the_golden_moments) {
  const GoldenTable table = steplaw_golden(DFSWEEP_GOLDEN_DIR, "published_parameters_summary.csv");
  const std::vector<ScalingLaw> laws = released_sets();
  const std::map<std::string, std::pair<const char*, const char*>> names = {
      {"lr_intercept", {"ln_lr", "intercept"}},
      {"lr_coefN", {"ln_lr", "lnN"}},
      {"lr_coefD", {"ln_lr", "lnD"}},
      {"bs_intercept", {"ln_tokens", "intercept"}},
      {"bs_coefD", {"ln_tokens", "lnD"}}};
  for (std::size_t row = 0; row < table.size(); ++row) {
    const std::string& name = table.text(row, "param");
    std::vector<double> values;
    for (const ScalingLaw& law : laws) values.push_back(coefficient(law, names.at(name).first, names.at(name).second));
    const ReplicateSummary summary = summarize(values);
    check_close(summary.mean, table.number(row, "mean"), 1e-10, name);
    check_close(summary.sd, table.number(row, "sd"), 1e-10, name);
    check_close(summary.median, table.number(row, "median"), 1e-10, name);
    check_close(summary.q2_5, table.number(row, "q2_5"), 1e-10, name);
    check_close(summary.q97_5, table.number(row, "q97_5"), 1e-10, name);
    check_close(density_mode(values), table.number(row, "kde_mode"), 1e-6, name);
  }
}

BOOST_AUTO_TEST_CASE(released_parameter_sets_predict_the_golden_values) {
  const GoldenTable table = steplaw_golden(DFSWEEP_GOLDEN_DIR, "published_predictions.csv");
  const std::vector<ScalingLaw> laws = released_sets();
  for (std::size_t row = 0; row < table.size(); ++row) {
    TrainingScale scale;
    scale.parameters = scale.activated_parameters = table.number(row, "N");
    scale.train_tokens = table.number(row, "D");
    const EnsemblePrediction predicted = predict_ensemble(laws, scale);
    check_close(std::exp(predicted.of_mean_coefficients.x), table.number(row, "lr_mean_params"), 1e-10, "lr");
    check_close(std::exp(predicted.of_mean_coefficients.y), table.number(row, "tokens_mean_params"), 1e-10, "B");
    check_close(std::exp(predicted.ln_learning_rate.q2_5), table.number(row, "lr_q2_5"), 1e-10, "lr q2_5");
    check_close(std::exp(predicted.ln_learning_rate.median), table.number(row, "lr_median"), 1e-10, "lr median");
    check_close(std::exp(predicted.ln_learning_rate.q97_5), table.number(row, "lr_q97_5"), 1e-10, "lr q97_5");
    check_close(std::exp(predicted.ln_batch_tokens.q2_5), table.number(row, "tokens_q2_5"), 1e-10, "B q2_5");
    check_close(std::exp(predicted.ln_batch_tokens.median), table.number(row, "tokens_median"), 1e-10, "B median");
    check_close(std::exp(predicted.ln_batch_tokens.q97_5), table.number(row, "tokens_q97_5"), 1e-10, "B q97_5");
    check_close(predicted.correlation, table.number(row, "corr_lnlr_lnB"), 1e-10, "correlation");
    const LogPoint rounded = find_published_law("published_rounded")->at(scale);
    check_close(std::exp(rounded.x), table.number(row, "lr_rounded"), 1e-10, "rounded lr");
    check_close(std::exp(rounded.y), table.number(row, "tokens_rounded"), 1e-10, "rounded B");
  }
}

BOOST_AUTO_TEST_SUITE_END()
