/// Designs: against brute force, and against fits to simulated devices.
#include "models/operators/measurement_design.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <set>

#include "models/operators/form_fit.hpp"
#include "models/statistics/random.hpp"

namespace dfsweep::operators {

BOOST_AUTO_TEST_SUITE(measurement_design_test)

namespace {

TableSetting h100() {
  TableSetting setting;
  setting.rates = {Throughput{989e12}, Bandwidth{3.35e12}};
  setting.link = Bandwidth{450e9};
  setting.network = Bandwidth{50e9};
  return setting;
}

/// Products from those of decoding to those of long prompts.
std::vector<Keys> products() {
  std::vector<Keys> all;
  for (const double m : {1.0, 16.0, 128.0, 1024.0, 8192.0})
    for (const double n : {1024.0, 8192.0, 28672.0})
      for (const double k : {1024.0, 8192.0, 28672.0}) all.push_back({m, n, k});
  return all;
}

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

/// With one number alone, ln(time) = ln(number) + const where it bounds: one row takes S to S s / (S + s).
BOOST_AUTO_TEST_CASE(one_number_is_learned_as_a_mean_is) {
  TableSetting setting = h100();
  Numbers launch_alone{};
  launch_alone[0] = 5e-6;  // of quantisation: launch, then shares that are 0 and so not part of the form
  launch_alone[1] = 1e3;   // so large that bytes take no time
  launch_alone[2] = 1e3;
  const std::vector<Keys> rows = {{1.0, 64.0}, {1.0, 64.0}, {1.0, 64.0}};
  const DesignPrior prior{.spread = 0.3, .scatter = 0.1};
  const MeasurementDesign design =
      measurement_design(Family::quantisation, rows, setting, launch_alone, prior, rows.size());
  for (std::size_t n = 0; n < design.expected_error.size(); ++n) {
    const double variance = 1.0 / (1.0 / 0.09 + static_cast<double>(n) / 0.01);
    BOOST_TEST(design.expected_error[n] == 0.6744897501960817 * std::sqrt(0.01 + variance),
               boost::test_tools::tolerance(1e-3));
  }
}

BOOST_AUTO_TEST_CASE(the_first_row_is_the_best_one) {
  const TableSetting setting = h100();
  const Numbers start = start_of(Family::products, setting);
  const std::vector<Keys> candidates = products();
  const MeasurementDesign design = measurement_design(Family::products, candidates, setting, start, {}, 1);
  // The error after a row alone, for each candidate: put it last in a design whose only choice it is.
  double least = 1e300;
  std::size_t best = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    std::vector<Keys> first = {candidates[i]};
    first.insert(first.end(), candidates.begin(), candidates.end());
    // Brute force by small numbers: slopes by differences, and the covariance formula written out.
    std::vector<std::vector<double>> slopes;
    for (const Keys& keys : candidates) {
      std::vector<double> of;
      for (std::size_t k = 0; k < most_numbers; ++k) {
        if (!(start[k] > 0.0)) continue;
        Numbers up = start;
        Numbers down = start;
        up[k] *= 1.0001;
        down[k] /= 1.0001;
        of.push_back(std::log(form_time(Family::products, keys, setting, up).value() /
                              form_time(Family::products, keys, setting, down).value()) /
                     (2.0 * std::log(1.0001)));
      }
      slopes.push_back(std::move(of));
    }
    const double spread = 0.35 * 0.35;
    double own = 0.01;
    for (const double slope : slopes[i]) own += spread * slope * slope;
    double left = 0.0;
    for (const std::vector<double>& of : slopes) {
      double all = 0.0;
      double shared = 0.0;
      for (std::size_t k = 0; k < of.size(); ++k) {
        all += spread * of[k] * of[k];
        shared += spread * of[k] * slopes[i][k];
      }
      left += all - shared * shared / own;
    }
    if (left >= least) continue;
    least = left;
    best = i;
  }
  BOOST_TEST(design.rows.front() == best);
}

BOOST_AUTO_TEST_CASE(errors_never_grow_and_rows_are_chosen_once) {
  const TableSetting setting = h100();
  for (const Family family : {Family::products, Family::prompts, Family::decoding, Family::latent_decoding,
                              Family::quantisation, Family::library_exchanges, Family::own_all_reduces}) {
    const auto f = static_cast<std::uint64_t>(family);
    const bool is_exchange = family == Family::library_exchanges || family == Family::own_all_reduces;
    std::vector<Keys> candidates;
    for (std::uint64_t i = 0; i < 60; ++i) {
      Keys keys{};
      for (std::size_t k = 0; k < info_of(family).keys.size(); ++k)
        keys[k] = std::exp2(std::floor(12.0 * CounterRandom(f).uniform(8 * i + k)));
      if (is_exchange) keys[0] *= 2.0;  // an exchange of one device takes no time
      candidates.push_back(keys);
    }
    const MeasurementDesign design =
        measurement_design(family, candidates, setting, start_of(family, setting), {}, candidates.size());
    BOOST_TEST_CONTEXT(info_of(family).name)
    BOOST_TEST(std::set<std::size_t>(design.rows.begin(), design.rows.end()).size() == candidates.size());
    for (std::size_t k = 1; k < design.expected_error.size(); ++k)
      BOOST_TEST(design.expected_error[k] <= design.expected_error[k - 1] * (1.0 + 1e-12), info_of(family).name);
    BOOST_TEST(design.expected_error.back() >= 0.6744 * 0.1);  // the scatter stays
  }
}

/// Devices with numbers drawn from the prior are timed with scatter: fits to the chosen rows are better than fits to as
/// many drawn rows, and about as good as the design says.
BOOST_AUTO_TEST_CASE(chosen_rows_tell_more_than_drawn_ones) {
  const TableSetting setting = h100();
  const Numbers start = start_of(Family::products, setting);
  const std::vector<Keys> candidates = products();
  constexpr std::size_t count = 8;
  const MeasurementDesign design = measurement_design(Family::products, candidates, setting, start, {}, count);
  std::vector<double> errors_of_design;
  std::vector<double> errors_of_drawn;
  for (std::uint64_t device = 0; device < 60; ++device) {
    const CounterRandom random(device + 1);
    Numbers truth = start;
    for (std::size_t k = 0; k < most_numbers; ++k) truth[k] *= std::exp(0.35 * normal_draw(random, k));
    std::vector<double> measured;
    for (std::size_t i = 0; i < candidates.size(); ++i)
      measured.push_back(form_time(Family::products, candidates[i], setting, truth).value() *
                         std::exp(0.1 * normal_draw(random, 100 + i)));
    const auto add_errors = [&](const std::vector<std::size_t>& rows, std::vector<double>& errors) {
      std::vector<FormRow> timed;
      for (const std::size_t row : rows) timed.push_back({candidates[row], measured[row], &setting});
      const Numbers fitted = fit_form(Family::products, timed, start, Pull::strong);
      for (std::size_t i = 0; i < candidates.size(); ++i)
        errors.push_back(
            std::abs(form_time(Family::products, candidates[i], setting, fitted).value() / measured[i] - 1.0));
    };
    add_errors(design.rows, errors_of_design);
    std::vector<std::size_t> drawn;
    for (std::uint64_t i = 0; i < count; ++i)
      drawn.push_back(static_cast<std::size_t>(random.uniform(1000 + i) * static_cast<double>(candidates.size())));
    add_errors(drawn, errors_of_drawn);
  }
  const double designed = median_of(errors_of_design);
  BOOST_TEST_MESSAGE("designed " << designed << ", drawn " << median_of(errors_of_drawn) << ", expected "
                                 << design.expected_error.back());
  BOOST_TEST(designed < median_of(errors_of_drawn));
  BOOST_TEST(std::abs(std::log(designed / design.expected_error.back())) < 0.25);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep::operators
