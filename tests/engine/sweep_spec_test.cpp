/// Sweep files: what the legal ones mean, and that wrong ones are told so in full.
#include "engine/sweep_spec.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <ostream>

#include "tests/support/sweep_texts.hpp"

using namespace dfsweep;
namespace bdata = boost::unit_test::data;

namespace {

/// Values of a parameter, as labels joined by blanks.
std::string labels(const SweepSpec& spec, ParameterIndex parameter) {
  std::string text;
  for (const ParameterValue& value : spec.values.parameters[parameter].values)
    text += (text.empty() ? "" : " ") + label(spec.estimator->parameters()[parameter], value);
  return text;
}

struct Values {
  const char* why;
  const char* given;  ///< after "[parameters]\n"
  ParameterIndex parameter;
  const char* labels;
  bool axis;
};
std::ostream& operator<<(std::ostream& out, const Values& row) { return out << row.why; }

using T = ToyEstimator;
const Values values[] = {
    {"a scalar fixes", "seed = 3", T::seed, "3", false},
    {"an absent parameter has its default", "", T::size, "1000", false},
    {"one without default has none", "", T::rate, "", false},
    {"an array is an axis", "seed = [3, 1, 2]", T::seed, "3 1 2", true},
    {"also of one value", "seed = [3]", T::seed, "3", true},
    {"quantities are in base units", "rate = ['1 GB/s', '2.5 MB/s', '1 KiB/s']", T::rate, "1e9 2500000 1024", true},
    {"powers lie in the closed range", "seed = { powers_of = 2, from = 3, to = 32 }", T::seed, "4 8 16 32", true},
    {"powers of ten below one", "rate = { powers_of = 10, from = '0.01 B/s', to = '10 B/s' }", T::rate, "0.01 0.1 1 10", true},
    {"powers of quantities", "size = { powers_of = 2, from = '1 KiB', to = '4 KiB' }", T::size, "1024 2048 4096", true},
    {"divisors ascend", "seed = { divisors_of = 12 }", T::seed, "1 2 3 4 6 12", true},
    {"divisors of a parameter", "seed = { divisors_of = 'work' }\nwork = 6", T::seed, "1 2 3 6", true},
    {"divisors of a default", "seed = { divisors_of = 'size' }", T::seed, "1 2 4 5 8 10 20 25 40 50 100 125 200 250 500 1000", true},
    {"divisors of any value of an axis", "seed = { divisors_of = 'work' }\nwork = [4, 6]", T::seed, "1 2 3 4 6", true},
    {"logarithmic points", "rate = { from = '1 B/s', to = '1e4 B/s', points = 5, scale = 'log' }", T::rate, "1 10 100 1000 10000", true},
    {"linear points are the decimals one expects", "rate = { from = '1 B/s', to = '2 B/s', points = 11, scale = 'linear' }", T::rate,
     "1 1.1 1.2 1.3 1.4 1.5 1.6 1.7 1.8 1.9 2", true},
    {"steps stop at the end", "seed = { from = 1, to = 10, step = 4 }", T::seed, "1 5 9", true},
    {"steps of decimals", "rate = { from = '0.1 B/s', to = '0.5 B/s', step = '0.1 B/s' }", T::rate, "0.1 0.2 0.3 0.4 0.5", true},
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
  const SweepSpec spec = toy_sweep("[[together]]\nseed = [1, 2]\nskew = [0, 9]\n[parameters]\nwork = [1, 2, 3]\nflavour = ['odd']\n");
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
  BOOST_TEST((spec.metrics == std::vector<MetricIndex>{T::time, T::speed}));
  BOOST_TEST((spec.precision == Precision::float32));
  BOOST_TEST(spec.overridden == std::vector<std::string>{"device.bandwidth"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_resolved_text_is_a_sweep_file_of_the_same_sweep) {
  for (const char* sections :
       {"", "[parameters]\nseed = { powers_of = 2, from = 1, to = 64 }\nrate = { from = '1 B/s', to = '7 B/s', points = 4, scale = 'log' }\n",
        "[parameters]\nwork = [1]\n[[together]]\nseed = [3, 1]\n[[together]]\nsize = ['1 kB', '2 kB']\nflavour = ['odd', 'plain']\n"
        "[filter]\nkeep = \"seed > 1 && flavour != 'rich'\"\n[search]\nover = ['flavour']\nminimize = 'time'\n"}) {
    const std::string text = resolved_text(toy_sweep(sections));
    BOOST_TEST(resolved_text(read_sweep_text(text, "resolved", "", toy_reading())) == text);
  }
}

namespace {

struct Wrong {
  const char* why;
  const char* sections;
  const char* message;  ///< all of it, or its beginning where it ends in "..."
};
std::ostream& operator<<(std::ostream& out, const Wrong& row) { return out << row.why; }

// The heading takes three lines; sections begin in line 4.
const Wrong wrong[] = {
    {"unknown section", "[parametres]\n", "sweep.toml:4:2: unknown section 'parametres' (sections: sweep, parameters, together, filter, search, output, points, data). Did you mean 'parameters'?"},
    {"unknown parameter", "[parameters]\nsede = 1\n", "sweep.toml:5:1: unknown parameter 'sede' in [parameters] (estimator 'toy' has no such parameter). Did you mean 'seed'?"},
    {"a text for a number", "[parameters]\nseed = 'one'\n", "sweep.toml:5:8: 'seed' is a text (an integer is needed)."},
    {"a boolean", "[parameters]\nseed = true\n", "sweep.toml:5:8: 'seed' is a boolean (an integer is needed)."},
    {"a date", "[parameters]\nseed = 2020-01-01\n", "sweep.toml:5:8: 'seed' is a date (an integer is needed)."},
    {"a number for a label", "[parameters]\nflavour = 1\n", "sweep.toml:5:11: 'flavour' is an integer (a text is needed)."},
    {"nested arrays", "[parameters]\nseed = [[1]]\n", "sweep.toml:5:9: 'seed' is an array (an integer is needed)."},
    {"a fraction", "[parameters]\nseed = 1.5\n", "sweep.toml:5:8: seed = 1.5 is not a whole number."},
    {"no unit", "[parameters]\nrate = 3350\n", "sweep.toml:5:8: rate = 3350 has no unit (unit B/s). Write \"3350 GB/s\""},
    {"no unit in a text", "[parameters]\nrate = '3350'\n", "sweep.toml:5:8: rate = 3350 has no unit (unit B/s). Write \"3350 GB/s\""},
    {"wrong unit", "[parameters]\nrate = '3 GB'\n", "sweep.toml:5:8: rate = '3 GB' has the wrong unit (expected B/s, got GB)."},
    {"bits", "[parameters]\nrate = '3 Gb/s'\n", "sweep.toml:5:11: rate: unknown unit 'Gb' (unit B/s). Bits are not used: write bytes, 8 Gbit/s is \"1 GB/s\""},
    {"below the range", "[parameters]\nseed = -1\n", "sweep.toml:5:8: seed = -1 is out of range (allowed: at least 0)."},
    {"above 2^53", "[parameters]\nseed = 9223372036854775807\n", "sweep.toml:5:8: seed = 9223372036854775807 is too large (whole numbers reach to 2^53)."},
    {"not a number", "[parameters]\nrate = ['1 B/s', nan]\n", "sweep.toml:5:18: rate = nan has no unit (unit B/s)..."},
    {"infinite", "[parameters]\nseed = inf\n", "sweep.toml:5:8: seed = inf is not a finite number."},
    {"an unknown choice", "[parameters]\nflavour = ['plian']\n", "sweep.toml:5:12: flavour = 'plian' is not a choice (choices: plain, rich, odd). Did you mean 'plain'?"},
    {"not in the catalogue", "[parameters]\ndevice = 'no-such-device'\n", "sweep.toml:5:10: 'device' names 'no-such-device' (not in the catalogue)..."},
    {"a path out of the catalogue", "[parameters]\ndevice = '../devices/h100'\n", "sweep.toml:5:10: 'device' names '../devices/h100' (not in the catalogue)..."},
    {"no such file", "[parameters]\ndevice = 'mine.toml'\n", "sweep.toml:5:10: 'device' names the file 'mine.toml' (no such file). Paths are relative to the folder of the sweep file"},
    {"an empty axis", "[parameters]\nseed = []\n", "sweep.toml:5:8: axis 'seed' is empty. Give at least one value"},
    {"a value twice", "[parameters]\nsize = ['1 kB', '2 kB', '1000 B']\n", "sweep.toml:5:25: axis 'size' holds 1000 twice (first at 5:9)."},
    {"a parameter twice", "[parameters]\nseed = 1\n[[together]]\nseed = [1, 2]\nwork = [1, 2]\n", "sweep.toml:7:1: parameter 'seed' is given twice (first in line 5). Keep one of them"},
    {"lists of unequal length", "[[together]]\nseed = [1, 2]\nwork = [1, 2, 3]\n", "sweep.toml:6:1: 'work' has 3 values ('seed' of the same [[together]] has 2). Linked parameters need lists of equal length"},
    {"a scalar that is linked", "[[together]]\nseed = 1\n", "sweep.toml:5:8: 'seed' in [[together]] is an integer (an array or a range is needed). A fixed value belongs into [parameters]"},
    {"a table for together", "[together]\nseed = [1]\n", "sweep.toml:4:2: 'together' is a table. Write [[together]]"},
    {"a range of labels", "[parameters]\nflavour = { from = 1, to = 2, step = 1 }\n", "sweep.toml:5:11: 'flavour' cannot have a range (its values are texts). Give an array"},
    {"a range of no kind", "[parameters]\nseed = { from = 1, to = 2 }\n", "sweep.toml:5:8: 'seed' has a range of no known kind..."},
    {"an unknown key of a range", "[parameters]\nseed = { from = 1, to = 9, stepp = 1, step = 2 }\n", "sweep.toml:5:28: unknown key 'stepp' in the range of 'seed' (keys here: from, to, step). Did you mean 'step'?"},
    {"a missing key of a range", "[parameters]\nrate = { from = '1 B/s', to = '9 B/s', points = 3 }\n", "sweep.toml:5:8: range of 'rate' lacks 'scale' (keys here: from, to, points, scale). Write scale = \"log\" or scale = \"linear\""},
    {"a range that ends before it begins", "[parameters]\nseed = { from = 9, to = 1, step = 1 }\n", "sweep.toml:5:25: range of 'seed' ends before it begins (from 9 to 1)."},
    {"a logarithmic range from zero", "[parameters]\nseed = { from = 0, to = 9, points = 3, scale = 'log' }\n", "sweep.toml:5:17: range of 'seed' begins at zero or below (its scale is logarithmic)."},
    {"values of a range that are not whole", "[parameters]\nseed = { from = 1, to = 2, points = 3, scale = 'linear' }\n", "sweep.toml:5:8: range of 'seed' holds 1.5 (its values are whole numbers). Choose other points, powers_of or an array"},
    {"a range of too many values", "[parameters]\nseed = { from = 1, to = 1e12, step = 1 }\n", "sweep.toml:5:38: range of 'seed' has too many values (at most 10000000)."},
    {"an empty range", "[parameters]\nseed = { powers_of = 10, from = 11, to = 99 }\n", "sweep.toml:5:22: range of 'seed' is empty (no power of 10 lies in it)."},
    {"divisors of zero", "[parameters]\nseed = { divisors_of = 0 }\n", "sweep.toml:5:24: range of 'seed' has no number to divide..."},
    {"divisors of nothing", "[parameters]\nseed = { divisors_of = 'rate' }\n", "sweep.toml:5:24: divisors of 'rate' are not defined (it has no value in this sweep)..."},
    {"divisors of each other", "[parameters]\nseed = { divisors_of = 'work' }\nwork = { divisors_of = 'seed' }\n", "sweep.toml:5:24: divisors of 'work' are not defined (its values are divisors of another parameter themselves)..."},
    {"a grid of too many points", "[parameters]\nseed = { from = 1, to = 9999999, step = 1 }\nwork = { from = 1, to = 9999999, step = 1 }\nskew = { from = 1, to = 9999999, step = 1 }\n",
     "sweep.toml:4:1: the grid has about 1e+21 points (points are counted up to 2^64)."},
    {"a filter that is no text", "[filter]\nkeep = [1]\n", "sweep.toml:5:9: filter is an integer (an expression in quotes is needed)."},
    {"an unknown name in a filter", "[filter]\nkeep = ['seed > 1', 'sede < 2']\n", "sweep.toml:5:22: unknown name 'sede' in a filter. Did you mean 'seed'?"},
    {"a filter with a syntax error", "[filter]\nkeep = 'seed > (1'\n", "sweep.toml:5:18: filter 'seed > (1' cannot be evaluated..."},
    {"an unknown key of a section", "[filter]\nkep = 'seed > 1'\n", "sweep.toml:5:1: unknown key 'kep' in [filter] (keys here: keep). Did you mean 'keep'?"},
    {"search over a fixed parameter", "[search]\nover = ['seed']\nminimize = 'time'\n", "sweep.toml:5:9: search over 'seed' (it has a single value in this sweep). Give it an array or a range"},
    {"search without aim", "[parameters]\nseed = [1]\n[search]\nover = ['seed']\n", "sweep.toml:6:1: [search] has no aim. Give one of minimize and maximize"},
    {"search by an unknown metric", "[parameters]\nseed = [1]\n[search]\nover = ['seed']\nminimize = 'tim'\n", "sweep.toml:8:12: unknown metric 'tim' (metrics: time, speed, memory, margin, noise, colour). Did you mean 'time'?"},
    {"search by flags", "[parameters]\nseed = [1]\n[search]\nover = ['seed']\nminimize = 'colour'\n", "sweep.toml:8:12: search by a metric that is not a number (its values are names)."},
    {"an odd top", "[parameters]\nseed = [1]\n[search]\nover = ['seed']\nminimize = 'time'\ntop = 0\n", "sweep.toml:9:7: 'top' is not a whole number from 1 to 4096."},
    {"a metric twice", "[output]\nmetrics = ['time', 'time']\n", "sweep.toml:5:20: metric 'time' is named twice."},
    {"no metrics", "[output]\nmetrics = []\n", "sweep.toml:5:11: 'metrics' is empty (an array of metrics is needed)."},
    {"an unknown precision", "[output]\nprecision = 'float16'\n", "sweep.toml:5:13: unknown precision (\"float64\" or \"float32\")."},
    {"data that nobody uses", "[data]\nprofiles = '.'\n", "sweep.toml:5:1: unknown data 'profiles' (estimator 'toy' uses none)."},
    {"no point list", "[points]\nfile = 'none.csv'\n", "sweep.toml:5:8: point list 'none.csv' does not exist. Paths are relative to the folder of the sweep file"},
    {"several at once, in the order of the file", "[parameters]\nseed = 'x'\nwork = -1\n[output]\n", "sweep.toml:5:8: 'seed' is a text (an integer is needed).\nsweep.toml:6:8: work = -1 is out of range..."},
};

}  // namespace

BOOST_DATA_TEST_CASE(errors_say_where_what_why_and_what_helps, bdata::make(wrong), row) {
  try {
    static_cast<void>(toy_sweep(row.sections));
    BOOST_FAIL("accepted");
  } catch (const UserError& error) {
    std::string expected = row.message;
    std::string actual = error.what();
    if (expected.ends_with("...")) {
      expected.resize(expected.size() - 3);
      actual = actual.substr(0, expected.size());
    }
    BOOST_TEST(actual == expected);
  }
}

BOOST_AUTO_TEST_CASE(headings_are_checked) {
  const auto message = [](std::string_view text) {
    try {
      static_cast<void>(read_sweep_text(text, "s", "", toy_reading()));
      return std::string("accepted");
    } catch (const UserError& error) {
      return std::string(error.what());
    }
  };
  BOOST_TEST(message("") == "s:1:1: no [sweep] section. Write [sweep] with name and estimator");
  BOOST_TEST(message("[sweep]\nname = 'a'\nestimator = 'tooy'\n") == "s:3:13: unknown estimator 'tooy' (estimators: toy). Did you mean 'toy'?");
  BOOST_TEST(message("[sweep]\nname = '../a'\nestimator = 'toy'\n").starts_with("s:2:8: '../a' cannot be the name of a sweep"));
  BOOST_TEST(message("[sweep]\nestimator = 'toy'\n") == "s:1:1: [sweep] has no name. Write name = \"...\"");
  BOOST_TEST(message("[sweep]\nname = 'a'\nestimator = 'toy'\nnmae = 1\n").starts_with("s:4:1: unknown key 'nmae' in [sweep]"));
}

namespace {

/// A folder with a point list, for one test.
class PointFolder {
 public:
  explicit PointFolder(std::string_view points) : path_(std::filesystem::temp_directory_path() / fmt::format("dfsweep_points_{}", ::getpid())) {
    std::filesystem::create_directories(path_);
    std::ofstream(path_ / "p.csv") << points;
  }
  ~PointFolder() { std::filesystem::remove_all(path_); }
  PointFolder(const PointFolder&) = delete;
  PointFolder& operator=(const PointFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(point_lists_become_columns_of_codes) {
  const PointFolder folder("seed,rate,flavour\n5,1 GB/s,odd\n5.0,1000 MB/s,plain\n7,2 GB/s,odd\n");
  const SweepSpec spec = toy_sweep("[parameters]\nwork = 3\n[points]\nfile = 'p.csv'\n", folder.path());
  BOOST_REQUIRE(spec.points);
  BOOST_TEST(spec.points->lines == 3);
  BOOST_TEST(labels(spec, T::seed) == "5 7");
  BOOST_TEST(labels(spec, T::rate) == "1e9 2e9");
  BOOST_TEST((spec.points->codes == std::vector<std::vector<std::uint32_t>>{{0, 0, 1}, {0, 0, 1}, {0, 1, 0}}));
  BOOST_TEST(labels(spec, T::work) == "3");
  BOOST_TEST(spec.inputs.size() == 1);
  const UserError error = to_user_error(InvalidValues({{T::rate, 1, "too fast", "", ""}}), spec);
  BOOST_TEST(std::string(error.what()).ends_with("p.csv:4:3: too fast."));
}

BOOST_AUTO_TEST_CASE(errors_of_point_lists_name_the_cell) {
  const auto problems = [](std::string_view points, std::string_view more) {
    const PointFolder folder(points);
    try {
      static_cast<void>(toy_sweep("[points]\nfile = 'p.csv'\n" + std::string(more), folder.path()));
      return std::string("accepted");
    } catch (const UserError& error) {
      const std::string prefix = folder.path().string() + "/";
      std::string text = error.what();
      for (std::size_t at = 0; (at = text.find(prefix)) != std::string::npos;) text.erase(at, prefix.size());
      return text;
    }
  };
  BOOST_TEST(problems("seed,sede\n1,2\n", "") == "p.csv:1:6: unknown parameter 'sede' (estimator 'toy' has no such parameter). Did you mean 'seed'?");
  BOOST_TEST(problems("seed,rate\n1,5\n-1,1 B/s\n", "") ==
             "p.csv:2:3: rate = 5 has no unit (unit B/s). Write \"5 GB/s\"\np.csv:3:1: seed = -1 is out of range (allowed: at least 0).");
  BOOST_TEST(problems("seed,rate\n1\n", "") == "p.csv:2:1: line has 1 cells (the header has 2).");
  BOOST_TEST(problems("seed\n", "") == "p.csv:1:1: point list is empty.");
  BOOST_TEST(problems("seed\n1\n", "[parameters]\nseed = 2\n") == "sweep.toml:7:1: parameter 'seed' is given twice (it is a column of p.csv). Keep one of them");
  BOOST_TEST(problems("seed\n1\n", "[parameters]\nwork = [2]\n") ==
             "sweep.toml:7:1: axis 'work' with [points] (every point is a line of the list). Give a single value, or a column of the list");
  BOOST_TEST(problems("seed\n1\n", "[search]\nover = ['seed']\nminimize = 'time'\n") ==
             "sweep.toml:6:1: [search] with [points] (a list of points has no axes to search over). Use axes in [parameters]");
}
