/// Golden: the constants of software stacks are those of a fit to the shipped rows, and how that fit predicts sources
/// that it has not seen. docs/measured.md gives these figures.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "models/training/step/estimate.hpp"
#include "tests/support/measured_fit.hpp"

namespace dfsweep::testing {

BOOST_AUTO_TEST_SUITE(measured_fit_test)

namespace {

struct Study {
  std::vector<FitRow> rows;
  std::vector<std::string> sources;
  std::vector<FitConstant> constants;
};

const Study& study() {
  static const Study all = [] {
    Study made;
    for (const MeasuredStep& step :
         measured_steps(std::filesystem::path(DFSWEEP_SOURCE_DIR) / "sweeps" / "measured" / "training.csv")) {
      const std::string source(step.row.text("source"));
      auto at = std::find(made.sources.begin(), made.sources.end(), source);
      if (at == made.sources.end()) at = made.sources.insert(at, source);
      training::TrainingPoint point = step.point;
      point.software.links.pair_hidden = 0;  // nothing but one row pairs passes, and its constants were fitted without
      made.rows.push_back({point, step.reading.accelerator, step.reading.software,
                           static_cast<std::size_t>(at - made.sources.begin()), step.seconds,
                           step.reading.architecture.experts.count > 0});
    }
    made.constants = fit_constants(made.rows);
    return made;
  }();
  return all;
}

/// Sizes of relative errors, apart for models with experts.
struct Errors {
  std::vector<double> dense;
  std::vector<double> experts;
  void add(const FitRow& row, const std::vector<double>& values) {
    const double error = predicted_seconds(row, study().constants, values) / row.seconds - 1.0;
    (row.has_experts ? experts : dense).push_back(std::abs(error));
  }
  /// The figures of docs/measured.md in percent, give or take two in the last digit.
  void hold(double dense_median, double dense_most, double experts_median, double experts_most) const {
    constexpr double digits = 0.2;
    BOOST_TEST(std::abs(100 * quantile(dense, 0.5) - dense_median) <= digits);
    BOOST_TEST(std::abs(100 * quantile(dense, 0.9) - dense_most) <= digits);
    BOOST_TEST(std::abs(100 * quantile(experts, 0.5) - experts_median) <= digits);
    BOOST_TEST(std::abs(100 * quantile(experts, 0.9) - experts_most) <= digits);
  }
  void print(const char* what) const {
    std::printf("%s: dense %.1f / %.1f %%, experts %.1f / %.1f %% (median / 90th percentile)\n", what,
                100 * quantile(dense, 0.5), 100 * quantile(dense, 0.9), 100 * quantile(experts, 0.5),
                100 * quantile(experts, 0.9));
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(the_shipped_constants_are_those_of_the_fit) {
  const Study& all = study();
  const std::vector<double> values = fit(all.rows, all.constants, all.sources.size(), 25);
  for (std::size_t k = 0; k < values.size(); ++k)
    std::printf("%s: %.4g, first %.4g\n", all.constants[k].name.c_str(), values[k], all.constants[k].first);
  Errors first, fitted;
  std::vector<double> differences;
  std::vector<double> starts;
  for (const FitConstant& constant : all.constants) starts.push_back(constant.first);
  for (const FitRow& row : all.rows) {
    first.add(row, starts);
    fitted.add(row, values);
    const double shipped = training::estimate_step(row.point).time.total().value();
    differences.push_back(std::abs(shipped / predicted_seconds(row, all.constants, values) - 1.0));
  }
  first.print("first values");
  first.hold(10.8, 26.8, 16.0, 41.5);
  fitted.print("fit to all rows");
  fitted.hold(5.7, 15.9, 10.7, 24.6);
  std::printf("shipped constants against the fit: median %.2f %%, 90th percentile %.2f %%\n",
              100 * quantile(differences, 0.5), 100 * quantile(differences, 0.9));
  BOOST_TEST(quantile(differences, 0.5) <= 0.005);
  BOOST_TEST(quantile(differences, 0.9) <= 0.01);
}

BOOST_AUTO_TEST_CASE(sources_that_the_fit_has_not_seen) {
  const Study& all = study();
  Errors left_out;
  for (std::size_t source = 0; source < all.sources.size(); ++source) {
    std::vector<FitRow> others;
    std::copy_if(all.rows.begin(), all.rows.end(), std::back_inserter(others),
                 [&](const FitRow& row) { return row.source != source; });
    const std::vector<double> values = fit(others, all.constants, all.sources.size(), 10);
    for (const FitRow& row : all.rows)
      if (row.source == source) left_out.add(row, values);
  }
  left_out.print("left-out sources");
  left_out.hold(9.4, 24.0, 15.7, 37.8);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep::testing
