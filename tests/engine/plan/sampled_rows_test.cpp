/// Samples of small grids against their kept points: distinct, even, and uniform over seeds.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include <boost/test/unit_test.hpp>

#include "engine/plan/row_source.hpp"
#include "tests/support/sweep_texts.hpp"

BOOST_AUTO_TEST_SUITE(sampled_rows_test)

using namespace dfsweep;

namespace {

constexpr std::array<const char*, 3> method_names{"random", "latin_hypercube", "sobol"};

/// All points of a source, with their codes.
PointBuffer all_points(const RowSource& rows) {
  PointBuffer buffer;
  rows.decode(0, rows.kept(), buffer);
  return buffer;
}

std::string sample_of(std::string_view method, std::uint64_t count, std::uint64_t seed, std::string_view more = {}) {
  return fmt::format("[sample]\nmethod = '{}'\ncount = {}\nseed = {}\n{}", method, count, seed, more);
}

/// How often each code of an axis occurs.
std::vector<std::uint64_t> counts_of(const PointBuffer& points, const SweepSpec& spec, std::size_t axis) {
  std::vector<std::uint64_t> counts(spec.axes[axis].size);
  for (const std::uint32_t code : points.codes[axis]) ++counts[code];
  return counts;
}

std::uint64_t point_of(const PointBuffer& points, const SweepSpec& spec, std::size_t i) {
  std::uint64_t point = 0;
  for (std::size_t axis = 0; axis < spec.axes.size(); ++axis)
    point = point * spec.axes[axis].size + points.codes[axis][i];
  return point;
}

const std::string grid = R"([parameters]
seed = [1, 2, 3, 4]
work = [1, 2, 3, 4, 5]
size = ["1 B", "2 B", "3 B"]
flavour = ["plain", "rich", "odd"]
)";
const std::string filters = "[filter]\nkeep = [\"seed * work <= 8\", \"size != '2 B' || flavour != 'odd'\"]\n";

}  // namespace

BOOST_AUTO_TEST_CASE(rows_are_distinct_kept_points_in_grid_order) {
  for (const std::string& kept_by : {std::string(), filters}) {
    const SweepSpec whole = toy_sweep(grid + kept_by);
    const std::vector<std::uint64_t> kept = all_points(RowSource(whole)).points;
    for (const char* method : method_names)
      for (const std::uint64_t count : {std::uint64_t{1}, std::uint64_t{7}, kept.size() - 1, kept.size()}) {
        BOOST_TEST_CONTEXT(method << " " << count << " " << kept_by) {
          const SweepSpec spec = toy_sweep(grid + kept_by + sample_of(method, count, 3));
          const RowSource rows(spec);
          BOOST_TEST(rows.kept() == count);
          BOOST_TEST(rows.groups() == count);
          BOOST_TEST(rows.population() == kept.size());
          const PointBuffer points = all_points(rows);
          BOOST_TEST(std::includes(kept.begin(), kept.end(), points.points.begin(), points.points.end()));
          BOOST_TEST(std::set(points.points.begin(), points.points.end()).size() == count);
          for (std::size_t i = 0; i < count; ++i) BOOST_TEST(point_of(points, spec, i) == points.points[i]);
          PointBuffer part;
          rows.decode(count / 2, count - count / 2, part);
          BOOST_TEST(std::equal(part.points.begin(), part.points.end(),
                                points.points.begin() + static_cast<std::ptrdiff_t>(count / 2)));
        }
      }
  }
}

// 300 samples of 10 of the kept points: each is drawn 300 * 10 / kept times, with a deviation of less than its root.
BOOST_AUTO_TEST_CASE(every_kept_point_is_drawn_equally_often) {
  const std::size_t kept = RowSource(toy_sweep(grid + filters)).kept();
  for (const char* method : method_names) {
    std::map<std::uint64_t, int> drawn;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
      const SweepSpec spec = toy_sweep(grid + filters + sample_of(method, 10, seed));
      for (const std::uint64_t point : all_points(RowSource(spec)).points) ++drawn[point];
    }
    const double expected = 3000.0 / static_cast<double>(kept);
    for (const auto& [point, times] : drawn)
      BOOST_TEST(std::abs(times - expected) < 5.0 * std::sqrt(expected), method << " " << point << " " << times);
    BOOST_TEST(drawn.size() == kept);
  }
}

// Of 60 or 64 rows, each of 4 levels has a quarter; where axes are filtered, the free ones remain even.
BOOST_AUTO_TEST_CASE(designs_are_even_on_free_axes) {
  const std::string axes =
      "[parameters]\nseed = { from = 1, to = 1000, step = 1 }\nwork = [1, 2, 3, 4]\n"
      "size = ['1 B', '2 B', '3 B', '4 B']\nskew = { from = 0, to = 99, step = 1 }\n";
  for (const char* kept_by : {"", "[filter]\nkeep = 'seed + skew > 40'\n"})
    for (const auto& [method, count] : {std::pair("latin_hypercube", 60u), std::pair("sobol", 64u)}) {
      const SweepSpec spec = toy_sweep(axes + kept_by + sample_of(method, count, 5));
      const PointBuffer points = all_points(RowSource(spec));
      const std::vector<std::uint64_t> quarters(4, count / 4);
      BOOST_TEST((counts_of(points, spec, 1) == quarters), method << kept_by);
      BOOST_TEST((counts_of(points, spec, 2) == quarters), method << kept_by);
    }
}

// Kept points by seed: 5 * 8 = 40, 4 * 8 = 32, 2 * 8 = 16, 2 * 8 = 16. Of 80 rows, each gets at most 16, then 24.
BOOST_AUTO_TEST_CASE(strata_have_equally_many_rows_or_all_of_theirs) {
  struct Case {
    std::uint64_t count;
    std::vector<std::uint64_t> rows;
  };
  const Case cases[] = {{4, {1, 1, 1, 1}}, {10, {3, 3, 2, 2}}, {80, {24, 24, 16, 16}}, {104, {40, 32, 16, 16}}};
  for (const char* method : method_names)
    for (const Case& one : cases) {
      const SweepSpec spec = toy_sweep(grid + filters + sample_of(method, one.count, 5, "stratify = ['seed']\n"));
      const PointBuffer points = all_points(RowSource(spec));
      BOOST_TEST(std::is_sorted(points.points.begin(), points.points.end()));
      BOOST_TEST(std::set(points.points.begin(), points.points.end()).size() == one.count);
      BOOST_TEST((counts_of(points, spec, 0) == one.rows), method << " " << one.count);
    }
}

BOOST_AUTO_TEST_CASE(a_search_is_sampled_by_reported_points) {
  const std::string search = "[search]\nover = ['work']\nminimize = 'time'\n";
  const SweepSpec whole_spec = toy_sweep(grid + filters + search);
  const RowSource whole(whole_spec);
  for (const char* method : method_names)
    for (const std::uint64_t count : {std::uint64_t{1}, std::uint64_t{5}, whole.groups()}) {
      const SweepSpec spec = toy_sweep(grid + filters + search + sample_of(method, count, 5));
      const RowSource rows(spec);
      BOOST_TEST(rows.groups() == count);
      BOOST_TEST(rows.population() == whole.groups());
      BOOST_TEST(rows.group_begin(count) == rows.kept());
      const PointBuffer points = all_points(rows);
      std::uint64_t group = 0;  // of the whole search
      std::uint64_t largest = 0;
      for (std::uint64_t g = 0; g < count; ++g, ++group) {
        const std::uint64_t size = rows.group_begin(g + 1) - rows.group_begin(g);
        largest = std::max(largest, size);
        PointBuffer expected;
        for (;; ++group) {
          BOOST_REQUIRE(group < whole.groups());
          whole.decode(whole.group_begin(group), whole.group_begin(group + 1) - whole.group_begin(group), expected);
          if (expected.points.front() == points.points[rows.group_begin(g)]) break;
        }
        BOOST_REQUIRE(expected.points.size() == size);
        BOOST_TEST(std::equal(expected.points.begin(), expected.points.end(),
                              points.points.begin() + static_cast<std::ptrdiff_t>(rows.group_begin(g))));
      }
      BOOST_TEST(rows.largest_group() == largest);
    }
}

BOOST_AUTO_TEST_CASE(each_row_has_its_own_numbers_of_continuous_ranges) {
  const std::string ranges =
      "capacity = { from = '10 B', to = '1000 B', scale = 'log' }\n"
      "rate = { from = '1 GB/s', to = '2 GB/s', scale = 'linear' }\n";
  for (const char* method : method_names) {
    const SweepSpec spec = toy_sweep(grid + ranges + filters + sample_of(method, 128, 5));
    const RowSource rows(spec);
    BOOST_TEST(rows.kept() == 128);
    BOOST_TEST(rows.population() == 104 * 128);
    BOOST_REQUIRE(spec.axes.back().size == 128u);
    const PointBuffer points = all_points(rows);
    std::vector<std::uint32_t> codes = points.codes.back();
    std::sort(codes.begin(), codes.end());
    for (std::uint32_t row = 0; row < 128; ++row) BOOST_TEST(codes[row] == row);
    std::vector<int> parts(128);
    for (const ParameterValue& value : spec.values[ToyEstimator::capacity].values) {
      BOOST_TEST((value.number >= 10.0 && value.number <= 1000.0));
      ++parts[static_cast<std::size_t>(64.0 * std::log10(value.number / 10.0))];
    }
    if (method != method_names[0]) BOOST_TEST((parts == std::vector<int>(128, 1)), method);
    // 128 rows over 104 points: each occurs once or twice.
    std::map<std::uint64_t, int> repetitions;
    for (const std::uint64_t point : points.points) ++repetitions[point / 128];
    if (method == method_names[0]) {
      BOOST_TEST(repetitions.size() >= 64);
      for (const auto& [point, times] : repetitions) BOOST_TEST(times <= 2);
    }
  }
}

BOOST_AUTO_TEST_CASE(samples_of_huge_grids_are_drawn_at_once) {
  const std::string huge = R"([parameters]
seed = { from = 1, to = 100000, step = 1 }
work = { from = 1, to = 100000, step = 1 }
size = { from = "1 B", to = "100000 B", step = "1 B" }
skew = { from = 1, to = 1000, step = 1 }
[filter]
keep = ["skew % 3 == 1", "seed != 7"]
)";
  for (const char* method : method_names) {
    const SweepSpec spec = toy_sweep(huge + sample_of(method, 3000, 11));
    const RowSource rows(spec);
    BOOST_TEST(rows.grid_size() == 1'000'000'000'000'000'000);
    const PointBuffer points = all_points(rows);
    std::vector<int> thirds(3);
    for (const std::uint32_t code : points.codes[1]) ++thirds[code / 33'334];
    for (const int third : thirds) BOOST_TEST((third > 850 && third < 1150), method);
    for (const std::uint32_t code : points.codes[3]) BOOST_REQUIRE((code + 1) % 3 == 1);
  }
}

BOOST_AUTO_TEST_CASE(too_many_rows_are_refused) {
  const auto message = [](const std::string& text) {
    const SweepSpec spec = toy_sweep(text);
    try {
      static_cast<void>(RowSource(spec));
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  BOOST_TEST(message("[parameters]\nseed = [1, 2, 3]\n[filter]\nkeep = 'seed > 1'\n[sample]\ncount = 3\n") ==
             "sweep.toml:9:9: [sample] of 3 rows (the filters keep 2 points). Give a smaller count");
  BOOST_TEST(message("[parameters]\nseed = [1, 2, 3]\n[sample]\ncount = 2\nstratify = ['seed']\n") ==
             "sweep.toml:8:12: 'stratify' gives 3 strata (count is 2). Name fewer axes, or give a larger count");
}

BOOST_AUTO_TEST_SUITE_END()
