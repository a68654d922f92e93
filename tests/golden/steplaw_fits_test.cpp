/// Golden: groups, surfaces and fitted laws of the released step law runs, from DFSWEEP_STEPLAW_RUNS.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <map>

#include "models/law_fits/fits/chinchilla.hpp"
#include "models/law_fits/fits/fit.hpp"
#include "models/law_fits/fits/regret.hpp"
#include "models/law_fits/surfaces/surface.hpp"
#include "tests/support/steplaw_golden.hpp"

BOOST_AUTO_TEST_SUITE(steplaw_fits_test, *boost::unit_test::fixture<dfsweep::testing::NeedReleasedRuns>())

using namespace dfsweep;
using namespace dfsweep::law_fits;
using namespace dfsweep::testing;

namespace {

const FittedRuns& family(const std::string& name) {
  return name == "dense" ? dense_runs() : all_runs();
}

std::size_t count_below(const GroupedRuns& runs, const RunGroup& group, double bound) {
  std::size_t count = 0;
  for (std::size_t run = group.begin; run < group.end; ++run) count += runs.rel[run] < bound ? 1 : 0;
  return count;
}

}  // namespace

BOOST_AUTO_TEST_CASE(groups_have_the_golden_counts_and_best_runs) {
  const GoldenTable table = steplaw_golden(DFSWEEP_GOLDEN_DIR, "groups.csv");
  const FittedRuns& released = all_runs();
  BOOST_TEST(released.grouped.groups.size() == 33U);
  std::size_t previous = 0;
  for (std::size_t row = 0; row < table.size(); ++row) {
    const std::string& name = table.text(row, "group");
    BOOST_TEST_REQUIRE(released.group.count(name) == 1U, name);
    const std::size_t number = released.group.at(name);
    BOOST_TEST((row == 0 || number > previous), name << " is out of order");
    previous = number;
    const RunGroup& group = released.grouped.groups[number];
    const GroupGrid grid(released.grouped, number);
    BOOST_TEST(group.minimum.runs == table.number(row, "n_rows"));
    BOOST_TEST(static_cast<double>(grid.distinct_x().size()) == table.number(row, "n_lr"));
    BOOST_TEST(static_cast<double>(grid.distinct_y().size()) == table.number(row, "n_bs"));
    BOOST_TEST(group.key.activated_parameters == table.number(row, "Na"));
    check_close(group.flops_per_token, table.number(row, "flops_per_token"), 1e-10, name + " M");
    const std::span<const double> losses(released.grouped.loss);
    const auto least = std::min_element(losses.begin() + static_cast<std::ptrdiff_t>(group.begin),
                                        losses.begin() + static_cast<std::ptrdiff_t>(group.end));
    const auto best = static_cast<std::size_t>(least - losses.begin());
    BOOST_TEST(group.minimum.learning_rate == released.grouped.learning_rate[best]);
    BOOST_TEST(group.minimum.batch_tokens == released.grouped.batch_tokens[best]);
    BOOST_TEST(group.minimum.loss == *least);
    check_close(group.minimum.second_loss / group.minimum.loss - 1.0, table.number(row, "second_best_rel"), 1e-10,
                name + " second");
    for (const auto& [column, bound] : {std::pair{"n_rel_lt_0.00125", 0.00125},
                                        {"n_rel_lt_0.0025", 0.0025},
                                        {"n_rel_lt_0.005", 0.005},
                                        {"n_rel_lt_0.01", 0.01},
                                        {"n_rel_lt_0.02", 0.02}})
      BOOST_TEST(static_cast<double>(count_below(released.grouped, group, bound)) == table.number(row, column));
    const double far = group.minimum.runs - static_cast<double>(count_below(released.grouped, group, 0.2));
    check_within(far / group.minimum.runs, table.number(row, "frac_rel_gt_20pct"), 1e-10, name + " diverged");
    const SelectedGroup& selected = released.runs.groups[number];
    const RunMoments& kept = selected.moments[released.runs.window(0.0025)];
    check_close(std::exp(selected.reference.x + kept.u / kept.n), table.number(row, "geomean_lr_0.0025"), 1e-10, name);
    check_close(std::exp(selected.reference.y + kept.v / kept.n), table.number(row, "geomean_tokens_0.0025"), 1e-10,
                name);
  }
}

BOOST_AUTO_TEST_CASE(surfaces_have_the_golden_coefficients) {
  const GoldenTable table = steplaw_golden(DFSWEEP_GOLDEN_DIR, "quadratic_surfaces.csv");
  const FittedRuns& released = all_runs();
  for (std::size_t row = 0; row < table.size(); ++row) {
    const std::string& name = table.text(row, "group");
    const SelectedGroup& group = released.runs.groups[released.group.at(name)];
    const QuadraticSurface surface = fit_quadratic(group, released.runs.window(table.number(row, "window")));
    const std::string at = name + " at " + table.text(row, "window") + " ";
    BOOST_TEST(surface.n == table.number(row, "n"));
    const Eigenvalues eigen = eigenvalues(surface.hessian);
    const Plateau flat = plateau(surface.hessian, 0.0025);
    struct Expected {
      const char* column;
      double value;
      double relative;
    };
    const Expected expected[] = {{"x_center", surface.centre.x, 1e-8},
                                 {"y_center", surface.centre.y, 1e-8},
                                 {"c0", surface.c0, 1e-8},
                                 {"cx", surface.cx, 1e-8},
                                 {"cy", surface.cy, 1e-8},
                                 {"cxx", surface.cxx, 1e-8},
                                 {"cxy", surface.cxy, 1e-8},
                                 {"cyy", surface.cyy, 1e-8},
                                 {"rms", surface.rms, 1e-8},
                                 {"eig_min", eigen.low, 1e-8},
                                 {"eig_max", eigen.high, 1e-8},
                                 {"lr_opt", std::exp(surface.optimum.x), 1e-7},
                                 {"tokens_opt", std::exp(surface.optimum.y), 1e-7},
                                 {"min_loss_fit", std::exp(surface.minimum), 1e-7},
                                 {"ridge_dlnB_dlnlr", ridge_slope(surface.hessian), 1e-7},
                                 {"inside_grid", surface.inside_grid ? 1.0 : 0.0, 0.0},
                                 {"hw_lnlr_0.0025", flat.half_width_x, 1e-7},
                                 {"hw_lnB_0.0025", flat.half_width_y, 1e-7},
                                 {"area_0.0025", flat.area, 1e-7}};
    for (const Expected& each : expected)
      check_close(each.value, table.number(row, each.column), each.relative, at + each.column);
  }
}

BOOST_AUTO_TEST_CASE(laws_have_the_golden_coefficients) {
  const GoldenTable table = steplaw_golden(DFSWEEP_GOLDEN_DIR, "law_fits.csv");
  std::map<std::string, FitMethod> methods;
  for (const FitMethod& method : fit_methods()) methods[method_name(method)] = method;
  const char* const columns[] = {"lnN", "lnNa", "lnD", "lnC"};
  for (std::size_t row = 0; row < table.size(); ++row) {
    const std::string& name = table.text(row, "method");
    const std::string at = table.text(row, "family") + " " + name + " " + table.text(row, "form") + " ";
    const LawForm* const form = find_law_form(table.text(row, "form"));
    BOOST_TEST_REQUIRE((form != nullptr && methods.count(name) == 1U), at);
    const LawFit fit = fit_law(family(table.text(row, "family")).runs, *form, methods[name]);
    BOOST_TEST_REQUIRE((fit.defect == FitDefect::none), at << describe(fit.defect));
    const TargetFit& target = table.text(row, "target") == "ln_lr" ? fit.learning_rate : fit.batch_tokens;
    const bool iterated = methods[name].estimator == LawEstimator::joint_surface;
    BOOST_TEST(target.n == table.number(row, "n"), at);
    check_within(target.law.intercept, table.number(row, "intercept"), iterated ? 1e-4 : 1e-8, at + "intercept");
    if (!table.text(row, "resid_sd").empty())
      check_close(target.residual_sd, table.number(row, "resid_sd"), 1e-8, at + "resid_sd");
    if (!table.text(row, "se_intercept").empty())
      check_close(target.standard_error.intercept, table.number(row, "se_intercept"), 1e-8, at + "se");
    for (std::size_t f = 0; f < law_feature_count; ++f) {
      const std::string feature = columns[f];
      if (table.text(row, "coef_" + feature).empty()) {
        BOOST_TEST(target.law.exponent[f] == 0.0, at + feature);
        continue;
      }
      check_within(target.law.exponent[f], table.number(row, "coef_" + feature), iterated ? 1e-5 : 1e-9, at + feature);
      if (!table.text(row, "se_" + feature).empty())
        check_close(target.standard_error.exponent[f], table.number(row, "se_" + feature), 1e-8, at + "se " + feature);
    }
  }
}

BOOST_AUTO_TEST_CASE(loss_laws_are_as_good_as_the_golden_ones) {
  const GoldenTable table = steplaw_golden(DFSWEEP_GOLDEN_DIR, "chinchilla_fit.csv");
  const FittedRuns& released = dense_runs();
  const auto surfaces = fit_quadratics(released.runs, 0.01);
  for (std::size_t row = 0; row < table.size(); ++row) {
    std::vector<std::size_t> fitted;
    std::vector<std::size_t> held_out;
    for (std::size_t g = 0; g < released.runs.groups.size(); ++g) {
      const bool large = released.runs.groups[g].key.parameters > 1e9;
      (large && table.text(row, "subset") == "dense_excl_1.07e9" ? held_out : fitted).push_back(g);
    }
    const auto losses = [&](std::span<const std::size_t> groups) {
      return table.text(row, "target") == "quad1_min" ? fitted_losses(released.runs, groups, surfaces)
                                                      : least_losses(released.runs, groups);
    };
    const std::vector<LossPoint> points = losses(fitted);
    const LossLawFit fit = fit_loss_law(points);
    const std::string at = table.text(row, "target") + " " + table.text(row, "subset");
    const double golden = table.number(row, "huber_sum");
    BOOST_CHECK_MESSAGE(fit.objective <= golden * (1.0 + 1e-4), at << ": " << fit.objective << " above " << golden);
    check_close(loss_law_objective(fit.law, points), fit.objective, 1e-9, at + " objective");
    const LossLaw theirs = {table.number(row, "E"), table.number(row, "lnA"), table.number(row, "lnB"),
                            table.number(row, "alpha"), table.number(row, "beta")};
    for (const std::size_t g : {std::size_t{0}, std::size_t{9}, std::size_t{16}}) {
      const GroupKey& key = released.runs.groups[g].key;
      check_close(fit.law.at(key.parameters, key.train_tokens), theirs.at(key.parameters, key.train_tokens), 2e-4,
                  at + " prediction");
    }
    BOOST_TEST(!fit.identifiable, at << " pretends to know E");
    BOOST_TEST_MESSAGE(at << ": E " << fit.law.irreducible << " allowed " << fit.irreducible_low << " to "
                          << fit.irreducible_high << ", alpha " << fit.law.alpha << ", objective " << fit.objective
                          << " golden " << golden);
  }
}

BOOST_AUTO_TEST_SUITE_END()
