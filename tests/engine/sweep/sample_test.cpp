/// The section [sample]: what is read, what is written back, what is refused, and the parts of a split.
#include <array>
#include <cmath>
#include <map>

#include <boost/test/unit_test.hpp>

#include "engine/sweep/split.hpp"
#include "tests/support/sweep_texts.hpp"

BOOST_AUTO_TEST_SUITE(sample_test)

using namespace dfsweep;

namespace {

const std::string axes = "[parameters]\nseed = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\nflavour = ['plain', 'odd']\n";

}  // namespace

BOOST_AUTO_TEST_CASE(a_sample_is_read_with_defaults) {
  const SweepSpec spec = toy_sweep(axes + "[sample]\ncount = 5\n");
  BOOST_TEST(*spec.sample->count == 5);
  BOOST_TEST((spec.sample->method == DesignMethod::random));
  BOOST_TEST(spec.sample->seed == 1);
  BOOST_TEST(!spec.sample->split);
}

BOOST_AUTO_TEST_CASE(where_adds_filters) {
  const SweepSpec spec = toy_sweep(axes + "[filter]\nkeep = 'seed > 1'\n[sample]\ncount = 5\nwhere = ['seed < 9']\n");
  BOOST_REQUIRE(spec.filters.size() == 2);
  BOOST_TEST(spec.filters[1].expression == "seed < 9");
}

BOOST_AUTO_TEST_CASE(the_resolved_text_is_read_as_the_same_sweep) {
  const std::string text = axes + R"(capacity = { from = "10 B", to = "1 kB", scale = "log" }
[[together]]
work = [1, 2]
skew = [3, 4]
[sample]
count = 20
method = "latin_hypercube"
seed = 7
where = ["seed < 9"]
stratify = ["flavour"]
split = { train = 0.8, "held out" = 0.2, by = ["work"] }
)";
  // Of two values of work, one share of 0.8 gets both: this needs more values.
  BOOST_CHECK_THROW(toy_sweep(text), UserError);
  const std::string by_seed = text.substr(0, text.find("[\"work\"] }")) + "[\"seed\"] }\n";
  const SweepSpec spec = toy_sweep(by_seed);
  const std::string resolved = resolved_text(spec);
  const SweepSpec again = read_sweep_text(resolved, "resolved.toml", {}, toy_reading());
  BOOST_TEST(resolved_text(again) == resolved);
  BOOST_TEST(labels(again, ToyEstimator::capacity) == labels(spec, ToyEstimator::capacity));
  BOOST_TEST(spec.axes.size() == 4);
  BOOST_TEST(spec.axes.back().size == 20u);
}

BOOST_AUTO_TEST_CASE(parts_of_points_have_their_shares_and_do_not_depend_on_the_count) {
  const std::string split = "split = { train = 0.75, test = 0.25 }\n";
  const SweepSpec small = toy_sweep(axes + "[sample]\ncount = 2\n" + split);
  const SweepSpec large = toy_sweep(axes + "[sample]\ncount = 20\n" + split);
  const SplitRule rule(small);
  const SplitRule other(large);
  const auto none = [](std::size_t) { return 0u; };
  int test = 0;
  for (std::uint64_t point = 0; point < 10'000; ++point) {
    BOOST_REQUIRE(rule.part(point, none) == other.part(point, none));
    test += static_cast<int>(rule.part(point, none));
  }
  BOOST_TEST(std::abs(test - 2500) < 5 * 43, test);
}

// 20 combinations of seed and flavour: 16, 2 and 2 of them.
BOOST_AUTO_TEST_CASE(parts_of_combinations_have_exact_shares) {
  const SweepSpec spec =
      toy_sweep(axes + "[sample]\nsplit = { train = 0.8, validation = 0.1, test = 0.1, by = ['seed', 'flavour'] }\n");
  const SplitRule rule(spec);
  std::map<std::uint32_t, int> parts;
  for (std::uint32_t seed = 0; seed < 10; ++seed)
    for (std::uint32_t flavour = 0; flavour < 2; ++flavour) {
      const std::array<std::uint32_t, 2> codes{seed, flavour};
      ++parts[rule.part_of_group(codes)];
    }
  BOOST_TEST((parts == std::map<std::uint32_t, int>{{0, 16}, {1, 2}, {2, 2}}));
}

BOOST_AUTO_TEST_CASE(what_a_search_looks_over_does_not_change_the_part) {
  const SweepSpec spec = toy_sweep(axes +
                                   "[search]\nover = ['seed']\nminimize = 'time'\n"
                                   "[sample]\nsplit = { train = 0.5, test = 0.5 }\n");
  const SplitRule rule(spec);
  for (std::uint32_t seed = 0; seed < 10; ++seed) {
    const std::array<std::uint32_t, 2> codes{seed, 1};
    BOOST_TEST(rule.part_of_group(codes) == rule.part(1, [](std::size_t) { return 0u; }));
  }
}

BOOST_AUTO_TEST_CASE(ranges_are_even_in_their_scale) {
  const ContinuousRange linear{0, 2.0, 6.0, Scale::linear};
  const ContinuousRange logarithmic{0, 1.0, 100.0, Scale::logarithmic};
  BOOST_TEST(number_at(linear, 0) == 2.0);
  BOOST_TEST(number_at(linear, std::uint64_t{1} << 62) == 3.0);
  BOOST_TEST(number_at(logarithmic, std::uint64_t{1} << 63) == 10.0);
  BOOST_TEST(number_at(linear, ~std::uint64_t{0}) <= 6.0);
}

BOOST_AUTO_TEST_SUITE_END()
