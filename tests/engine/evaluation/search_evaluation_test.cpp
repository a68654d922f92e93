/// Bounds of searches: the same best points as without them, fewer evaluated points, counts that depend on the ranges
/// only.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "engine/dataset/block_encoding.hpp"
#include "engine/evaluation/search_evaluation.hpp"
#include "engine/evaluation/search_reduction.hpp"
#include "engine/sweep/statuses.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/toy_sweep.hpp"

BOOST_AUTO_TEST_SUITE(search_evaluation_test)

namespace {

using namespace dfsweep;

/// Another sweep's estimates, with bounds that say nothing.
class Unbounded final : public PreparedSweep {
 public:
  explicit Unbounded(const PreparedSweep& of) : of_(of) {}
  void evaluate(const PointColumns& points, EstimateColumns& out) const override { of_.evaluate(points, out); }
  [[nodiscard]] Explanation explain(const PointColumns& points) const override { return of_.explain(points); }

 private:
  const PreparedSweep& of_;
};

struct Found {
  std::vector<GroupResult> groups;
  Tally tally;
};

/// All points, in ranges of `size` points.
Found search(const ToySweep& sweep, const PreparedSweep& prepared, std::uint64_t size) {
  SearchEvaluation evaluation(sweep.spec, sweep.rows, prepared);
  SearchReduction reduction(sweep.plan, 0, sweep.rows.groups());
  PointBuffer points;
  EstimateBuffer estimates;
  Found found;
  for (std::uint64_t first = 0; first < sweep.rows.kept(); first += size) {
    sweep.rows.decode(first, std::min(size, sweep.rows.kept() - first), points);
    evaluation.evaluate(first, points, estimates, found.tally, wanted_of(sweep.spec, prepared));
    reduction.add(first, points, estimates);
  }
  found.groups = std::move(reduction.groups());
  return found;
}

/// The bytes of the rows, without the counts of statuses.
BlockBytes rows_of(const ToySweep& sweep, std::vector<GroupResult> groups) {
  for (GroupResult& group : groups) std::fill(group.rejections.begin(), group.rejections.end(), 0);
  return encode_groups(sweep.plan, groups);
}

std::uint64_t bounded_points(const ToySweep& sweep, const Tally& tally) {
  const std::size_t code = code_of(SearchStatus::bounded, *sweep.spec.estimator);
  return code < tally.statuses.size() ? tally.statuses[code] : 0;
}

struct Case {
  const char* why;
  const char* text;
  std::uint64_t bounded;  ///< points that bounds exclude when all are evaluated as one range
};

// The bound of memory is 3/4 of size. Steps have 128 points.
const Case cases[] = {
    {"ascending sizes: the first step finds size 1, and all later bounds exceed it",
     "[parameters]\nflavour = ['plain', 'odd']\nsize = { from = '1 B', to = '1000 B', step = '1 B' }\n"
     "[search]\nover = ['size']\nminimize = 'memory'\n",
     2 * 872},
    {"the two best: the second is size 2, and all later bounds exceed it",
     "[parameters]\nsize = { from = '1 B', to = '1000 B', step = '1 B' }\n"
     "[search]\nover = ['size']\nminimize = 'memory'\ntop = 2\n",
     872},
    {"equal values: a bound that equals the best excludes nothing",
     "[parameters]\nsize = '0 B'\nseed = { from = 1, to = 500, step = 1 }\n"
     "[search]\nover = ['seed']\nminimize = 'memory'\ntop = 3\n",
     0},
    {"one per tie: two seeds of size 1 are one row, so bounds up to size 2 exclude nothing, and later ones do",
     "[parameters]\nsize = { from = '1 B', to = '1000 B', step = '1 B' }\nseed = [1, 2]\n"
     "[search]\nover = ['size', 'seed']\nminimize = 'memory'\ntop = 2\none_per_tie = true\n",
     2 * 1000 - 128},
    {"one per tie: all points are one value, so the second best is never known",
     "[parameters]\nsize = '7 B'\nseed = { from = 1, to = 500, step = 1 }\n"
     "[search]\nover = ['seed']\nminimize = 'memory'\ntop = 2\none_per_tie = true\n",
     0},
    {"a condition that limits the metric: 3/4 size < 75 holds up to 99",
     "[parameters]\nsize = { from = '1 B', to = '1000 B', step = '1 B' }\n"
     "[search]\nover = ['size']\nminimize = 'noise'\ntop = 4\nwhere = \"memory < '75 B'\"\n",
     901},
    {"no candidate: the group is reported all the same",
     "[parameters]\nsize = { from = '10 B', to = '1000 B', step = '1 B' }\n"
     "[search]\nover = ['size']\nminimize = 'memory'\nwhere = \"memory <= '5 B'\"\n",
     991},
    {"the metric is maximized and limited from below: bounds do not help",
     "[parameters]\nsize = { from = '1 B', to = '1000 B', step = '1 B' }\n"
     "[search]\nover = ['size']\nmaximize = 'memory'\nwhere = \"memory > '75 B'\"\n",
     0},
    {"infeasible points are no incumbents",
     "[parameters]\nsize = { from = '1 B', to = '1000 B', step = '1 B' }\ncapacity = '0 B'\n"
     "[search]\nover = ['size']\nminimize = 'memory'\n",
     0},
};

BOOST_DATA_TEST_CASE(bounds_change_no_row, boost::unit_test::data::make(cases), c) {
  const ToySweep sweep(c.text);
  const std::uint64_t kept = sweep.rows.kept();
  const Found plain = search(sweep, Unbounded(*sweep.prepared), kept);
  const Found whole = search(sweep, *sweep.prepared, kept);
  BOOST_TEST(bounded_points(sweep, plain.tally) == 0U);
  BOOST_TEST(bounded_points(sweep, whole.tally) == c.bounded);
  for (const std::uint64_t size : {kept, std::uint64_t{300}, std::uint64_t{7}}) {
    const Found found = search(sweep, *sweep.prepared, size);
    BOOST_TEST((rows_of(sweep, found.groups) == rows_of(sweep, plain.groups)));
    BOOST_TEST(found.tally.points == kept);
    std::uint64_t counted = 0;
    for (const GroupResult& group : found.groups)
      for (const std::uint64_t count : group.rejections) counted += count;
    BOOST_TEST(counted == kept);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
