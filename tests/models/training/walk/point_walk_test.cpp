/// A walk over points gives the numbers of the plain formulas to the last bit, in any order and in any blocks.
#include "models/training/walk/point_walk.hpp"

#include <boost/test/unit_test.hpp>
#include <cstring>
#include <random>

#include "models/training/estimator.hpp"
#include "tests/support/fallback.hpp"
#include "tests/support/training_domain.hpp"

BOOST_AUTO_TEST_SUITE(point_walk_test)

using namespace dfsweep;
using namespace dfsweep::training;

namespace {

/// A sweep over a few parameters with up to three values each, and points of it: each differs from the one before in
/// few parameters, so that a walk meets what it has kept again and again.
struct RandomSweep {
  SweepValues values;
  std::vector<std::vector<std::uint32_t>> codes;  ///< [column][point]

  RandomSweep(const testing::TrainingCatalogue& catalogue, std::mt19937_64& random, std::size_t points,
              std::size_t one_in) {
    std::array<testing::TrainingValues, 3> drawn;
    for (testing::TrainingValues& values_drawn : drawn) values_drawn = catalogue.random_values(random);
    for (std::size_t p = 0; p < count_of<Parameter>; ++p) {
      SweepValues::Parameter& parameter = values.parameters.emplace_back();
      parameter.values = {drawn[0].all[p]};
      if (random() % one_in != 0) continue;
      for (std::size_t other = 1; other < drawn.size(); ++other) parameter.values.push_back(drawn[other].all[p]);
      parameter.column = codes.size();
      codes.emplace_back();
      values.column_sizes.push_back(parameter.values.size());
    }
    testing::complete(values, parameters());
    for (std::vector<std::uint32_t>& column : codes)
      for (std::size_t i = 0; i < points; ++i)
        column.push_back(i > 0 && random() % 4 != 0 ? column.back() : static_cast<std::uint32_t>(random() % 3));
  }

  [[nodiscard]] std::vector<std::span<const std::uint32_t>> columns(std::size_t first, std::size_t count) const {
    std::vector<std::span<const std::uint32_t>> spans;
    for (const std::vector<std::uint32_t>& column : codes) spans.push_back(std::span(column).subspan(first, count));
    return spans;
  }
};

/// Whether all numbers of two structs of doubles are the same bits.
template <class Numbers>
bool same_bits(const Numbers& a, const Numbers& b) {
  static_assert(sizeof(Numbers) % sizeof(double) == 0);
  return std::memcmp(&a, &b, sizeof(Numbers)) == 0;
}

bool same_step(const StepEstimate& a, const StepEstimate& b) {
  return same_bits(a.time, b.time) && same_bits(a.pipeline_work, b.pipeline_work) &&
         same_bits(a.pipeline_time, b.pipeline_time) && same_bits(a.memory, b.memory) && a.fit == b.fit &&
         same_bits(a.tokens, b.tokens) && same_bits(a.model_flop_causal, b.model_flop_causal) &&
         same_bits(a.model_flop_full, b.model_flop_full) && same_bits(a.executed_flop, b.executed_flop) &&
         same_bits(a.hardware_flops_utilization, b.hardware_flops_utilization) &&
         same_bits(a.model_flops_utilization_causal, b.model_flops_utilization_causal) &&
         same_bits(a.model_flops_utilization_full, b.model_flops_utilization_full);
}

/// Points that may run, and how many of the numbers of a walk differ from the plain ones.
struct Comparison {
  std::size_t run = 0;
  std::size_t other_statuses = 0;
  std::size_t other_steps = 0;
};

void compare(const RandomSweep& sweep, std::size_t points, Comparison& found) {
  const DecodedValues decoded = decoded_values(sweep.values);
  const PartSpaces spaces(sweep.values, decoded);
  PointWalk walk(decoded, spaces);
  const auto columns = sweep.columns(0, points);
  const PointColumns all(columns, points);
  const PointCodes codes(sweep.values, all);
  for (std::size_t first = 0; first < points; first += walk_run) {
    const std::size_t count = walk.start_run(all, first);
    for (std::size_t k = 0; k < count; ++k) {
      const Rule broken = walk.go_to(codes, k);
      const Point plain = point_at(decoded, codes, first + k);
      found.other_statuses += status_of(broken) == plain.status ? 0U : 1U;
      if (broken != Rule::none) continue;
      ++found.run;
      const Fit fit = walk.fit();
      const StepEstimate& step = walk.whole_step();
      found.other_statuses += fit == step.fit ? 0U : 1U;
      found.other_steps += same_step(step, estimate_step(plain.point)) ? 0U : 1U;
    }
  }
}

}  // namespace

// What a walk keeps of a part may depend on nothing but the parameters of the part.
BOOST_AUTO_TEST_CASE(steps_are_those_of_the_plain_formulas) {
  const testing::TrainingCatalogue catalogue;
  std::mt19937_64 random(28);
  Comparison found;
  for (int sweep = 0; sweep < 300; ++sweep) compare(RandomSweep(catalogue, random, 600, 5), 600, found);
  BOOST_TEST(found.other_statuses == 0U);
  BOOST_TEST(found.other_steps == 0U);
  BOOST_TEST(found.run > 20000U);
}

// All parameters vary: parts have more combinations than numbers.
BOOST_AUTO_TEST_CASE(too_many_combinations_are_not_confused) {
  const testing::TrainingCatalogue catalogue;
  std::mt19937_64 random(5);
  Comparison found;
  for (int sweep = 0; sweep < 10; ++sweep) compare(RandomSweep(catalogue, random, 600, 1), 600, found);
  BOOST_TEST(found.other_statuses == 0U);
  BOOST_TEST(found.other_steps == 0U);
  BOOST_TEST(found.run > 100U);
}

BOOST_AUTO_TEST_CASE(metrics_do_not_depend_on_blocks_nor_on_what_else_is_wanted) {
  const testing::TrainingCatalogue catalogue;
  const std::unique_ptr<Estimator> estimator = make_training_estimator();
  std::mt19937_64 random(7);
  constexpr std::size_t points = 1000;
  std::size_t different = 0;
  for (int s = 0; s < 40; ++s) {
    const RandomSweep sweep(catalogue, random, points, 6);
    const auto evaluate = [&](std::size_t block, std::size_t one_in) {
      const std::unique_ptr<PreparedSweep> prepared = estimator->prepare(sweep.values);
      std::vector<std::uint8_t> status(points);
      std::vector<std::vector<double>> metrics(training::metrics().size());
      for (std::size_t m = 0; m < metrics.size(); ++m)
        if (m % one_in == 0) metrics[m].resize(points);
      // blocks from the last one to the first
      for (std::size_t end = points; end > 0;) {
        const std::size_t begin = end > block ? end - block : 0;
        const auto columns = sweep.columns(begin, end - begin);
        std::vector<std::span<double>> spans;
        for (std::vector<double>& metric : metrics)
          spans.push_back(metric.empty() ? std::span<double>() : std::span(metric).subspan(begin, end - begin));
        EstimateColumns out{std::span(status).subspan(begin, end - begin), spans, WantedRows::all};
        prepared->evaluate(PointColumns(columns, end - begin), out);
        end = begin;
      }
      return std::pair(status, metrics);
    };
    const auto [status, metrics] = evaluate(points, 1);
    for (const auto& [block, one_in] : {std::pair{1UL, 1UL}, std::pair{77UL, 1UL}, std::pair{points, 3UL}}) {
      const auto [other_status, other_metrics] = evaluate(block, one_in);
      different += status == other_status ? 0U : 1U;
      for (std::size_t m = 0; m < metrics.size(); ++m)
        if (!other_metrics[m].empty())
          different += std::memcmp(metrics[m].data(), other_metrics[m].data(), points * sizeof(double)) == 0 ? 0U : 1U;
    }
  }
  BOOST_TEST(different == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
