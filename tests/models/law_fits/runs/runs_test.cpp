/// Runs: which of them are a group, in which order, and where the least loss is.
#include "models/law_fits/runs/runs.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

BOOST_AUTO_TEST_SUITE(runs_test)

using namespace dfsweep;
using namespace dfsweep::law_fits;

namespace {

void add(TrainingRuns& runs, std::uint32_t recipe, double parameters, double activated, double tokens, double lr,
         double loss) {
  runs.recipe.push_back(recipe);
  runs.parameters.push_back(parameters);
  runs.activated_parameters.push_back(activated);
  runs.train_tokens.push_back(tokens);
  runs.flops_per_token.push_back(6.0 * activated);
  runs.learning_rate.push_back(lr);
  runs.batch_tokens.push_back(1024.0);
  runs.loss.push_back(loss);
}

/// Two MoE recipes of the same N, and dense runs in between.
TrainingRuns mixed_runs() {
  TrainingRuns runs;
  runs.recipes = {{"2in8", RunFamily::moe}, {"dense", RunFamily::dense}, {"1in8", RunFamily::moe}};
  add(runs, 0, 8e9, 2e9, 1e9, 0.1, 3.0);
  add(runs, 1, 5e9, 5e9, 2e9, 0.1, 2.5);
  add(runs, 2, 8e9, 1e9, 1e9, 0.1, 3.5);
  add(runs, 1, 5e9, 5e9, 1e9, 0.3, 2.8);
  add(runs, 0, 8e9, 2e9, 1e9, 0.2, 2.0);
  add(runs, 1, 5e9, 5e9, 1e9, 0.4, 2.8);
  return runs;
}

}  // namespace

BOOST_AUTO_TEST_CASE(groups_are_ordered_dense_first_then_by_activated_parameters) {
  const GroupedRuns grouped = group_runs(mixed_runs());
  std::vector<std::string> names;
  for (const RunGroup& group : grouped.groups) names.push_back(group_name(group.key, grouped.recipes));
  const std::vector<std::string> expected = {"dense_N5000000000_D1000000000", "dense_N5000000000_D2000000000",
                                             "1in8_N8000000000_D1000000000", "2in8_N8000000000_D1000000000"};
  BOOST_TEST(names == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(runs_of_a_group_are_contiguous_and_in_file_order) {
  const GroupedRuns grouped = group_runs(mixed_runs());
  const std::vector<std::size_t> expected = {3, 5, 1, 2, 0, 4};
  BOOST_TEST(grouped.file_row == expected, boost::test_tools::per_element());
  BOOST_TEST(grouped.rel[4] == 0.5);
  BOOST_TEST(grouped.rel[5] == 0.0);
  BOOST_TEST(grouped.groups[3].scale().flops_per_token == 12e9);
  BOOST_TEST(grouped.groups[3].scale().loss == 2.0);
}

BOOST_AUTO_TEST_CASE(of_equal_losses_the_first_is_the_best_run) {
  const GroupedRuns grouped = group_runs(mixed_runs());
  BOOST_TEST(grouped.groups[0].minimum.learning_rate == 0.3);
  BOOST_TEST(grouped.groups[0].minimum.second_loss == 2.8);
}

BOOST_AUTO_TEST_CASE(pieces_of_a_group_merge_to_the_same_minimum) {
  const double losses[] = {3.0, 2.0, 2.5, 2.0, 4.0, 1.5, 2.2};
  for (std::size_t cut = 0; cut <= std::size(losses); ++cut) {
    GroupMinimum whole;
    GroupMinimum first;
    GroupMinimum second;
    for (std::size_t i = 0; i < std::size(losses); ++i) {
      const double lr = 0.1 * static_cast<double>(i + 1);
      whole.add(lr, 100.0 - lr, losses[i]);
      (i < cut ? first : second).add(lr, 100.0 - lr, losses[i]);
    }
    first.merge(second);
    BOOST_TEST(first.runs == whole.runs);
    BOOST_TEST(first.loss == 1.5);
    BOOST_TEST(first.second_loss == 2.0);
    BOOST_TEST(first.learning_rate == whole.learning_rate);
    BOOST_TEST(first.low_learning_rate == whole.low_learning_rate);
    BOOST_TEST(first.high_batch_tokens == whole.high_batch_tokens);
  }
}

BOOST_AUTO_TEST_CASE(the_first_of_equal_minima_stays_the_best_when_merged) {
  GroupMinimum first;
  GroupMinimum second;
  first.add(0.1, 10.0, 2.0);
  second.add(0.2, 20.0, 2.0);
  first.merge(second);
  BOOST_TEST(first.learning_rate == 0.1);
  BOOST_TEST(first.second_loss == 2.0);
}

BOOST_AUTO_TEST_CASE(the_box_holds_its_border) {
  GridBox box;
  box.add({0.0, 1.0});
  box.add({2.0, 3.0});
  BOOST_TEST(box.contains({0.0, 3.0}));
  BOOST_TEST(!box.contains({2.1, 2.0}));
  BOOST_TEST(!box.contains({1.0, 0.9}));
}

BOOST_AUTO_TEST_SUITE_END()
