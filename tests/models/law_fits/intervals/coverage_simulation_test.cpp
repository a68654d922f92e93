/// The self-test of intervals: reproducible set by set, and calibrated on a small design of its own.
#include "models/law_fits/intervals/coverage_simulation.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

#include "models/law_fits/runs/step_law_design.hpp"

BOOST_AUTO_TEST_SUITE(coverage_simulation_test)

using namespace dfsweep;
using namespace dfsweep::law_fits;

namespace {

CoverageSettings quick() {
  CoverageSettings settings;
  settings.form = *find_law_form("unified");
  settings.replicates = 40;  // the bootstraps are not what is tested
  return settings;
}

KnownTruth scattering(double group_effect) {
  KnownTruth truth;
  truth.group_effect = group_effect;
  return truth;
}

CoverageSimulation simulation(double group_effect) {
  return {step_law_design(), scattering(group_effect), quick()};
}

CoverageTable table_of(const CoverageSimulation& simulation, std::uint64_t sets) {
  std::vector<SimulatedSet> simulated;
  for (std::uint64_t set = 0; set < sets; ++set) simulated.push_back(simulation.simulate(set));
  return summarize(simulated, simulation.true_value());
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_set_has_the_same_bits_alone_and_in_company) {
  const CoverageSimulation one = simulation(0.12);
  const CoverageSimulation other = simulation(0.12);
  static_cast<void>(one.simulate(0));
  const SimulatedSet after = one.simulate(5);
  const SimulatedSet alone = other.simulate(5);
  BOOST_TEST((after.recommended == alone.recommended));
  for (std::size_t method = 0; method < coverage_methods().size(); ++method) {
    BOOST_TEST(after.intervals[method][0].low == alone.intervals[method][0].low);
    BOOST_TEST(after.intervals[method][1].high == alone.intervals[method][1].high);
  }
  BOOST_TEST(one.simulate(6).recommended[0] != alone.recommended[0]);
}

// 200 sets of runs that stand where the 33 released groups stand. A share of 0.95 has a standard error of 0.015; the
// counts follow from the seed.
BOOST_AUTO_TEST_CASE(recommended_intervals_cover_the_truth_with_and_without_scatter_between_groups) {
  for (const double group_effect : {0.0, 0.12}) {
    const CoverageTable table = table_of(simulation(group_effect), 200);
    BOOST_TEST_CONTEXT("group effect " << group_effect) {
      BOOST_TEST(table.defects == 0.0);
      const MethodCoverage& recommended = table.methods[recommended_coverage_method()];
      BOOST_TEST(recommended.method == "random_effect_scaled");
      for (std::size_t target = 0; target < 2; ++target) {
        BOOST_TEST(recommended.covered[target] >= 184.0);  // 0.92
        BOOST_TEST(recommended.covered[target] <= 197.0);  // 0.985
        BOOST_TEST(table.methods.back().covered[target] >= 182.0);
        BOOST_TEST(std::abs(table.bias[target]) < 0.25 * recommended.half_width[target]);
        BOOST_TEST(std::abs(table.mean_between_sd[target] - group_effect) < 0.015);
      }
    }
  }
}

// A quadratic surface takes the skew of basins for a shift of their optima; the shift differs between grids, so that
// its laws are off where they extrapolate.
BOOST_AUTO_TEST_CASE(a_cubic_surface_has_less_bias_on_skewed_basins) {
  KnownTruth truth;
  truth.skew = released_skew;
  CoverageSettings settings = quick();
  const CoverageTable cubic = table_of({step_law_design(), truth, settings}, 40);
  settings.shape = SurfaceShape::quadratic;
  const CoverageTable quadratic = table_of({step_law_design(), truth, settings}, 40);
  const std::size_t recommended = recommended_coverage_method();
  BOOST_TEST(quadratic.methods[recommended].covered[0] == quadratic.methods[recommended + 2].covered[0]);
  BOOST_TEST(std::abs(quadratic.bias[0]) > 2.0 * std::abs(cubic.bias[0]));
}

// Resampling rows knows nothing of groups: where these scatter it must miss more often than the recommended interval.
BOOST_AUTO_TEST_CASE(intervals_from_rows_are_too_narrow_where_groups_scatter) {
  CoverageSettings settings = quick();
  settings.replicates = 200;
  const CoverageSimulation scatter(step_law_design(), scattering(0.2), settings);
  const CoverageTable table = table_of(scatter, 100);
  const MethodCoverage& rows = table.methods[0];
  const MethodCoverage& recommended = table.methods[recommended_coverage_method()];
  BOOST_TEST(rows.method == "kept_rows_row_percentile");
  BOOST_TEST(rows.covered[0] + rows.covered[1] + 10.0 < recommended.covered[0] + recommended.covered[1]);
}

BOOST_AUTO_TEST_CASE(sets_without_a_law_count_as_not_covered) {
  std::vector<SimulatedSet> sets(2);
  for (SimulatedSet& set : sets) {
    set.intervals.assign(coverage_methods().size(), {Interval{-1.0, 1.0}, Interval{0.5, 1.0}});
    set.one_group = {Interval{-1.0, 1.0}, Interval{-1.0, 1.0}};
  }
  sets[1].defect = FitDefect::too_few_groups;
  const CoverageTable table = summarize(sets, {0.0, 0.0});
  BOOST_TEST(table.sets == 2.0);
  BOOST_TEST(table.defects == 1.0);
  BOOST_TEST(table.methods[3].covered[0] == 1.0);
  BOOST_TEST(table.methods[3].covered[1] == 0.0);
  BOOST_TEST(table.methods[3].half_width[1] == 0.25);
  BOOST_TEST(share_error(0.5, 100.0) == 0.05);
}

BOOST_AUTO_TEST_CASE(the_design_has_the_groups_of_the_released_runs) {
  const GroupedRuns design = step_law_design();
  BOOST_TEST(design.groups.size() == 33u);
  BOOST_TEST(design.loss.size() == 16u * 120 + 50 - 10 + 16 * 45);
  BOOST_TEST(design.groups[0].key.train_tokens == 4e9);
  BOOST_TEST((design.groups[17].key.family == RunFamily::moe));
  BOOST_TEST(design.groups[17].key.activated_parameters == 187973632.0);
}

BOOST_AUTO_TEST_SUITE_END()
