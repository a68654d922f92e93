/// Suggestions: distances by hand, and what is near enough to be meant.
#include "io/suggestion.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(suggestion_test)

using namespace dfsweep;

BOOST_AUTO_TEST_CASE(distances_count_edits) {
  BOOST_TEST(edit_distance("", "abc") == 3);
  BOOST_TEST(edit_distance("kitten", "sitting") == 3);
  BOOST_TEST(edit_distance("siez", "size") == 1);  // two neighbours swapped
  BOOST_TEST(edit_distance("H100", "h100") == 0);  // case does not count
  BOOST_TEST(edit_distance("data-parallel", "data_parallel") == 0);
}

BOOST_AUTO_TEST_CASE(only_near_names_are_suggested) {
  const std::vector<std::string> names{"tensor_parallel", "pipeline_parallel", "data_parallel", "tp"};
  BOOST_TEST(nearest("tensor_paralel", names) == "tensor_parallel");
  BOOST_TEST(nearest("tpx", names) == "tp");
  BOOST_TEST(nearest("bandwidth", names).empty());
  BOOST_TEST(nearest("", names).empty());
  BOOST_TEST(did_you_mean("dta_parallel", names) == "Did you mean 'data_parallel'?");
  BOOST_TEST(did_you_mean("x", names, "Else") == "Else");
}

BOOST_AUTO_TEST_SUITE_END()
