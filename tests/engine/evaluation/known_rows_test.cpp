/// The rest of a range is evaluated, known rows are not, and both together are what an evaluation of all gives.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <bit>

#include "engine/evaluation/known_rows.hpp"
#include "tests/support/toy_sweep.hpp"

BOOST_AUTO_TEST_SUITE(known_rows_test)

using namespace dfsweep;

namespace {

/// Knows the points whose index is a multiple of `step`.
class EveryNth final : public KnownRows {
 public:
  EveryNth(EstimateBuffer all, std::size_t step) : all_(std::move(all)), step_(step) {}
  void fill(const PointBuffer& points, EstimateBuffer& estimates, std::span<std::uint8_t> is_known) const override {
    for (std::size_t i = 0; i < points.points.size(); ++i) {
      is_known[i] = points.points[i] % step_ == 0 ? 1 : 0;
      if (is_known[i] == 0) continue;
      estimates.status[i] = all_.status[points.points[i]];
      for (std::size_t m = 0; m < all_.metrics.size(); ++m) estimates.metrics[m][i] = all_.metrics[m][points.points[i]];
    }
  }

 private:
  EstimateBuffer all_;
  std::size_t step_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(known_and_evaluated_points_make_the_whole_range) {
  const ToySweep sweep("[parameters]\nseed = [1, 2, 3, 4, 5]\nsize = ['1 B', '2 B', '3 B']\ncapacity = '2 B'\n");
  PointBuffer points;
  sweep.rows.decode(0, 15, points);
  EstimateBuffer expected;
  Tally whole;
  evaluate_range(*sweep.spec.estimator, *sweep.prepared, points, expected, whole);
  // 1: all points are known; 2: 8 of 15; 16: only point 0.
  for (const auto& [step, taken] : {std::pair{1, 15}, {2, 8}, {16, 1}}) {
    const EveryNth known(expected, static_cast<std::size_t>(step));
    RestEvaluation rest(sweep.spec, *sweep.prepared, known);
    EstimateBuffer estimates;
    Tally tally;
    rest.evaluate(points, estimates, tally, {});
    BOOST_TEST(tally.taken == static_cast<std::uint64_t>(taken));
    BOOST_TEST(tally.points == 15U);
    BOOST_TEST(tally.statuses == whole.statuses, boost::test_tools::per_element());
    BOOST_TEST(estimates.status == expected.status, boost::test_tools::per_element());
    for (std::size_t m = 0; m < expected.metrics.size(); ++m)
      for (std::size_t i = 0; i < 15; ++i)
        BOOST_TEST(std::bit_cast<std::uint64_t>(estimates.metrics[m][i]) ==
                   std::bit_cast<std::uint64_t>(expected.metrics[m][i]));
  }
}

BOOST_AUTO_TEST_SUITE_END()
