/// Search reduction: equal to brute force, whatever the order in which parts are seen.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdio>
#include <string>

#include "engine/dataset/block_encoding.hpp"
#include "engine/dataset/description.hpp"
#include "engine/evaluation/range_evaluation.hpp"
#include "engine/evaluation/search_reduction.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/toy_sweep.hpp"

BOOST_AUTO_TEST_SUITE(search_test)

namespace {

using namespace dfsweep;

struct SearchCase {
  const char* why;
  const char* text;
};
const SearchCase searches[] = {
    {"ties are broken by the lowest point",
     "[parameters]\nflavour = ['rich', 'plain']\nseed = { from = 1, to = 50, step = 1 }\n"
     "[search]\nover = ['seed']\nminimize = 'time'\ntop = 4\n"},
    {"infeasible points never win but are counted",
     "[parameters]\nsize = { from = '1 B', to = '40 B', step = '1 B' }\ncapacity = ['0 B', '5 B', '39 B']\n"
     "[search]\nover = ['size']\nmaximize = 'time'\ntop = 3\n"},
    {"fewer feasible points than are asked for",
     "[parameters]\nflavour = ['plain', 'odd']\nsize = ['1 B', '2 B', '3 B']\ncapacity = '1 B'\n"
     "[search]\nover = ['size']\nminimize = 'time'\ntop = 5\n"},
    {"a metric that does not apply counts as no value",
     "[parameters]\nflavour = ['odd', 'plain', 'rich']\nseed = [1, 2]\n"
     "[search]\nover = ['flavour']\nmaximize = 'margin'\ntop = 3\n"},
    {"filters make groups unequal",
     "[parameters]\nseed = { from = 1, to = 30, step = 1 }\nwork = { from = 1, to = 30, step = 1 }\n"
     "[filter]\nkeep = ['seed % work == 0']\n[search]\nover = ['seed']\nminimize = 'noise'\ntop = 2\n"},
    {"of ties the lowest point is kept",
     "[parameters]\nflavour = ['rich', 'plain']\nseed = { from = 1, to = 50, step = 1 }\n"
     "[search]\nover = ['seed']\nminimize = 'time'\ntop = 4\none_per_tie = true\n"},
    {"values that round to the same four digits are a tie",
     "[parameters]\nsize = { from = '10000 B', to = '10040 B', step = '1 B' }\nseed = [1, 2]\n"
     "[search]\nover = ['size']\nmaximize = 'time'\ntop = 6\none_per_tie = true\n"},
};

struct Everything {
  PointBuffer points;
  EstimateBuffer estimates;
};

Everything evaluate(const ToySweep& sweep, std::uint64_t first, std::uint64_t count) {
  Everything result;
  Tally tally;
  sweep.rows.decode(first, count, result.points);
  evaluate_range(*sweep.spec.estimator, *sweep.prepared, result.points, result.estimates, tally);
  return result;
}

/// A value with four digits.
std::string printed(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3e", value);
  return text;
}

/// The best points of one group by sorting all of them.
std::vector<std::uint64_t> brute_force(const Everything& group, const Search& search) {
  std::vector<std::size_t> order;
  const std::vector<double>& values = group.estimates.metrics[search.metric];
  for (std::size_t i = 0; i < group.points.points.size(); ++i)
    if (group.estimates.status[i] == status_ok && !std::isnan(values[i])) order.push_back(i);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (values[a] != values[b])
      return search.direction == Better::higher ? values[a] > values[b] : values[a] < values[b];
    return group.points.points[a] < group.points.points[b];
  });
  if (search.ties == SearchTies::one)
    order.erase(std::unique(order.begin(), order.end(),
                            [&](std::size_t a, std::size_t b) { return printed(values[a]) == printed(values[b]); }),
                order.end());
  order.resize(std::min<std::size_t>(order.size(), search.top));
  std::vector<std::uint64_t> best;
  for (const std::size_t i : order) best.push_back(group.points.points[i]);
  return best;
}

std::vector<std::uint64_t> points_of(const std::vector<Candidate>& best) {
  std::vector<std::uint64_t> points;
  for (const Candidate& candidate : best) points.push_back(candidate.point);
  return points;
}

BOOST_DATA_TEST_CASE(reduction_equals_brute_force, boost::unit_test::data::make(searches), c) {
  const ToySweep sweep(c.text);
  SearchReduction reduction(sweep.plan, 0, sweep.rows.groups());
  const Everything all = evaluate(sweep, 0, sweep.rows.kept());
  reduction.add(0, all.points, all.estimates);
  for (std::uint64_t g = 0; g < sweep.rows.groups(); ++g) {
    const std::uint64_t first = sweep.rows.group_begin(g);
    const Everything group = evaluate(sweep, first, sweep.rows.group_begin(g + 1) - first);
    const GroupResult& result = reduction.groups()[g];
    BOOST_TEST(points_of(result.best) == brute_force(group, *sweep.spec.search), boost::test_tools::per_element());
    BOOST_TEST(result.first_point == *std::min_element(group.points.points.begin(), group.points.points.end()));
    std::uint64_t counted = 0;
    for (const std::uint64_t count : result.rejections) counted += count;
    BOOST_TEST(counted == group.points.points.size());
  }
}

BOOST_DATA_TEST_CASE(parts_merge_in_any_order_to_the_same, boost::unit_test::data::make(searches), c) {
  const ToySweep sweep(c.text);
  const std::uint64_t kept = sweep.rows.kept();
  SearchReduction whole(sweep.plan, 0, sweep.rows.groups());
  const Everything all = evaluate(sweep, 0, kept);
  whole.add(0, all.points, all.estimates);
  for (const std::uint64_t size : {std::uint64_t{1}, std::uint64_t{7}}) {
    std::vector<std::uint64_t> firsts;
    for (std::uint64_t first = 0; first < kept; first += size) firsts.push_back(first);
    std::reverse(firsts.begin(), firsts.end());
    SearchReduction merged(sweep.plan, 0, sweep.rows.groups());
    for (const std::uint64_t first : firsts) {
      const Everything part = evaluate(sweep, first, std::min(size, kept - first));
      SearchReduction reduction(sweep.plan, 0, sweep.rows.groups());
      reduction.add(first, part.points, part.estimates);
      merged.merge(reduction);
    }
    for (std::size_t g = 0; g < whole.groups().size(); ++g)
      BOOST_TEST(
          (encode_candidates(sweep.plan, merged.groups()[g]) == encode_candidates(sweep.plan, whole.groups()[g])));
  }
}

BOOST_AUTO_TEST_CASE(groups_are_found_by_their_points) {
  const ToySweep sweep(searches[4].text);
  for (std::uint64_t g = 0; g < sweep.rows.groups(); ++g)
    for (std::uint64_t kept = sweep.rows.group_begin(g); kept < sweep.rows.group_begin(g + 1); ++kept)
      BOOST_TEST(group_of(sweep.rows, kept) == g);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
