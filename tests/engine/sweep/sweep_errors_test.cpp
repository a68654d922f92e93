/// Wrong sweep files: the full message, with the place, the problem, the reason and a hint.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "engine/sweep/read_sweep.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/sweep_texts.hpp"

BOOST_AUTO_TEST_SUITE(sweep_errors_test)

using namespace dfsweep;
namespace bdata = boost::unit_test::data;

namespace {

struct Wrong {
  const char* why;
  const char* sections;
  const char* message;  ///< the whole message, or its beginning followed by "..."
};

// The heading takes three lines; sections begin in line 4.
const Wrong wrong[] = {
    {"unknown section", "[parametres]\n",
     "sweep.toml:4:2: unknown section 'parametres' (sections: sweep, parameters, together, filter, search, output, "
     "points, data, sample). Did you mean 'parameters'?"},
    {"unknown parameter", "[parameters]\nsede = 1\n",
     "sweep.toml:5:1: unknown parameter 'sede' in [parameters] (estimator 'toy' has no such parameter). Did you mean "
     "'seed'?"},
    {"a text for a number", "[parameters]\nseed = 'one'\n", "sweep.toml:5:8: 'seed' must be an integer, not a string."},
    {"a boolean", "[parameters]\nseed = true\n", "sweep.toml:5:8: 'seed' must be an integer, not a boolean."},
    {"a date", "[parameters]\nseed = 2020-01-01\n", "sweep.toml:5:8: 'seed' must be an integer, not a date."},
    {"a number for a label", "[parameters]\nflavour = 1\n",
     "sweep.toml:5:11: 'flavour' must be a string, not an integer."},
    {"nested arrays", "[parameters]\nseed = [[1]]\n", "sweep.toml:5:9: 'seed' must be an integer, not an array."},
    {"a fraction", "[parameters]\nseed = 1.5\n", "sweep.toml:5:8: seed = 1.5 is not a whole number."},
    {"no unit", "[parameters]\nrate = 3350\n",
     "sweep.toml:5:8: rate = 3350 has no unit (unit B/s). Write \"3350 GB/s\""},
    {"no unit, but a number as large as base units are", "[parameters]\nrate = 3350e9\n",
     "sweep.toml:5:8: rate = 3.35e12 has no unit (unit B/s). Write \"3.35 TB/s\""},
    {"no unit and no legal value", "[parameters]\nrate = -5\n",
     "sweep.toml:5:8: rate = -5 is negative and has no unit (unit B/s, at least 0.001)."},
    {"the prefix of the unit at the number", "[parameters]\nrate = '3k B/s'\n",
     "sweep.toml:5:10: rate: '3k B/s' needs a space between number and unit (unit B/s). Write \"3 kB/s\""},
    {"no unit in a text", "[parameters]\nrate = '3350'\n",
     "sweep.toml:5:8: rate = 3350 has no unit (unit B/s). Write \"3350 GB/s\""},
    {"wrong unit", "[parameters]\nrate = '3 GB'\n",
     "sweep.toml:5:8: rate = '3 GB' has the wrong unit (expected B/s, got GB)."},
    {"bits", "[parameters]\nrate = '3 Gb/s'\n",
     "sweep.toml:5:11: rate: unknown unit 'Gb' (unit B/s). Bits are not used: write bytes, 8 Gbit/s is \"1 GB/s\""},
    {"below the range", "[parameters]\nseed = -1\n",
     "sweep.toml:5:8: seed = -1 is out of range (allowed: at least 0)."},
    {"above 2^53", "[parameters]\nseed = 9223372036854775807\n",
     "sweep.toml:5:8: seed = 9223372036854775807 is too large (whole numbers reach to 2^53)."},
    {"not a number", "[parameters]\nrate = ['1 B/s', nan]\n", "sweep.toml:5:18: rate = nan has no unit (unit B/s)..."},
    {"infinite", "[parameters]\nseed = inf\n", "sweep.toml:5:8: seed = inf is not a finite number."},
    {"an unknown choice", "[parameters]\nflavour = ['plian']\n",
     "sweep.toml:5:12: flavour = 'plian' is not a choice (choices: plain, rich, odd). Did you mean 'plain'?"},
    {"not in the catalogue", "[parameters]\ndevice = 'no-such-device'\n",
     "sweep.toml:5:10: 'device' names 'no-such-device' (not in the catalogue)..."},
    {"a path out of the catalogue", "[parameters]\ndevice = '../devices/h100'\n",
     "sweep.toml:5:10: 'device' names '../devices/h100' (not in the catalogue)..."},
    {"no such file", "[parameters]\ndevice = 'mine.toml'\n",
     "sweep.toml:5:10: 'device' names the file 'mine.toml' (no such file). Paths are relative to the folder of the "
     "sweep file"},
    {"an empty axis", "[parameters]\nseed = []\n", "sweep.toml:5:8: axis 'seed' is empty. Give at least one value"},
    {"a value twice", "[parameters]\nsize = ['1 kB', '2 kB', '1000 B']\n",
     "sweep.toml:5:25: axis 'size' holds 1000 twice (first at 5:9)."},
    {"a parameter twice", "[parameters]\nseed = 1\n[[together]]\nseed = [1, 2]\nwork = [1, 2]\n",
     "sweep.toml:7:1: parameter 'seed' is given twice (first in line 5). Keep one of them"},
    {"lists of unequal length", "[[together]]\nseed = [1, 2]\nwork = [1, 2, 3]\n",
     "sweep.toml:6:1: 'work' has 3 values ('seed' of the same [[together]] has 2). Linked parameters need lists of "
     "equal length"},
    {"linked values twice", "[[together]]\nseed = [1, 1, 1]\nwork = [1, 2, 1]\n",
     "sweep.toml:5:15: axis 'seed, work' holds 1, 1 twice (first at 5:9)."},
    {"a scalar that is linked", "[[together]]\nseed = 1\n",
     "sweep.toml:5:8: 'seed' in [[together]] is an integer (an array or a range is needed). Put a fixed value into "
     "[parameters]"},
    {"a table for together", "[together]\nseed = [1]\n", "sweep.toml:4:2: 'together' is a table. Write [[together]]"},
    {"a range of labels", "[parameters]\nflavour = { from = 1, to = 2, step = 1 }\n",
     "sweep.toml:5:11: 'flavour' cannot have a range (its values are texts). Give an array"},
    {"a range of no kind", "[parameters]\nseed = { from = 1, to = 2 }\n",
     "sweep.toml:5:8: 'seed' has a range of unknown kind..."},
    {"a range without points outside of a sample",
     "[parameters]\nrate = { from = '1 B/s', to = '9 B/s', scale = 'log' }\n",
     "sweep.toml:5:8: range of 'rate' has no points (without them it is continuous, and only a [sample] with a count "
     "draws its numbers). Write points = 10, or [sample]"},
    {"a continuous range of whole numbers",
     "[sample]\ncount = 2\n[parameters]\nseed = { from = 1, to = 9, scale = 'log' }\n",
     "sweep.toml:7:8: range of 'seed' is continuous (its values are whole numbers). Write step = 1, or points"},
    {"a continuous range that is linked",
     "[sample]\ncount = 2\n[[together]]\nrate = { from = '1 B/s', to = '9 B/s', scale = 'log' }\nseed = [1, 2]\n",
     "sweep.toml:7:8: 'rate' in [[together]] is a continuous range (linked parameters have listed values). Give the "
     "range points"},
    {"a filter on a continuous range",
     "[sample]\ncount = 2\n[parameters]\nrate = { from = '1 B/s', to = '9 B/s', scale = 'log' }\n[filter]\nkeep = "
     "'rate > 3'\n",
     "sweep.toml:9:9: filter on the continuous range 'rate' (filters select among listed values). Give the range "
     "points"},
    {"a search over a continuous range",
     "[sample]\ncount = 2\n[parameters]\nrate = { from = '1 B/s', to = '9 B/s', scale = 'log' }\n[search]\nover = "
     "['rate']\nminimize = 'time'\n",
     "sweep.toml:4:1: [search] over a continuous range (each of its numbers has one row). Give the range points"},
    {"a sample without a count", "[parameters]\nseed = [1, 2]\n[sample]\nmethod = 'sobol'\n",
     "sweep.toml:6:1: [sample] has no count (without it all points are kept, and only 'split' is useful). Write count "
     "= "
     "1000"},
    {"a sample of nothing", "[parameters]\nseed = [1, 2]\n[sample]\ncount = 0\n",
     "sweep.toml:7:9: 'count' is not a whole number from 1 to 100000000."},
    {"an unknown method of a sample", "[parameters]\nseed = [1, 2]\n[sample]\ncount = 1\nmethod = 'halton'\n",
     "sweep.toml:8:10: unknown method (\"random\", \"latin_hypercube\" or \"sobol\")."},
    {"strata of an unknown axis", "[parameters]\nseed = [1, 2]\n[sample]\ncount = 1\nstratify = ['sede']\n",
     "sweep.toml:8:13: 'stratify' names 'sede' (it is not an axis of this sweep). Did you mean 'seed'?"},
    {"strata of a search",
     "[parameters]\nseed = [1, 2]\nwork = [1, 2]\n[search]\nover = ['work']\nminimize = 'time'\n[sample]\ncount = "
     "1\nstratify = ['seed']\n",
     "sweep.toml:12:12: 'stratify' with [search] (the rows of a search are its reported points). Give each value its "
     "own sweep, or leave out [search]"},
    {"shares that do not sum to 1",
     "[parameters]\nseed = [1, 2]\n[sample]\ncount = 1\nsplit = { train = 0.8, test = 0.1 }\n",
     "sweep.toml:8:9: the shares of 'split' do not sum to 1 (their sum is 0.9)."},
    {"a share that is no number", "[parameters]\nseed = [1, 2]\n[sample]\nsplit = { train = 'most', test = 0.1 }\n",
     "sweep.toml:7:19: share of 'train' is not a number above 0 and up to 1."},
    {"a part without a value",
     "[parameters]\nseed = [1, 2]\n[sample]\nsplit = { train = 0.8, test = 0.2, by = ['seed'] }\n",
     "sweep.toml:7:9: part 'test' of 'split' gets no rows ('by' has 2 combinations for 2 parts). Give it a "
     "larger share, or more axes in 'by'"},
    {"a split by a searched axis",
     "[parameters]\nseed = [1, 2]\nwork = [1, 2]\n[search]\nover = ['work']\nminimize = 'time'\n[sample]\nsplit = { "
     "a = 0.5, b = 0.5, by = ['work'] }\n",
     "sweep.toml:11:9: 'split' is by an axis of the search (rows of a search have no fixed value of it). Name reported "
     "axes"},
    {"an unknown key of a range", "[parameters]\nseed = { from = 1, to = 9, stepp = 1, step = 2 }\n",
     "sweep.toml:5:28: unknown key 'stepp' in the range of 'seed' (keys here: from, to, step). Did you mean 'step'?"},
    {"a missing key of a range", "[parameters]\nrate = { from = '1 B/s', to = '9 B/s', points = 3 }\n",
     "sweep.toml:5:8: range of 'rate' is missing 'scale' (keys here: from, to, points, scale). Write scale = \"log\" "
     "or "
     "scale = \"linear\""},
    {"a range that ends before it begins", "[parameters]\nseed = { from = 9, to = 1, step = 1 }\n",
     "sweep.toml:5:25: range of 'seed' ends before it begins (from 9 to 1)."},
    {"a logarithmic range from zero", "[parameters]\nseed = { from = 0, to = 9, points = 3, scale = 'log' }\n",
     "sweep.toml:5:17: range of 'seed' begins at zero or below (its scale is logarithmic)."},
    {"values of a range that are not whole",
     "[parameters]\nseed = { from = 1, to = 2, points = 3, scale = 'linear' }\n",
     "sweep.toml:5:8: range of 'seed' holds 1.5 (its values are whole numbers). Choose other points, powers_of or an "
     "array"},
    {"a range of too many values", "[parameters]\nseed = { from = 1, to = 1e12, step = 1 }\n",
     "sweep.toml:5:38: range of 'seed' has too many values (at most 10000000)."},
    {"an empty range", "[parameters]\nseed = { powers_of = 10, from = 11, to = 99 }\n",
     "sweep.toml:5:22: range of 'seed' is empty (no power of 10 lies in it)."},
    {"divisors of zero", "[parameters]\nseed = { divisors_of = 0 }\n",
     "sweep.toml:5:24: range of 'seed' has no number to divide..."},
    {"divisors of nothing", "[parameters]\nseed = { divisors_of = 'rate' }\n",
     "sweep.toml:5:24: divisors of 'rate' are not defined (it has no value in this sweep)..."},
    {"divisors of each other", "[parameters]\nseed = { divisors_of = 'work' }\nwork = { divisors_of = 'seed' }\n",
     "sweep.toml:5:24: divisors of 'work' are not defined (its values are divisors of another parameter "
     "themselves)..."},
    {"a grid of too many points",
     "[parameters]\nseed = { from = 1, to = 9999999, step = 1 }\nwork = { from = 1, to = 9999999, step = 1 }\nskew = { "
     "from = 1, to = 9999999, step = 1 }\n",
     "sweep.toml:4:1: the grid has about 1e+21 points (points are counted up to 2^64)."},
    {"a filter that is no text", "[filter]\nkeep = [1]\n",
     "sweep.toml:5:9: a filter must be an expression in quotes, not an integer."},
    {"an unknown name in a filter", "[filter]\nkeep = ['seed > 1', 'sede < 2']\n",
     "sweep.toml:5:22: unknown name 'sede' in a filter. Did you mean 'seed'?"},
    {"a filter with a syntax error", "[filter]\nkeep = 'seed > (1'\n",
     "sweep.toml:5:18: filter 'seed > (1' cannot be evaluated..."},
    {"an unknown key of a section", "[filter]\nkep = 'seed > 1'\n",
     "sweep.toml:5:1: unknown key 'kep' in [filter] (keys here: keep). Did you mean 'keep'?"},
    {"search over a fixed parameter", "[search]\nover = ['seed']\nminimize = 'time'\n",
     "sweep.toml:5:9: search over 'seed' (it has a single value in this sweep). Give it an array or a range"},
    {"search over a misspelled parameter, without axes", "[search]\nover = ['sede']\nminimize = 'time'\n",
     "sweep.toml:5:9: search over 'sede' (no such parameter). Did you mean 'seed'?"},
    {"search over nothing known, without axes", "[search]\nover = ['zzzzzzzz']\nminimize = 'time'\n",
     "sweep.toml:5:9: search over 'zzzzzzzz' (no such parameter). This sweep has no axes: give a parameter an array or "
     "a "
     "range"},
    {"text without quotation marks", "[filter]\nkeep = seed\n",
     "sweep.toml:5:8: not valid TOML (Error while parsing value: could not determine value type). Text needs quotation "
     "marks, as in \"llama3-70b\""},
    {"search without aim", "[parameters]\nseed = [1]\n[search]\nover = ['seed']\n",
     "sweep.toml:6:1: [search] has no objective. Give one of minimize and maximize"},
    {"search by an unknown metric", "[parameters]\nseed = [1]\n[search]\nover = ['seed']\nminimize = 'tim'\n",
     "sweep.toml:8:12: unknown metric 'tim' (metrics: time, speed, memory, margin, noise, colour). Did you mean "
     "'time'?"},
    {"search by flags", "[parameters]\nseed = [1]\n[search]\nover = ['seed']\nminimize = 'colour'\n",
     "sweep.toml:8:12: search by a metric that is not a number (its values are names)."},
    {"an odd top", "[parameters]\nseed = [1]\n[search]\nover = ['seed']\nminimize = 'time'\ntop = 0\n",
     "sweep.toml:9:7: 'top' is not a whole number from 1 to 4096."},
    {"a number where true or false is expected",
     "[parameters]\nseed = [1]\n[search]\nover = ['seed']\nminimize = 'time'\none_per_tie = 1\n",
     "sweep.toml:9:15: 'one_per_tie' is not true or false."},
    {"an unknown metric in a condition of a search",
     "[parameters]\nseed = [1]\n[search]\nover = ['seed']\nminimize = 'time'\nwhere = ['seed > 0', 'tme < 1']\n",
     "sweep.toml:9:23: unknown name 'tme' in a filter. Did you mean 'time'?"},
    {"a condition of a search with another unit",
     "[parameters]\nseed = [1]\n[search]\nover = ['seed']\nminimize = 'time'\nwhere = \"time < '1 GB'\"\n",
     "sweep.toml:9:17: '1 GB' has a unit that no variable in the filter has."},
    {"a condition of a search that is no text",
     "[parameters]\nseed = [1]\n[search]\nover = ['seed']\nminimize = 'time'\nwhere = 3\n",
     "sweep.toml:9:9: a condition must be an expression in quotes, not an integer."},
    {"a metric twice", "[output]\nmetrics = ['time', 'time']\n", "sweep.toml:5:20: metric 'time' is named twice."},
    {"no metrics", "[output]\nmetrics = []\n", "sweep.toml:5:11: 'metrics' is empty (an array of metrics is needed)."},
    {"an unknown precision", "[output]\nprecision = 'float16'\n",
     "sweep.toml:5:13: unknown precision (\"float64\" or \"float32\")."},
    {"data that the estimator does not use", "[data]\nprofiles = '.'\n",
     "sweep.toml:5:1: unknown data 'profiles' (estimator 'toy' uses none)."},
    {"no point list", "[points]\nfile = 'none.csv'\n",
     "sweep.toml:5:8: point list 'none.csv' does not exist. Paths are relative to the folder of the sweep file"},
    {"a wrong value of linked ones, reported once", "[[together]]\nseed = [1, 'x']\nwork = [1, 2]\n",
     "sweep.toml:5:12: 'seed' must be an integer, not a string."},
    {"several at once, in the order of the file", "[parameters]\nseed = 'x'\nwork = -1\n[output]\n",
     "sweep.toml:5:8: 'seed' must be an integer, not a string.\nsweep.toml:6:8: work = -1 is out of range..."},
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
  BOOST_TEST(message("[sweep]\nname = 'a'\nestimator = 'tooy'\n") ==
             "s:3:13: unknown estimator 'tooy' (estimators: toy). Did you mean 'toy'?");
  BOOST_TEST(message("[sweep]\nname = '../a'\nestimator = 'toy'\n")
                 .starts_with("s:2:8: '../a' cannot be the name of a sweep"));
  BOOST_TEST(message("[sweep]\nestimator = 'toy'\n") == "s:1:1: [sweep] has no name. Write name = \"...\"");
  BOOST_TEST(message("[sweep]\nname = 'a'\nestimator = 'toy'\nnmae = 1\n")
                 .starts_with("s:4:1: unknown key 'nmae' in [sweep]"));
}

/// Metrics of simulations, where nothing is simulated.
BOOST_AUTO_TEST_CASE(a_search_needs_metrics_with_values) {
  const std::string text =
      "[sweep]\nname = 'a'\nestimator = 'serving'\n[parameters]\nmodel = 'llama3-8b'\nsystem = 'dgx-h100'\n"
      "tensor_parallel = [1, 2]\n[search]\nover = ['tensor_parallel']\nmaximize = 'goodput'\n"
      "where = ['preemptions < 1']\n";
  try {
    static_cast<void>(read_sweep_text(text, "s", "", {}));
    BOOST_FAIL("accepted");
  } catch (const UserError& error) {
    BOOST_TEST(
        error.what() ==
        std::string("s:10:12: search by metric 'goodput' (it has no value at any point of this sweep). Its "
                    "meaning: requests per second that keep both limits; needs queueing = \"simulated\"\n"
                    "s:11:11: condition on metric 'preemptions' (it has no value at any point of this sweep). "
                    "Its meaning: times that a request loses its cache, on average; needs queueing = \"simulated\""));
  }
  std::string simulated = text;
  simulated.insert(simulated.find("[search]"), "queueing = 'simulated'\n");
  BOOST_TEST(read_sweep_text(simulated, "s", "", {}).search->conditions.size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
