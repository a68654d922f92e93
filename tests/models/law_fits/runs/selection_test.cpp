/// Selection: sums of the runs near the best, whole or in pieces.
#include "models/law_fits/runs/selection.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "models/law_fits/surfaces/surface.hpp"
#include "tests/support/steplaw_runs.hpp"

BOOST_AUTO_TEST_SUITE(selection_test)

using namespace dfsweep;
using namespace dfsweep::law_fits;
namespace tt = boost::test_tools;

namespace {

constexpr double windows[] = {0.01, 0.05, 0.2};

GroupedRuns small_group() {
  TrainingRuns runs;
  runs.recipes = {{"dense", RunFamily::dense}};
  const double losses[] = {2.0, 2.1, 2.02, 2.1999, 3.0, 2.0199};
  for (std::size_t i = 0; i < std::size(losses); ++i) {
    runs.recipe.push_back(0);
    runs.parameters.push_back(1e9);
    runs.activated_parameters.push_back(1e9);
    runs.train_tokens.push_back(1e10);
    runs.flops_per_token.push_back(6e9);
    runs.learning_rate.push_back(std::exp(static_cast<double>(i)));
    runs.batch_tokens.push_back(std::exp(2.0 * static_cast<double>(i)));
    runs.loss.push_back(losses[i]);
  }
  return group_runs(runs);
}

}  // namespace

BOOST_AUTO_TEST_CASE(windows_are_strict_and_nested) {
  const SelectedRuns selected = select_runs(small_group(), windows, 0.05);
  const auto& moments = selected.groups[0].moments;
  BOOST_TEST(moments[0].n == 2.0, "2.0 and 2.0199; 2.02 is at 1 % exactly");
  BOOST_TEST(moments[1].n == 3.0, "2.02 too; 2.1 is at 5 %");
  BOOST_TEST(moments[2].n == 5.0, "all but the diverged run");
  BOOST_TEST(selected.kept.size() == 3U);
  BOOST_TEST(selected.window(0.05) == 1U);
}

BOOST_AUTO_TEST_CASE(moments_are_sums_about_the_best_run) {
  const SelectedRuns selected = select_runs(small_group(), windows, 0.05);
  const RunMoments& m = selected.groups[0].moments[1];  // (u, v) = (0, 0), (2, 4), (5, 10)
  const double s2 = std::log(2.02 / 2.0);
  const double s5 = std::log(2.0199 / 2.0);
  BOOST_TEST(m.u == 7.0, tt::tolerance(1e-14));
  BOOST_TEST(m.uv == 8.0 + 50.0, tt::tolerance(1e-14));
  BOOST_TEST(m.uuv == 16.0 + 250.0, tt::tolerance(1e-14));
  BOOST_TEST(m.uvvv == 128.0 + 5000.0, tt::tolerance(1e-14));
  BOOST_TEST(m.svv == 16.0 * s2 + 100.0 * s5, tt::tolerance(1e-12));
  BOOST_TEST(m.ss == s2 * s2 + s5 * s5, tt::tolerance(1e-12));
  BOOST_TEST(selected.groups[0].reference.x == 0.0);
}

BOOST_AUTO_TEST_CASE(a_weight_counts_as_so_many_runs) {
  RunMoments twice;
  twice.add(0.5, -1.5, 0.25, 2.0);
  RunMoments both;
  both.add(0.5, -1.5, 0.25, 1.0);
  RunMoments other = both;
  both += other;
  BOOST_TEST(twice.uuvv == both.uuvv);
  BOOST_TEST(twice.suv == both.suv);
  BOOST_TEST(twice.n == both.n);
}

BOOST_AUTO_TEST_CASE(pieces_select_what_the_whole_selects) {
  const GroupedRuns runs = group_runs(testing::synthetic_runs(3, 1));
  const GroupMinimum& minimum = runs.groups[0].minimum;
  const std::vector<RunMoments> whole = select_runs(runs, windows, 0.0).groups[0].moments;
  for (const std::size_t cut : {std::size_t{0}, std::size_t{1}, std::size_t{50}, std::size_t{120}}) {
    RunSelection first(minimum, windows);
    RunSelection second(minimum, windows);
    for (std::size_t run = 0; run < runs.loss.size(); ++run)
      (run < cut ? first : second).add(runs.learning_rate[run], runs.batch_tokens[run], runs.loss[run]);
    first.merge(second);
    const std::vector<RunMoments> merged = first.moments();
    for (std::size_t w = 0; w < merged.size(); ++w) {
      BOOST_TEST(merged[w].n == whole[w].n);
      BOOST_TEST(merged[w].uuuu == whole[w].uuuu, tt::tolerance(1e-12));
      BOOST_TEST(merged[w].suv == whole[w].suv, tt::tolerance(1e-9));
    }
  }
}

BOOST_AUTO_TEST_CASE(kept_runs_are_in_file_order_across_groups) {
  TrainingRuns runs = testing::synthetic_runs(1, 3);
  const GroupedRuns grouped = group_runs(runs);
  const SelectedRuns selected = select_runs(grouped, windows, 0.0025);
  std::vector<std::size_t> rows;
  for (const KeptRun& kept : selected.kept)
    for (std::size_t run = 0; run < runs.size(); ++run)
      if (std::log(runs.learning_rate[run]) == kept.x && std::log(runs.batch_tokens[run]) == kept.y &&
          runs.train_tokens[run] == selected.groups[kept.group].key.train_tokens)
        rows.push_back(run);
  BOOST_TEST(rows.size() == selected.kept.size());
  BOOST_TEST(std::is_sorted(rows.begin(), rows.end()));
}

BOOST_AUTO_TEST_SUITE_END()
