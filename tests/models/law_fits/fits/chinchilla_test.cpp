/// The loss law: exact losses give it back, and a poor design is said to be one.
#include "models/law_fits/fits/chinchilla.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

BOOST_AUTO_TEST_SUITE(chinchilla_test)

using namespace dfsweep;
using namespace dfsweep::law_fits;
namespace tt = boost::test_tools;

namespace {

constexpr LossLaw known = {1.69, 6.0, 6.1, 0.34, 0.28};

std::vector<LossPoint> points(std::initializer_list<double> parameters, std::initializer_list<double> tokens) {
  std::vector<LossPoint> all;
  for (const double n : parameters)
    for (const double d : tokens) all.push_back({n, d, known.at(n, d)});
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_law_by_hand) {
  const LossLaw law = {1.5, std::log(8.0), std::log(27.0), 0.5, 1.0 / 3.0};
  BOOST_TEST(law.at(16.0, 1e3) == 1.5 + 8.0 / 4.0 + 27.0 / 10.0, tt::tolerance(1e-13));
}

BOOST_AUTO_TEST_CASE(small_residuals_count_by_their_square_and_large_ones_by_their_size) {
  const std::vector<LossPoint> exact = points({1e8}, {1e9});
  std::vector<LossPoint> off = exact;
  off[0].loss *= std::exp(5e-4);
  BOOST_TEST(loss_law_objective(known, off) == 0.5 * 25e-8, tt::tolerance(1e-8));
  off[0].loss = exact[0].loss * std::exp(-3e-3);
  BOOST_TEST(loss_law_objective(known, off) == 1e-3 * (3e-3 - 5e-4), tt::tolerance(1e-8));
  BOOST_TEST(loss_law_objective(known, exact) == 0.0);
}

BOOST_AUTO_TEST_CASE(a_wide_design_gives_the_constants_back) {
  const LossLawFit fit = fit_loss_law(points({1e7, 1e8, 1e9, 1e10, 1e11}, {1e8, 1e9, 1e10, 1e11, 1e12}));
  BOOST_TEST(fit.law.irreducible == known.irreducible, tt::tolerance(1e-4));
  BOOST_TEST(fit.law.alpha == known.alpha, tt::tolerance(1e-3));
  BOOST_TEST(fit.law.beta == known.beta, tt::tolerance(1e-3));
  BOOST_TEST(fit.objective < 1e-12);
  BOOST_TEST(fit.max_residual < 1e-5);
  BOOST_TEST(fit.identifiable);
}

BOOST_AUTO_TEST_CASE(noise_on_a_narrow_design_leaves_the_floor_open) {
  std::vector<LossPoint> narrow = points({2e8, 3e8, 5e8}, {1e10, 2e10, 4e10});
  for (std::size_t i = 0; i < narrow.size(); ++i) narrow[i].loss *= i % 2 == 0 ? 1.003 : 0.997;
  const LossLawFit fit = fit_loss_law(narrow);
  BOOST_TEST(!fit.identifiable);
  BOOST_TEST(fit.irreducible_low <= fit.law.irreducible);
  BOOST_TEST(fit.irreducible_high >= fit.law.irreducible);
}

BOOST_AUTO_TEST_CASE(five_constants_need_more_than_five_points) {
  const LossLawFit fit = fit_loss_law(points({1e8}, {1e9, 2e9, 3e9, 4e9, 5e9}));
  BOOST_TEST(describe(fit.defect) == describe(FitDefect::too_few_groups));
  BOOST_TEST(std::isnan(fit.law.alpha));
}

// By hand: with A = B and alpha = beta the terms are equal where N = D, so N = D = sqrt(C / 6).
BOOST_AUTO_TEST_CASE(a_budget_is_parted_evenly_where_both_terms_are_alike) {
  const LossPoint found = compute_optimum({1.5, 6.0, 6.0, 0.3, 0.3}, 6e20);
  BOOST_TEST(std::abs(found.parameters / 1e10 - 1.0) < 1e-12);
  BOOST_TEST(std::abs(found.train_tokens / 1e10 - 1.0) < 1e-12);
  BOOST_TEST(std::abs(found.loss - (1.5 + 2.0 * std::exp(6.0) * std::pow(1e10, -0.3))) < 1e-12);
}

// Brute force over N at the same budget: no other model has less loss, for laws and budgets over many decades.
BOOST_AUTO_TEST_CASE(no_other_model_of_the_budget_has_less_loss) {
  for (const double alpha : {0.1, 0.34, 0.8})
    for (const double beta : {0.05, 0.28, 0.9})
      for (const double flops : {1e12, 1e18, 1e24, 1e30}) {
        const LossLaw law{1.69, 6.0, 6.02, alpha, beta};
        const LossPoint best = compute_optimum(law, flops);
        BOOST_TEST(std::abs(6.0 * best.parameters * best.train_tokens / flops - 1.0) < 1e-12);
        for (double ln = -5.0; ln <= 5.0; ln += 0.01)
          BOOST_TEST(law.at(best.parameters * std::exp(ln), best.train_tokens * std::exp(-ln)) >=
                     best.loss * (1.0 - 1e-14));
      }
}

BOOST_AUTO_TEST_SUITE_END()
