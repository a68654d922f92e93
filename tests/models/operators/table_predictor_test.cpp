/// Nearest keys, fits, expected errors and predictions from tables that are made from a known form.
#include "models/operators/table_predictor.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

#include "models/operators/form_fit.hpp"
#include "models/operators/left_out.hpp"
#include "models/statistics/random.hpp"

BOOST_AUTO_TEST_SUITE(table_predictor_test)

using namespace dfsweep;
using namespace dfsweep::operators;

namespace {

TableSetting device() {
  TableSetting setting;
  setting.rates = {Throughput{1e15}, Bandwidth{3e12}};
  return setting;
}

/// Numbers that differ from those that a fit begins with.
Numbers known_numbers() {
  Numbers numbers = start_of(Family::products, device());
  numbers[0] = 0.6;   // share
  numbers[2] = 0.7;   // memory_share
  numbers[3] = 4e-6;  // launch
  return numbers;
}

/// Products over a grid, times of the known form with noise of this relative size.
OperatorTable made_table(double noise) {
  OperatorTable table;
  std::uint64_t row = 0;
  for (double n = 256; n <= 16384; n *= 2)
    for (double k = 256; k <= 16384; k *= 2)
      for (double m = 1; m <= 4096; m *= 4) {
        const double time = form_time(Family::products, {m, n, k}, device(), known_numbers()).value();
        const double random = static_cast<double>(random_bits(3, ++row) >> 11) * 0x1p-53;
        for (const double key : {m, n, k}) table.keys.push_back(static_cast<float>(key));
        table.seconds.push_back(static_cast<float>(time * (1.0 + noise * (2.0 * random - 1.0))));
      }
  return table;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_fit_finds_the_numbers_of_a_form) {
  const OperatorTable table = made_table(0.0);
  const TableSetting setting = device();
  std::vector<FormRow> rows;
  for (std::size_t row = 0; row < table.rows(); ++row)
    rows.push_back({keys_of(table, row), static_cast<double>(table.seconds[row]), &setting});
  const Numbers found = fit_form(Family::products, rows, start_of(Family::products, setting), Pull::weak);
  for (const std::size_t k : {0U, 2U, 3U})
    BOOST_TEST(found[k] == known_numbers()[k], boost::test_tools::tolerance(0.02));
}

BOOST_AUTO_TEST_CASE(measured_keys_are_repeated_and_others_lie_between) {
  const OperatorTable table = made_table(0.1);
  const TablePredictor predictor(table, device());
  BOOST_TEST(predictor.rows() == table.rows());
  for (std::size_t row = 0; row < table.rows(); row += 7) {
    const TablePrediction prediction = predictor.predict(keys_of(table, row));
    BOOST_TEST(prediction.time.value() == static_cast<double>(table.seconds[row]), boost::test_tools::tolerance(1e-5));
    BOOST_TEST((prediction.coverage == TableCoverage::measured));
  }
  const TablePrediction between = predictor.predict({300, 3000, 3000});
  BOOST_TEST(between.time.value() == form_time(Family::products, {300, 3000, 3000}, device(), known_numbers()).value(),
             boost::test_tools::tolerance(0.1));
  BOOST_TEST((between.coverage == TableCoverage::between));
  BOOST_TEST((predictor.predict({300, 30000, 3000}).coverage == TableCoverage::beyond));
  BOOST_TEST(between.expected_error > 0.0);
  BOOST_TEST(between.error_bound > between.expected_error);
  BOOST_TEST(predictor.time({300, 3000, 3000}).value() == between.time.value());
}

BOOST_AUTO_TEST_CASE(predictions_do_not_depend_on_the_order_of_rows) {
  const OperatorTable table = made_table(0.1);
  OperatorTable reversed = table;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::size_t other = table.rows() - 1 - row;
    std::copy_n(table.keys.begin() + static_cast<std::ptrdiff_t>(3 * row), 3,
                reversed.keys.begin() + static_cast<std::ptrdiff_t>(3 * other));
    reversed.seconds[other] = table.seconds[row];
  }
  const Keys keys{77, 777, 7777};
  BOOST_TEST(TablePredictor(table, device()).time(keys).value() ==
             TablePredictor(reversed, device()).time(keys).value());
}

BOOST_AUTO_TEST_CASE(nine_of_ten_left_out_rows_are_within_their_bound) {
  const std::vector<LeftOutError> errors = left_out_errors(made_table(0.1), device(), LeftOut::shapes);
  BOOST_TEST(errors.size() == made_table(0.1).rows());
  const auto covered =
      std::count_if(errors.begin(), errors.end(), [](const LeftOutError& one) { return one.table <= one.bound; });
  const double share = static_cast<double>(covered) / static_cast<double>(errors.size());
  BOOST_TEST(share > 0.83);  // 343 rows: four standard deviations of 0.9 are 0.065
  BOOST_TEST(share < 0.97);
}

BOOST_AUTO_TEST_CASE(conformal_quantiles_by_hand) {
  BOOST_TEST(conformal_quantile({4, 1, 3, 2}, 0.5) == 3.0F);  // the third of four: 0.5 x 5 = 2.5, rounded up
  BOOST_TEST(conformal_quantile({4, 1, 3, 2}, 0.9) == 4.0F);
  BOOST_TEST(conformal_quantile({7}, 0.5) == 7.0F);
}

BOOST_AUTO_TEST_SUITE_END()
