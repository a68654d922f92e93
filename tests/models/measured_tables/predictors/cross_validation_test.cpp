/// Cross-validation: folds, errors by hand, and pieces that add up.
#include "models/measured_tables/predictors/cross_validation.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

BOOST_AUTO_TEST_SUITE(cross_validation_test)

namespace tt = boost::test_tools;
using namespace dfsweep;

BOOST_AUTO_TEST_CASE(folds_are_even_and_shuffled) {
  const std::vector<std::size_t> folds = deal_folds(105);
  for (std::size_t fold = 0; fold < validation_folds; ++fold)
    BOOST_TEST(std::count(folds.begin(), folds.end(), fold) == (fold < 5 ? 11 : 10));
  BOOST_TEST(!std::is_sorted(folds.begin(), folds.end()));
  BOOST_TEST(folds == deal_folds(105), tt::per_element());
}

BOOST_AUTO_TEST_CASE(repeats_of_a_key_are_never_split) {
  // Were a repeat left among the known rows, the fit would be exact; a straight line through the others is 50 % off.
  std::vector<CurvePoint> points;
  for (int key = 0; key < 20; ++key)
    for (int repeat = 0; repeat < 3; ++repeat) points.push_back({64.0 + key, key % 2 == 0 ? 1e-5 : 2e-5});
  BOOST_TEST(fitted_error(cross_validate(points)) > 0.3);
  BOOST_TEST(cross_validate(points).rows == 60.0);
}

BOOST_AUTO_TEST_CASE(two_keys_by_hand) {
  // Each is predicted from the other alone: 1 for 2 and 2 for 1, by both methods. Eight folds are empty.
  const std::vector<CurvePoint> points = {{8, 1e-5}, {16, 2e-5}};
  const ValidationErrors errors = cross_validate(points);
  BOOST_TEST(errors.rows == 2.0);
  BOOST_TEST(fitted_error(errors) == (0.5 + 1.0) / 2, tt::tolerance(1e-12));
  BOOST_TEST(forest_error(errors) == (0.5 + 1.0) / 2, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(times_of_zero_count_as_all_or_nothing) {
  const std::vector<CurvePoint> zeros = {{1, 0}, {2, 0}, {4, 0}, {8, 0}};
  BOOST_TEST(fitted_error(cross_validate(zeros)) == 0.0);
  BOOST_TEST(forest_error(cross_validate(zeros)) == 0.0);
  const std::vector<CurvePoint> one = {{8, 0}, {16, 2e-5}};  // the zero is predicted as 2e-5, the other as zero
  BOOST_TEST(fitted_error(cross_validate(one)) == 1.0);
}

BOOST_AUTO_TEST_CASE(lonely_keys_have_no_error) {
  const std::vector<CurvePoint> points = {{8, 1e-5}, {8, 2e-5}};
  BOOST_TEST(cross_validate(points).rows == 0.0);
  BOOST_TEST(std::isnan(fitted_error(cross_validate(points))));
}

BOOST_AUTO_TEST_CASE(folds_add_up_and_fits_beat_forests_on_smooth_times) {
  std::vector<DecodePoint> decode;
  for (double batch = 1; batch <= 16; ++batch)
    for (double context = 64; context <= 1024; context += 64)
      decode.push_back({batch, context, 5e-6 + 2e-9 * batch * context});
  ValidationErrors sum;
  for (std::size_t fold = 0; fold < validation_folds; ++fold) sum += validate_fold(decode, fold);
  BOOST_TEST((sum == cross_validate(decode)));
  BOOST_TEST(sum.rows == 256.0);
  BOOST_TEST(fitted_error(sum) < 0.2 * forest_error(sum));

  std::vector<PrefillPoint> prefill;
  for (const DecodePoint& p : decode)
    prefill.push_back({p.context, 64 * p.batch, 1e-6 * p.batch * (p.context + p.batch)});
  const ValidationErrors errors = cross_validate(prefill);
  BOOST_TEST(errors.rows == 256.0);
  BOOST_TEST(fitted_error(errors) < forest_error(errors));
}

BOOST_AUTO_TEST_SUITE_END()
