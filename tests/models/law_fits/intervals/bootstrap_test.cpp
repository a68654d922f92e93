/// Bootstrap: replicates are fits to what was drawn, with the same bits whatever range they are computed in.
#include "models/law_fits/intervals/bootstrap.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <numeric>
#include <ostream>

#include "tests/support/steplaw_runs.hpp"

BOOST_AUTO_TEST_SUITE(bootstrap_test)

using namespace dfsweep;
using namespace dfsweep::law_fits;
namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;

namespace {

const SelectedRuns& noisy_runs() {
  static const SelectedRuns runs = select_runs(group_runs(testing::synthetic_runs(7, 14)), fit_windows, 0.04);
  return runs;
}

std::vector<std::size_t> every(const SelectedRuns& runs) {
  std::vector<std::size_t> groups(runs.groups.size());
  std::iota(groups.begin(), groups.end(), std::size_t{0});
  return groups;
}

struct Case {
  const char* form;
  FitMethod method;
  ResampleUnit unit;
};
std::ostream& operator<<(std::ostream& out, const Case& row) {
  return out << row.form << " " << method_name(row.method)
             << (row.unit == ResampleUnit::row ? " by rows" : " by groups");
}

const Case cases[] = {{"step", {LawEstimator::kept_rows, 0.0025}, ResampleUnit::row},
                      {"step", {LawEstimator::kept_rows, 0.0025}, ResampleUnit::group},
                      {"unified", {LawEstimator::kept_rows, 0.005}, ResampleUnit::row},
                      {"unified", {LawEstimator::kept_rows, 0.005}, ResampleUnit::group},
                      {"params_only", {LawEstimator::argmin, 0.0}, ResampleUnit::group},
                      {"compute", {LawEstimator::quadratic, 0.01}, ResampleUnit::group},
                      {"step_full", {LawEstimator::quadratic_weighted, 0.01}, ResampleUnit::group},
                      {"step_full", {LawEstimator::joint_surface, 0.01}, ResampleUnit::group},
                      {"unified", {LawEstimator::joint_surface, 0.01}, ResampleUnit::group}};

LawBootstrap bootstrap_of(const Case& row, const SelectedRuns& runs, std::uint64_t seed) {
  return {runs, every(runs), *find_law_form(row.form), row.method, row.unit, seed};
}

/// What was drawn, fitted as any runs are.
LawFit fit_of_draws(const Case& row, const SelectedRuns& runs, const std::vector<std::size_t>& drawn) {
  const LawForm& form = *find_law_form(row.form);
  if (row.unit == ResampleUnit::group) return fit_law(runs, drawn, form, row.method);
  std::vector<TargetSums> x;
  std::vector<TargetSums> y;
  std::vector<const KeptRun*> items;
  for (const KeptRun& run : runs.kept)
    if (run.rel < row.method.window) items.push_back(&run);
  for (const std::size_t item : drawn) {
    const auto features = features_of(runs.groups[items[item]->group].scale);
    x.push_back({features, items[item]->x, 1.0, 0.0, 0.0});
    y.push_back({features, items[item]->y, 1.0, 0.0, 0.0});
  }
  return {form, row.method, FitDefect::none, fit_target(x, form.learning_rate).fit,
          fit_target(y, form.batch_tokens).fit};
}

}  // namespace

BOOST_DATA_TEST_CASE(a_replicate_is_the_fit_to_its_draws, bdata::make(cases), row) {
  const SelectedRuns& runs = noisy_runs();
  const LawBootstrap bootstrap = bootstrap_of(row, runs, 11);
  const CounterRandom random(11);
  std::vector<double> coefficients(3 * bootstrap.width());
  bootstrap.run(5, coefficients);
  for (std::uint64_t r = 0; r < 3; ++r) {
    std::vector<std::size_t> drawn;
    for (std::uint64_t j = 0; j < bootstrap.items(); ++j) drawn.push_back(random.index(5 + r, j, bootstrap.items()));
    const ScalingLaw expected = fit_of_draws(row, runs, drawn).law();
    const ScalingLaw found = bootstrap.law(std::span(coefficients).subspan(r * bootstrap.width(), bootstrap.width()));
    BOOST_TEST(found.learning_rate.intercept == expected.learning_rate.intercept, tt::tolerance(1e-8));
    BOOST_TEST(found.batch_tokens.intercept == expected.batch_tokens.intercept, tt::tolerance(1e-8));
    for (std::size_t f = 0; f < law_feature_count; ++f) {
      BOOST_TEST(std::abs(found.learning_rate.exponent[f] - expected.learning_rate.exponent[f]) < 1e-9);
      BOOST_TEST(std::abs(found.batch_tokens.exponent[f] - expected.batch_tokens.exponent[f]) < 1e-9);
    }
  }
}

BOOST_DATA_TEST_CASE(replicates_have_the_same_bits_in_any_range, bdata::make(cases), row) {
  const LawBootstrap bootstrap = bootstrap_of(row, noisy_runs(), 42);
  const std::size_t width = bootstrap.width();
  std::vector<double> whole(40 * width);
  bootstrap.run(100, whole);
  for (const std::size_t first : {std::size_t{0}, std::size_t{1}, std::size_t{39}}) {
    std::vector<double> part((40 - first) * width);
    bootstrap.run(100 + first, part);
    BOOST_TEST(std::memcmp(part.data(), whole.data() + first * width, part.size() * sizeof(double)) == 0);
  }
}

BOOST_DATA_TEST_CASE(leaving_an_item_out_is_the_fit_to_the_others, bdata::make(cases), row) {
  const SelectedRuns& runs = noisy_runs();
  const LawBootstrap bootstrap = bootstrap_of(row, runs, 1);
  std::vector<double> coefficients(bootstrap.items() * bootstrap.width());
  bootstrap.leave_one_out(coefficients);
  for (const std::size_t item : {std::size_t{0}, bootstrap.items() - 1}) {
    std::vector<std::size_t> others(bootstrap.items());
    std::iota(others.begin(), others.end(), std::size_t{0});
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(item));
    const ScalingLaw expected = fit_of_draws(row, runs, others).law();
    const auto found = std::span(coefficients).subspan(item * bootstrap.width(), bootstrap.width());
    BOOST_TEST(bootstrap.law(found).learning_rate.intercept == expected.learning_rate.intercept, tt::tolerance(1e-8));
    BOOST_TEST(bootstrap.law(found).batch_tokens.intercept == expected.batch_tokens.intercept, tt::tolerance(1e-8));
  }
}

BOOST_AUTO_TEST_CASE(replicates_that_determine_nothing_are_nan) {
  const SelectedRuns runs = select_runs(group_runs(testing::synthetic_runs(2, 3)), fit_windows, 0.0025);
  const Case row = {"step", {LawEstimator::argmin, 0.0}, ResampleUnit::group};
  const LawBootstrap bootstrap = bootstrap_of(row, runs, 3);
  std::vector<double> coefficients(200 * bootstrap.width());
  bootstrap.run(0, coefficients);
  const CounterRandom random(3);
  std::size_t undetermined = 0;
  for (std::uint64_t r = 0; r < 200; ++r) {
    std::vector<char> seen(3);
    for (std::uint64_t j = 0; j < 3; ++j) seen[random.index(r, j, 3)] = 1;
    const bool determined = std::accumulate(seen.begin(), seen.end(), 0) == 3;  // three coefficients need three groups
    undetermined += determined ? 0 : 1;
    for (std::size_t c = 0; c < bootstrap.width(); ++c)
      BOOST_TEST(std::isnan(coefficients[r * bootstrap.width() + c]) != determined);
  }
  BOOST_TEST(undetermined > 100U);
  BOOST_TEST(summarize(coefficients).count == static_cast<double>((200 - undetermined) * bootstrap.width()));
}

BOOST_AUTO_TEST_CASE(the_generator_is_splitmix) {
  // The first output of SplitMix64 seeded with 0 is 0xE220A8397B1DCDAF; seeded with that, these are its first and
  // third.
  static_assert(CounterRandom(0).at(0) == 0xA706DD2F4D197E6F);
  static_assert(CounterRandom(0).at(2) == 0x631A9154FBABF717);
  double mean = 0.0;
  for (std::uint64_t k = 0; k < 10000; ++k) mean += CounterRandom(9).uniform(k) / 10000.0;
  BOOST_TEST(std::abs(mean - 0.5) < 0.01);
  for (std::uint64_t j = 0; j < 1000; ++j) BOOST_TEST(CounterRandom(9).index(4, j, 7) < 7U);
}

BOOST_AUTO_TEST_SUITE_END()
