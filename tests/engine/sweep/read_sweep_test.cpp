/// Legal sweep files: what they mean.
#include "engine/sweep/read_sweep.hpp"
#include "engine/sweep/resolved_text.hpp"
#include "engine/sweep/sweep.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/support/named_rows.hpp"
#include "tests/support/sweep_texts.hpp"

BOOST_AUTO_TEST_SUITE(read_sweep_test)

using namespace dfsweep;
namespace bdata = boost::unit_test::data;

namespace {

struct Values {
  const char* why;
  const char* given;  ///< after "[parameters]\n"
  ParameterIndex parameter;
  const char* labels;
  bool axis;
};

using T = ToyEstimator;
const Values values[] = {
    {"a scalar fixes", "seed = 3", T::seed, "3", false},
    {"an absent parameter has its default", "", T::size, "1000", false},
    {"one without default has none", "", T::rate, "", false},
    {"an array is an axis", "seed = [3, 1, 2]", T::seed, "3 1 2", true},
    {"also of one value", "seed = [3]", T::seed, "3", true},
    {"quantities are in base units", "rate = ['1 GB/s', '2.5 MB/s', '1 KiB/s']", T::rate, "1e9 2500000 1024", true},
    {"powers lie in the closed range", "seed = { powers_of = 2, from = 3, to = 32 }", T::seed, "4 8 16 32", true},
    {"powers of ten below one", "rate = { powers_of = 10, from = '0.01 B/s', to = '10 B/s' }", T::rate, "0.01 0.1 1 10",
     true},
    {"powers of quantities", "size = { powers_of = 2, from = '1 KiB', to = '4 KiB' }", T::size, "1024 2048 4096", true},
    {"divisors ascend", "seed = { divisors_of = 12 }", T::seed, "1 2 3 4 6 12", true},
    {"divisors of a parameter", "seed = { divisors_of = 'work' }\nwork = 6", T::seed, "1 2 3 6", true},
    {"divisors of a default", "seed = { divisors_of = 'size' }", T::seed,
     "1 2 4 5 8 10 20 25 40 50 100 125 200 250 500 1000", true},
    {"divisors of any value of an axis", "seed = { divisors_of = 'work' }\nwork = [4, 6]", T::seed, "1 2 3 4 6", true},
    {"logarithmic points", "rate = { from = '1 B/s', to = '1e4 B/s', points = 5, scale = 'log' }", T::rate,
     "1 10 100 1000 10000", true},
    {"linear points are the decimals one expects",
     "rate = { from = '1 B/s', to = '2 B/s', points = 11, scale = 'linear' }", T::rate,
     "1 1.1 1.2 1.3 1.4 1.5 1.6 1.7 1.8 1.9 2", true},
    {"steps stop at the end", "seed = { from = 1, to = 10, step = 4 }", T::seed, "1 5 9", true},
    {"steps of decimals", "rate = { from = '0.1 B/s', to = '0.5 B/s', step = '0.1 B/s' }", T::rate,
     "0.1 0.2 0.3 0.4 0.5", true},
    {"whole numbers may be written as reals", "seed = 1e3", T::seed, "1000", false},
    {"choices", "flavour = ['rich', 'odd']", T::flavour, "rich odd", true},
    {"linked members are one axis", "[[together]]\nseed = [1, 1, 2]\nwork = [5, 6, 5]", T::seed, "1 1 2", true},
};

}  // namespace

BOOST_DATA_TEST_CASE(parameters_have_their_values, bdata::make(values), row) {
  const SweepSpec spec = toy_sweep(std::string("[parameters]\n") + row.given + "\n");
  BOOST_TEST(labels(spec, row.parameter) == row.labels);
  BOOST_TEST((spec.values.parameters[row.parameter].column != SweepValues::fixed) == row.axis);
}

BOOST_AUTO_TEST_CASE(axes_stand_in_the_order_of_the_file_and_linked_ones_last) {
  const SweepSpec spec =
      toy_sweep("[[together]]\nseed = [1, 2]\nskew = [0, 9]\n[parameters]\nwork = [1, 2, 3]\nflavour = ['odd']\n");
  BOOST_REQUIRE(spec.axes.size() == 3);
  BOOST_TEST(spec.axes[0].parameters == std::vector<ParameterIndex>{T::work}, boost::test_tools::per_element());
  BOOST_TEST(spec.axes[1].parameters == std::vector<ParameterIndex>{T::flavour}, boost::test_tools::per_element());
  BOOST_TEST((spec.axes[2].parameters == std::vector<ParameterIndex>{T::seed, T::skew}));
  BOOST_TEST(spec.axes[0].size == 3);
}

BOOST_AUTO_TEST_CASE(sections_are_decoded) {
  const SweepSpec spec = toy_sweep(R"toml([parameters]
seed = [1, 2]
rate = "5 GB/s"
[[together]]
work = [1, 2]
skew = [0, 3]
[filter]
keep = ["seed == 1 && (work > 1 || flavour == 'plain')", "skew < 5"]
[search]
over = ["skew"]
maximize = "speed"
top = 2
where = ["time < '2 s' && size > 1", "memory <= '1 kB' || colour == 'odd'"]
[output]
metrics = ["speed", "time"]
precision = "float32"
)toml");
  BOOST_REQUIRE(spec.filters.size() == 3);
  BOOST_TEST(spec.filters[1].expression == "(work > 1 || flavour == 'plain')");
  BOOST_TEST(spec.filters[1].at.column == 23);
  BOOST_TEST(spec.search->axes == std::vector<std::size_t>{1}, boost::test_tools::per_element());
  BOOST_TEST((spec.search->direction == Better::higher));
  BOOST_TEST(spec.search->top == 2);
  BOOST_REQUIRE(spec.search->conditions.size() == 3);
  BOOST_TEST(spec.search->conditions[1].expression == "size > 1");
  BOOST_TEST(spec.search->conditions[1].at.column == 27);
  BOOST_TEST((spec.metrics == std::vector<MetricIndex>{T::time, T::speed}));
  BOOST_TEST((spec.precision == Precision::float32));
  BOOST_TEST(spec.overridden == std::vector<std::string>{"device.bandwidth"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(choices_of_the_estimator_are_reported_where_there_are_any) {
  const auto names = [](const char* tensor_parallel) {
    const SweepSpec spec = read_sweep_text(
        std::string("[sweep]\nname = 'a'\nestimator = 'dataflow'\n[parameters]\nmodel = 'gpt3-1t'\ndevice = 'h100'\n"
                    "memory = 'hbm3'\ntopology = '2d-torus'\ninterconnect = 'nvlink4'\ndevice_count = 64\n"
                    "tensor_parallel = ") +
            tensor_parallel,
        "a.toml", {}, {});
    std::vector<std::string> found;
    for (const MetricIndex m : spec.metrics)
      if (spec.estimator->metrics()[m].name.starts_with("best_")) found.emplace_back(spec.estimator->metrics()[m].name);
    return found;
  };
  BOOST_TEST(names("8").empty());
  BOOST_TEST(names("[8, 'best']") == std::vector<std::string>{"best_tensor_parallel"},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_resolved_text_is_a_sweep_file_of_the_same_sweep) {
  for (const char* sections :
       {"",
        "[parameters]\nseed = { powers_of = 2, from = 1, to = 64 }\nrate = { from = '1 B/s', to = '7 B/s', points = 4, "
        "scale = 'log' }\n",
        "[parameters]\nwork = [1]\n[[together]]\nseed = [3, 1]\n[[together]]\nsize = ['1 kB', '2 kB']\nflavour = "
        "['odd', 'plain']\n"
        "[filter]\nkeep = \"seed > 1 && flavour != 'rich'\"\n[search]\nover = ['flavour']\nminimize = 'time'\n"
        "where = [\"time < '1 s'\", \"colour == 'odd' || margin > 0\"]\n"}) {
    const std::string text = resolved_text(toy_sweep(sections));
    BOOST_TEST(resolved_text(read_sweep_text(text, "resolved", "", toy_reading())) == text);
  }
}

BOOST_AUTO_TEST_SUITE_END()
