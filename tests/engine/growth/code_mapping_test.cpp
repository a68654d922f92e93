/// Points of a sweep in a former one: by values in any order, by values that one of both does not vary, and the reasons
/// where no point fits.
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include "engine/growth/code_mapping.hpp"
#include "engine/plan/row_source.hpp"
#include "tests/support/sweep_texts.hpp"

BOOST_AUTO_TEST_SUITE(code_mapping_test)

using namespace dfsweep;

namespace {

/// The codes in the former sweep of every point of the grown one, as digits; "-": not in it.
std::string mapped(const std::string& before, const std::string& after) {
  const SweepSpec former = toy_sweep("[parameters]\n" + before);
  const SweepSpec grown = toy_sweep("[parameters]\n" + after);
  const CodeMapping mapping(former, grown);
  const RowSource rows(grown);
  PointBuffer points;
  rows.decode(0, rows.kept(), points);
  std::vector<std::uint32_t> codes(mapping.columns());
  std::string text;
  for (std::size_t i = 0; i < points.points.size(); ++i) {
    text += text.empty() ? "" : " ";
    if (!mapping.map(points, i, codes)) {
      text += "-";
      continue;
    }
    for (const std::uint32_t code : codes) text += std::to_string(code);
  }
  return text;
}

std::string obstacle(const std::string& before, const std::string& after) {
  try {
    return mapped(before, after);
  } catch (const NoGrowth& error) {
    return error.what();
  }
}

struct Case {
  const char* what;
  const char* former;
  const char* grown;
  const char* expected;
};

constexpr Case cases[] = {
    {"the same axis", "seed = [1, 2]", "seed = [1, 2]", "0 1"},
    {"a value is new, and the order another one", "seed = [1, 2]", "seed = [2, 3, 1]", "1 - 0"},
    {"two axes change places", "seed = [1, 2]\nwork = [5, 6]", "work = [5, 6]\nseed = [1, 2]", "00 10 01 11"},
    {"an axis is new; the former sweep had its second value", "seed = [1, 2]\nwork = 6", "seed = [1, 2]\nwork = [5, 6]",
     "- 0 - 1"},
    {"an axis is new; the former sweep had its default, plain", "seed = [1, 2]",
     "seed = [1, 2]\nflavour = [\"plain\", \"odd\"]", "0 - 1 -"},
    {"an axis has only one of its values", "seed = [1, 2]\nwork = [5, 6]", "seed = [1, 2]\nwork = 6", "01 11"},
    {"units are compared by their value", "size = [\"1000 B\", \"2 kB\"]", "size = [\"1 kB\", \"2000 B\"]", "0 1"},
    {"linked axes get a row", "[[together]]\nseed = [1, 2]\nwork = [5, 6]",
     "[[together]]\nseed = [1, 2, 1]\nwork = [5, 6, 6]", "0 1 -"},
    {"free axes become linked ones", "seed = [1, 2]\nwork = [5, 6]", "[[together]]\nseed = [1, 2]\nwork = [6, 7]",
     "01 -"},
    {"a fixed value differs", "seed = [1, 2]\nwork = 5", "seed = [1, 2]\nwork = 6", "its work is 5, not 6"},
    {"a fixed value is not among the new ones", "seed = [1, 2]\nwork = 5", "seed = [1, 2]\nwork = [6, 7]",
     "its work is 5, a value that this sweep does not have"},
    {"no value is common", "seed = [1, 2]", "seed = [3, 4]", "it has none of the values of seed"},
    {"linked axes become free ones", "[[together]]\nseed = [1, 2]\nwork = [5, 6]", "seed = [1, 2]\nwork = [5, 6]",
     "it varies work together with other parameters, and this sweep each of them alone"},
};

}  // namespace

BOOST_AUTO_TEST_CASE(points_are_found_by_their_values) {
  for (const Case& one : cases)
    BOOST_TEST_CONTEXT(one.what) BOOST_TEST(obstacle(one.former, one.grown) == one.expected);
}

BOOST_AUTO_TEST_CASE(shared_codes_are_those_that_some_common_point_may_have) {
  const SweepSpec former = toy_sweep("[parameters]\nseed = [1, 2]\nwork = 6\n");
  const SweepSpec grown = toy_sweep("[parameters]\nseed = [2, 3]\nwork = [5, 6, 7]\n");
  const CodeMapping mapping(former, grown);
  BOOST_TEST(mapping.shared_codes(0) == (std::vector<bool>{true, false}), boost::test_tools::per_element());
  BOOST_TEST(mapping.shared_codes(1) == (std::vector<bool>{false, true, false}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
