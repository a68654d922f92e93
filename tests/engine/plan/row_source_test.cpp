/// Rows against brute force: every random small grid, filter and search is also walked point by point.
#include <fmt/format.h>

#include <boost/test/unit_test.hpp>

#include <unistd.h>

#include <fstream>
#include <map>
#include <random>

#include "engine/plan/descent.hpp"
#include "engine/plan/row_filters.hpp"
#include "engine/plan/row_source.hpp"
#include "tests/support/sweep_texts.hpp"

BOOST_AUTO_TEST_SUITE(row_source_test)

using namespace dfsweep;

namespace {

struct KeptPoint {
  std::vector<std::uint32_t> codes;
  std::uint64_t point = 0;
  bool operator==(const KeptPoint&) const = default;
};

/// Every point of the grid in grid order, with the filters evaluated one by one, then ordered by reported axes.
std::vector<KeptPoint> walked(const SweepSpec& spec) {
  std::vector<std::size_t> order(spec.axes.size());
  for (std::size_t a = 0; a < order.size(); ++a) order[a] = a;
  std::vector<AxisFilter> filters;
  for (const Filter& filter : spec.filters) filters.emplace_back(spec, filter, order);
  std::uint64_t size = 1;
  for (const Axis& axis : spec.axes) size *= axis.size;
  std::vector<KeptPoint> kept;
  for (std::uint64_t point = 0; point < size; ++point) {
    KeptPoint one{std::vector<std::uint32_t>(spec.axes.size()), point};
    std::uint64_t rest = point;
    for (std::size_t a = spec.axes.size(); a-- > 0; rest /= spec.axes[a].size)
      one.codes[a] = static_cast<std::uint32_t>(rest % spec.axes[a].size);
    bool keeps = true;
    for (AxisFilter& filter : filters) {
      for (std::size_t i = 0; i < filter.positions().size(); ++i) filter.set_code(i, one.codes[filter.positions()[i]]);
      keeps = keeps && filter.keeps();
    }
    if (keeps) kept.push_back(one);
  }
  if (!spec.search) return kept;
  const auto key = [&](const KeptPoint& p) {
    std::vector<std::uint32_t> reported;
    std::vector<std::uint32_t> searched;
    for (std::size_t a = 0; a < spec.axes.size(); ++a) {
      const bool is_searched =
          std::find(spec.search->axes.begin(), spec.search->axes.end(), a) != spec.search->axes.end();
      (is_searched ? searched : reported).push_back(p.codes[a]);
    }
    return std::pair(reported, searched);
  };
  std::sort(kept.begin(), kept.end(), [&](const KeptPoint& a, const KeptPoint& b) { return key(a) < key(b); });
  return kept;
}

std::vector<KeptPoint> decoded(const RowSource& rows, std::uint64_t first, std::size_t count) {
  PointBuffer buffer;
  rows.decode(first, count, buffer);
  std::vector<KeptPoint> points(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (const auto& column : buffer.codes) points[i].codes.push_back(column[i]);
    points[i].point = buffer.points[i];
  }
  return points;
}

/// Where the groups of ordered points begin.
std::vector<std::uint64_t> group_begins(const SweepSpec& spec, const std::vector<KeptPoint>& kept) {
  std::vector<std::uint64_t> begins;
  for (std::uint64_t k = 0; k < kept.size(); ++k) {
    bool same = k > 0 && spec.search;
    for (std::size_t a = 0; a < spec.axes.size() && same; ++a)
      if (std::find(spec.search->axes.begin(), spec.search->axes.end(), a) == spec.search->axes.end())
        same = kept[k].codes[a] == kept[k - 1].codes[a];
    if (!same) begins.push_back(k);
  }
  begins.push_back(kept.size());
  return begins;
}

/// Each kept point has its rank, and a rejected one none.
void check_ranks(const SweepSpec& spec, std::vector<KeptPoint> kept) {
  std::sort(kept.begin(), kept.end(), [](const KeptPoint& a, const KeptPoint& b) { return a.point < b.point; });
  std::vector<FilterEffect> effects;
  const GridRows rows(spec, {}, effects);
  std::vector<std::uint32_t> codes(spec.axes.size());
  std::size_t next = 0;
  for (std::uint64_t point = 0; point < rows.grid_size(); ++point) {
    std::uint64_t rest = point;
    for (std::size_t a = spec.axes.size(); a-- > 0; rest /= spec.axes[a].size)
      codes[a] = static_cast<std::uint32_t>(rest % spec.axes[a].size);
    const std::optional<std::uint64_t> rank = rank_of(rows.grid(), codes);
    const bool is_kept = next < kept.size() && kept[next].point == point;
    BOOST_REQUIRE_EQUAL(rank.has_value(), is_kept);
    if (is_kept) BOOST_REQUIRE_EQUAL(*rank, next++);
  }
}

void check(const SweepSpec& spec, std::mt19937_64& random) {
  const std::vector<KeptPoint> expected = walked(spec);
  if (expected.empty()) {
    BOOST_CHECK_THROW(RowSource{spec}, UserError);
    return;
  }
  check_ranks(spec, expected);
  const RowSource rows(spec);
  BOOST_REQUIRE_EQUAL(rows.kept(), expected.size());
  BOOST_TEST((decoded(rows, 0, expected.size()) == expected));
  for (std::uint64_t k = 0; k < expected.size(); ++k) BOOST_REQUIRE((decoded(rows, k, 1).front() == expected[k]));
  for (int i = 0; i < 20; ++i) {
    const std::uint64_t first = random() % expected.size();
    const std::uint64_t count = random() % (expected.size() - first + 1);
    const auto begin = expected.begin() + static_cast<std::ptrdiff_t>(first);
    BOOST_REQUIRE(
        (decoded(rows, first, count) == std::vector<KeptPoint>(begin, begin + static_cast<std::ptrdiff_t>(count))));
  }
  const std::vector<std::uint64_t> begins = group_begins(spec, expected);
  BOOST_REQUIRE_EQUAL(rows.groups(), begins.size() - 1);
  std::uint64_t largest = 0;
  for (std::uint64_t g = 0; g < begins.size(); ++g) {
    BOOST_REQUIRE_EQUAL(rows.group_begin(g), begins[g]);
    if (g > 0) largest = std::max(largest, begins[g] - begins[g - 1]);
  }
  BOOST_TEST(rows.largest_group() == largest);
  std::uint64_t removed = 0;
  for (const FilterEffect& effect : rows.filter_effects()) removed += effect.removed;
  BOOST_TEST(removed == rows.grid_size() - rows.kept());
}

std::string numbers(std::uint64_t count, std::string_view unit) {
  std::string text = "[";
  for (std::uint64_t i = 1; i <= count; ++i)
    text += unit.empty() ? fmt::format("{}, ", i) : fmt::format("\"{} {}\", ", i, unit);
  return text + "]\n";
}

const std::vector<std::string>& expressions() {
  static const std::vector<std::string> all{"seed * work == 4",
                                            "seed + skew <= 4 && work > 1",
                                            "flavour != 'odd' || seed == 2",
                                            "size <= capacity",
                                            "size % seed == 0",
                                            "work == skew",
                                            "seed < 3 || work < 2",
                                            "flavour == 'plain'",
                                            "capacity > '2 B'",
                                            "skew != 2",
                                            "!(seed == work)",
                                            "seed * size + work * capacity <= 9",
                                            "outcome == 'normal'",
                                            "(size + work) % 3 == skew % 3",
                                            "max(seed, work) < 3 ? skew == 1 : skew > 1",
                                            "1",
                                            "seed % (work - 1) == 0"};
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(rows_of_random_grids_are_those_of_a_walk) {
  std::mt19937_64 random(20250101);
  for (int round = 0; round < 400; ++round) {
    const auto size = [&] { return 1 + random() % 4; };
    std::string text = "[parameters]\n";
    std::vector<std::string> axes;
    const auto add = [&](std::string name, const std::string& value) {
      text += name + " = " + value;
      axes.push_back(std::move(name));
    };
    if (random() % 4 != 0) add("seed", numbers(size(), ""));
    if (random() % 3 == 0) add("flavour", "[\"plain\", \"rich\", \"odd\"]\n");
    if (random() % 4 != 0) add("size", numbers(size(), "B"));
    if (random() % 4 != 0) add("capacity", numbers(size(), "B"));
    if (random() % 2 == 0)
      add("work", numbers(size(), "")), add("skew", numbers(size(), ""));
    else
      text += "[[together]]\nwork = [3, 1, 2]\nskew = [1, 2, 3]\n", axes.emplace_back("work");
    text += "[filter]\nkeep = [";
    for (std::uint64_t f = random() % 4; f > 0; --f)
      text += fmt::format("\"{}\", ", expressions()[random() % expressions().size()]);
    text += "]\n";
    if (random() % 2 == 0) {
      text += "[search]\nminimize = \"time\"\nover = [\"" + axes[random() % axes.size()] + "\"";
      const std::string second = axes[random() % axes.size()];
      if (text.find("over = [\"" + second + "\"") == std::string::npos) text += ", \"" + second + "\"";
      text += "]\n";
    }
    BOOST_TEST_INFO_SCOPE(text);
    check(toy_sweep(text), random);
  }
}

// More choices than are listed at once, with two diagrams that interleave and a free axis between them.
BOOST_AUTO_TEST_CASE(rows_of_a_large_grid_are_those_of_a_walk) {
  std::mt19937_64 random(7);
  for (const char* search : {"", "[search]\nminimize = \"time\"\nover = [\"work\", \"capacity\"]\n"}) {
    const SweepSpec spec =
        toy_sweep("[parameters]\nseed = " + numbers(12, "") + "work = " + numbers(9, "") +
                  "size = " + numbers(10, "B") + "skew = " + numbers(11, "") + "capacity = " + numbers(9, "B") +
                  "flavour = [\"plain\", \"rich\"]\n[filter]\n"
                  "keep = [\"seed * size <= 60\", \"(work + skew + capacity) % 3 != 1\"]\n" +
                  search);
    BOOST_TEST(RowSource(spec).kept() > 65536u);
    check(spec, random);
  }
}

BOOST_AUTO_TEST_CASE(rows_of_point_lists_are_their_kept_lines) {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("dfsweep_rows_{}", ::getpid());
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "points.csv") << "seed,flavour\n3,odd\n1,plain\n2,odd\n3,plain\n1,odd\n";
  const SweepSpec spec =
      toy_sweep("[points]\nfile = \"points.csv\"\n[filter]\nkeep = \"flavour == 'odd' && seed < 3\"\n", folder);
  const RowSource rows(spec);
  std::filesystem::remove_all(folder);
  BOOST_REQUIRE_EQUAL(rows.kept(), 2);
  BOOST_TEST(rows.grid_size() == 5);
  BOOST_TEST(rows.groups() == 2);
  const std::vector<KeptPoint> points = decoded(rows, 0, 2);
  // Codes count values by first occurrence: seed 3, 1, 2; flavour odd, plain.
  BOOST_TEST((points[0] == KeptPoint{{2, 0}, 2}));
  BOOST_TEST((points[1] == KeptPoint{{1, 0}, 4}));
}

BOOST_AUTO_TEST_CASE(huge_grids_are_counted_exactly) {
  const SweepSpec spec = toy_sweep(R"(
[parameters]
seed = { from = 1, to = 65536, step = 1 }
work = { from = 1, to = 65536, step = 1 }
skew = { from = 1, to = 65535, step = 1 }
size = { from = "1 B", to = "65536 B", step = "1 B" }
[filter]
keep = ["seed > 1", "work == 7 || work == 9", "skew == 65535"]
)");
  const RowSource rows(spec);
  BOOST_TEST(rows.grid_size() == 65536ULL * 65536ULL * 65535ULL * 65536ULL);
  BOOST_TEST(rows.kept() == 65535ULL * 2 * 65536);
  // The last kept point is (65536, 9, 65535, 65536): codes 65535, 8, 65534, 65535.
  const KeptPoint last = decoded(rows, rows.kept() - 1, 1).front();
  BOOST_TEST((last.codes == std::vector<std::uint32_t>{65535, 8, 65534, 65535}));
  BOOST_TEST(last.point == ((65535ULL * 65536 + 8) * 65535 + 65534) * 65536 + 65535);
}

BOOST_AUTO_TEST_CASE(independent_filters_on_interleaved_axes_do_not_multiply_their_diagrams) {
  // Each filter ties two axes of 1000 values; joined in one diagram they would have a million states between them.
  const SweepSpec spec = toy_sweep(R"(
[parameters]
seed = { from = 1, to = 1000, step = 1 }
work = { from = 1, to = 1000, step = 1 }
size = { from = "1 B", to = "1000 B", step = "1 B" }
skew = { from = 1, to = 1000, step = 1 }
[filter]
keep = ["seed == size", "work == skew"]
)");
  const RowSource rows(spec);
  BOOST_TEST(rows.kept() == 1'000'000);
  BOOST_TEST((decoded(rows, 123'456, 1).front().codes == std::vector<std::uint32_t>{123, 456, 123, 456}));
}

BOOST_AUTO_TEST_CASE(a_filter_that_leaves_nothing_is_named) {
  const SweepSpec spec = toy_sweep("[parameters]\nseed = [1, 2]\n[filter]\nkeep = [\"seed > 1\", \"seed < 2\"]\n");
  try {
    RowSource rows(spec);
    BOOST_FAIL("an empty result was accepted");
  } catch (const UserError& error) {
    BOOST_TEST(std::string(error.what()) ==
               "sweep.toml:7:22: the filters reject every point ('seed < 2' rejects the last 1).");
  }
}

BOOST_AUTO_TEST_SUITE_END()
