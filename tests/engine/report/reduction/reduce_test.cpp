/// The same reduction by any threads and in slabs of any size, and limits that hold whatever the rows are.
#include "engine/report/reduction/reduce.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/support/random_rows.hpp"

namespace dfsweep::report {

BOOST_AUTO_TEST_SUITE(reduce_test)

namespace {

void expect_same(Reduction& a, Reduction& b, const Subject& subject) {
  BOOST_TEST((a.axes == b.axes));
  for (std::size_t s = 0; s < subject.statuses.size(); ++s)
    BOOST_TEST(a.cube.counts(s) == b.cube.counts(s), boost::test_tools::per_element());
  for (std::size_t o = 0; o < a.tops.size(); ++o) {
    for (std::size_t cell = 0; cell < a.cube.cells(); ++cell)
      BOOST_TEST(a.cube.best(o)[cell].row == b.cube.best(o)[cell].row);
    BOOST_TEST((a.tops[o].sorted() == b.tops[o].sorted()));
  }
  for (std::size_t p = 0; p < a.pairs.size(); ++p) {
    BOOST_TEST(a.pairs[p].width == b.pairs[p].width);
    BOOST_REQUIRE_EQUAL(a.pairs[p].fronts.size(), b.pairs[p].fronts.size());
    for (std::size_t f = 0; f < a.pairs[p].fronts.size(); ++f)
      BOOST_TEST((a.pairs[p].fronts[f].steps() == b.pairs[p].fronts[f].steps()));
  }
  BOOST_TEST((a.sample.sorted() == b.sample.sorted()));
  for (std::size_t m = 0; m < a.histograms.size(); ++m)
    BOOST_TEST(a.histograms[m].counts() == b.histograms[m].counts(), boost::test_tools::per_element());
  BOOST_TEST((a.ok_rows == b.ok_rows));
}

struct Prepared {
  ScratchFile scratch{"result.h5"};
  DatasetReader file;
  Subject subject;
  Views views;
  explicit Prepared(const SmallResult& result)
      : file([&] {
          result.write(scratch.path());
          return scratch.path();
        }()),
        subject(survey(file, candidate_metrics(file, {}), 2)),
        views(choose_views(subject, {})) {}
};

}  // namespace

BOOST_AUTO_TEST_CASE(threads_and_slabs_do_not_matter) {
  for (const std::uint32_t distinct : {5U, 1000000U}) {
    const Prepared prepared(RandomRows(5000, 17, distinct).result());
    Reduction whole = reduce(prepared.subject, prepared.views, 1);
    for (const std::uint64_t slab : {97U, 1000U})
      for (const unsigned threads : {1U, 2U, 8U}) {
        Reduction parts = reduce(prepared.subject, prepared.views, threads, slab);
        expect_same(whole, parts, prepared.subject);
      }
  }
}

/// All rows of one cell are on the front: more than any page could carry.
BOOST_AUTO_TEST_CASE(a_front_of_all_rows_is_thinned_alike_by_any_threads) {
  constexpr std::size_t rows = 450000;
  SmallResult result(rows);
  std::vector<std::int16_t> device(rows);
  std::vector<double> time(rows);
  std::vector<double> cost(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    device[row] = static_cast<std::int16_t>(row % 2);
    time[row] = 1.0 + static_cast<double>((row * 7919) % rows);  // 7919 is prime to the number of rows: all differ
    cost[row] = 1e6 - time[row];
  }
  result.labels("device", {"a", "b"}, device)
      .status(std::vector<std::uint8_t>(rows))
      .metric("step_time", "s", "lower", time)
      .metric("system_cost", "USD", "lower", cost);
  const Prepared prepared(result);
  Reduction one = reduce(prepared.subject, prepared.views, 1, 50000);
  Reduction eight = reduce(prepared.subject, prepared.views, 8, 50000);
  BOOST_REQUIRE_EQUAL(one.pairs.size(), 1U);
  BOOST_TEST(one.pairs[0].fronts.size() == 1U);
  BOOST_TEST(!one.pairs[0].is_whole);
  BOOST_TEST(one.pairs[0].members() <= 200000U);
  BOOST_TEST(one.pairs[0].fronts[0].steps().front().x == 1e6 - static_cast<double>(rows));  // the cheapest row
  BOOST_TEST(one.pairs[0].fronts[0].steps().back().y == 1.0);                               // the fastest row
  expect_same(one, eight, prepared.subject);
}

BOOST_AUTO_TEST_CASE(dropping_axes_is_the_same_as_never_having_had_them) {
  Prepared prepared(RandomRows(4000, 23, 40).result());
  Reduction fine = reduce(prepared.subject, prepared.views, 2);
  while (!fine.axes.empty()) {
    drop_last_axis(fine, prepared.subject);
    prepared.views.cube_axes = fine.axes;
    Reduction coarse = reduce(prepared.subject, prepared.views, 2);
    expect_same(fine, coarse, prepared.subject);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep::report
